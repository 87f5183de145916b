package theory

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

type typo struct {
	name, old, new string
	want           string
	schema         bool // the JSON Schema refuses it, too
}

// typos are hand-edits of testdata/typos.yaml: the first occurrence of old
// becomes new. The schema refuses those that concern form alone.
var typos = []typo{
	// the head
	{"other kind", "kind: Theory", "kind: Deployment", `2:7: not a theory file: its kind is "Deployment", not "Theory"`, true},
	{"other version", "adtinfer/v1alpha1", "adtinfer/v2", `1:13: apiVersion is "adtinfer/v2"; this program reads "adtinfer/v1alpha1"`, true},
	{"no kind", "kind: Theory\n", "", `1:1: a theory needs the field "kind"`, true},
	{"no name", "  name: queue", "  x-name: queue", `4:3: metadata needs the field "name"`, true},

	// fields
	{"unknown field", "  language:", "  langauge:", `15:3: spec has no field "langauge"; did you mean "language"?`, true},
	{"unknown field in a method", "aliases:", "aliasses:", `11:7: a method has no field "aliasses"; did you mean "aliases"?`, true},
	{"unknown field in an outcome", "returns: 1", "retruns: 1", `14:35: an outcome has no field "retruns"; did you mean "returns"?`, true},
	{"unknown field, nothing near", "      weight: 1\n", "      color: red\n", `27:7: a pattern has no field "color"`, true},
	{"upper case", "readonly: outcome", "readOnly: outcome", `24:5: matching has no field "readOnly"; did you mean "readonly"?`, true},
	{"field twice", "      weight: 1\n", "      weight: 1\n      weight: 1\n", `28:7: field "weight" stands here twice`, false},
	{"missing field", "      weight: 1\n", "", `26:7: a pattern needs the field "weight"`, true},
	{"missing spec", "spec:", "x-spec:", `1:1: a theory needs the field "spec"`, true},
	{"missing methods", "  methods:", "  x-methods:", `6:3: spec needs the field "methods"`, true},
	{"unknown field in status", "strategy:", "stategy:", `66:3: status has no field "stategy"; did you mean "strategy"?`, true},
	{"missing in status", "    missed: 0\n", "", `80:5: crossCheck needs the field "missed"`, true},

	// types
	{"word for a number", "args: 1", "args: one", `9:13: args is a whole number, not "one"`, true},
	{"negative", "args: 1", "args: -1", `9:13: args is at least 0, not -1`, true},
	{"fraction", "weight: 1", "weight: 1.5", `27:15: a weight is a whole number, not the number 1.5`, true},
	{"octal", "args: 1", "args: 0x1", `9:13: args is a whole number in plain decimal digits, not 0x1`, false},
	{"many arguments", "args: 1", "args: 1000000", `9:13: args is at most 32, not 1000000`, true},
	{"more arguments than numbers", "args: 1", "args: 99999999999999999999", `9:13: args is a whole number, not the number 99999999999999999999`, true},
	{"nil of no argument", "args: 1", "args: 1\n      notNil: [2]", `10:16: method add has 1 argument, so 2 is not another one of them`, false},
	{"nil twice", "args: 1", "args: 1\n      notNil: [1, 1]", `10:19: method add has 1 argument, so 1 is not another one of them`, true},
	{"many results", "returns: 1", "returns: 33", `14:44: returns is at most 32, not 33`, true},
	{"width", "width: 1", "width: 1000000", `6:10: width is at most 32, not 1000000`, true},
	{"list for a mapping", "language:", "language:\n    x: 1\n  x-language:", `16:5: language is a list, not a mapping`, true},
	{"mapping for a list", "outcomes: [{outcome: none}]", "outcomes: {outcome: none}", `10:17: outcomes is a list, not a mapping`, true},
	{"text for a list", "aliases: [enqueue, put]", "aliases: enqueue", `11:16: aliases is a list, not "enqueue"`, true},
	{"nothing", "aliases: [enqueue, put]", "aliases:", `11:15: aliases is a list, not nothing`, true},
	{"an error's text for no error", "outcome: nil}", "outcome: nil, error: gone}", `14:58: an outcome with the text of an error has a name of its own that begins with err, such as ErrClosed, not "nil"`, false},
	{"an error's text for all errors", "outcome: nil}", "outcome: error, error: gone}", `14:58: an outcome with the text of an error has a name of its own that begins with err, such as ErrClosed, not "error"`, false},
	{"an error's text of two lines", "outcome: nil}", "outcome: ErrGone, error: \"a\\nb\"}", `14:74: an error's text is one line of text`, true},
	{"boolean outcome", "outcome: nil}", "outcome: true}", `14:58: an outcome is a string, not the boolean true; write "true"`, true},
	{"null name", "- name: remove\n", "- name: null\n", `12:13: a method's name is a string, not nothing; write "null"`, true},
	{"truth", "holds: true", "holds: maybe", `70:12: holds is true or false, not "maybe"`, true},
	{"anchor", "args: 1", "args: &a 1", `9:13: anchors and aliases are not for theory files; write the value out`, false},
	{"alias", "name: queue", "name: *q", `4:1: not YAML: unknown anchor 'q' referenced`, false},

	// names
	{"mode", "mode: timeless", "mode: timeles", `20:11: mode is timeless or past, not "timeles"; did you mean "timeless"?`, true},
	{"strategy", "strategy: frontier", "strategy: brute", `66:13: strategy is frontier, not "brute"`, true},
	{"method twice", "- name: remove\n", "- name: add\n", `12:13: method "add" is declared twice, first in line 8`, false},
	{"alias is a method", "[enqueue, put]", "[enqueue, remove]", `12:13: method "remove" is declared twice, first in line 11`, false},
	{"outcome twice", "outcome: nil}", "outcome: value}", `14:58: outcome "value" is declared twice`, false},
	{"short outcome", "outcome: nil}", "outcome: v}", `14:58: an outcome is a word of two letters or more, not "v"`, true},
	{"empty outcome", "outcome: nil}", "outcome: empty}", `14:58: drawings and logs read "empty" as the outcome nil; call it nil here`, true},
	{"no outcome", "outcomes: [{outcome: none}]", "outcomes: []", `10:17: a method needs an outcome at least; one without results has the outcome none`, true},
	{"name with blank", "- name: remove\n", "- name: re move\n", `12:13: a method's name is made of letters, digits and _, not "re move"`, true},
	{"empty name", "name: queue", `name: ""`, `4:9: a theory's name is one line of text`, true},
	{"pattern twice", "- name: remove-before-add", "- name: remove-unmatched", `35:13: pattern "remove-unmatched" is declared twice, first in line 26`, false},

	// formulas
	{"method in a formula", "method(y) = add & arg(y) = ret(x)", "method(y) = ad & arg(y) = ret(x)", `22:21: unknown method "ad"; did you mean "add"?`, false},
	{"some operation", "formula: forall x:Op, y:Op. ", "formula: exists x:Op, y:Op. ", `18:16: this does not hold of an execution without operations, which every data type has: then no execution would be right`, false},
	{"nothing holds", "formula: forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y", `formula: "false"`, `18:16: this does not hold of an execution without operations, which every data type has: then no execution would be right`, false},
	{"not all", "formula: forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y", `formula: "!(forall x:Op. method(x) = add)"`, `18:16: this does not hold of an execution without operations, which every data type has: then no execution would be right`, false},
	{"an axiom of some operation", "  patterns:", "  axioms:\n    - name: some\n      formula: exists x:Op. method(x) = add\n  x-patterns:", `27:16: this does not hold of an execution without operations, which every data type has: then no execution would be right`, false},
	{"free variable", "readonly: outcome(x) = nil", "readonly: outcome(y) = nil", `24:23: unbound variable "y"; bound here: x`, false},
	{"syntax", "arg(x) = arg(y) -> x = y", "arg(x) = arg(y) => x = y", `18:87: unexpected "=>"; write ->`, false},
	{"quoted", "readonly: outcome(x) = nil", `readonly: "outcome(x) = nul"`, `24:29: unknown outcome "nul"; did you mean "nil"?`, false},
	{"in a block", "method(x1) = remove & outcome(x1) = value & !readonly(x1) & unmatched(x1)", "method(x1) = remove & outcome(x1) = value & !readonly(x1) & unmached(x1)",
		`34:87: unknown predicate or function "unmached"; did you mean "unmatched"?`, false},
	{"block ends early", "completed(x1) & method(x1) = remove & outcome(x1) = value & !readonly(x1) & unmatched(x1)", "completed(x1) &",
		`34:26: expected a formula or a term, found end of formula`, false},

	// drawings
	{"drawing", "[1:X] remove => v1   #", "[1:X remove => v1   #", `31:14: expected "]"`, false},
	{"method in a drawing", "[1:X] remove => v1   #", "[1:X] remvoe => v1   #", `31:15: unknown method "remvoe"; did you mean "remove"?`, false},
	{"outcome in a drawing", "[1:X] remove => v1   #", "[1:X] remove => full #", `31:15: method "remove" has no outcome "full"; it has value, nil`, false},
	{"arguments in a drawing", "[2:2] add(v2)         #", "[2:2] add(v2, v2b)    #", `41:15: add(v2, v2b): add takes 1 argument`, false},
	{"results in a drawing", "[1:X] remove => v1   #", "[1:X] remove => v1, v1b  #", `31:15: remove => v1, v1b: outcome value of remove returns 1 value`, false},
	{"weight", "weight: 2", "weight: 3", `52:15: the drawing's weight is 2, not 3`, false},
	{"read-only mark", "remove => - (RO)", "remove => -", `58:16: the formula is not the one of the drawing: it has "method(x1) = add" where the drawing's has "method(x1) = remove"`, false},
	{"formula of another", "!readonly(x1) & unmatched(x1)", "!readonly(x1) & match(x1) = x1", `32:16: the formula is not the one of the drawing: it has "match(x1) = x1" where the drawing's has "unmatched(x1)"`, false},
}

// modelTypos are hand-edits of the theory of a model.
var modelTypos = []typo{
	{"unknown field of a model", "    type: Limiter", "    tpye: Limiter", `18:5: a model has no field "tpye"; did you mean "type"?`, true},
	{"no source", "    source: ", "    x-source: ", `17:5: a model needs the field "source"`, true},
	{"short source", "sha256:0f", "sha256:0", `21:13: a source is "sha256:" and 64 hexadecimal digits, not "sha256:0` + strings.Repeat("0f", 31) + `"`, true},
	{"many packages", "package: example.com/m/limiter", "package: example.com/...", `17:14: a package is an import path, not "example.com/..."`, true},
	{"a flag", "package: example.com/m/limiter", "package: -mod=mod", `17:14: a package is an import path, not "-mod=mod"`, true},
	{"a version", "package: example.com/m/limiter", "package: example.com/m@latest", `17:14: a package is an import path, not "example.com/m@latest"`, true},
	{"a directory", "package: example.com/m/limiter", "package: ../limiter", `17:14: a package is an import path, not "../limiter"`, true},
	{"type", "type: Limiter", "type: m.Limiter", `18:11: a model's type is made of letters, digits and _, not "m.Limiter"`, true},
	{"model is a word", "  model:\n", "  model: limiter\n  x-model:\n", `16:10: a model is a mapping, not "limiter"`, true},
	{"status of patterns", "  trial:", "  strategy: frontier\n  trial:", `25:3: status has no field "trial"`, true},
	{"no trial", "  trial:", "  x-trial:", `24:3: status needs the field "strategy"`, true},
	{"trial of patterns", "  model:", "  x-model:", `24:3: the status has a trial, which is of a model, and the spec has no model`, false},
	{"not copied", "copied: false", "copied: no copies", `30:15: copied is true or false, not "no copies"`, true},
	{"no kinds", "    kinds:", "    x-kinds:", `25:5: trial needs the field "kinds"`, true},
}

// typosBase is the file that the typos are made in. It stays as it is when the
// layout of formulas changes.
func typosBase(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/typos.yaml")
	if err != nil {
		t.Fatal(err)
	}
	mustRead(t, string(text))
	return string(text)
}

func TestTypos(t *testing.T) {
	made(t, typosBase(t), typos)
	made(t, written(t, model()), modelTypos)
}

// made makes typos in a text, each of which must be an error where it is.
func made(t *testing.T, text string, typos []typo) {
	for _, tt := range typos {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(text, tt.old) {
				t.Fatalf("the file has no %q", tt.old)
			}
			_, err := Read(strings.NewReader(strings.Replace(text, tt.old, tt.new, 1)), "q.yaml")
			if err == nil {
				t.Fatal("accepted")
			}
			if diff := cmp.Diff("q.yaml:"+tt.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if e := (*history.ParseError)(nil); !errors.As(err, &e) || e.Pos.File != "q.yaml" {
				t.Errorf("%T is no position", err)
			}
		})
	}
}

func TestNotATheory(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "1:1: not a theory file: it is empty"},
		{"comment", "# nothing\n", "1:1: not a theory file: it is empty"},
		{"log", "[1] call add(1)\n", `1:1: not YAML: did not find expected <document start>`},
		{"words", "some words\n", `1:1: not a theory file: it must start with "apiVersion: adtinfer/v1alpha1" and "kind: Theory"`},
		{"other YAML", "name: ci\non: push\n", `1:1: not a theory file: it must start with "apiVersion: adtinfer/v1alpha1" and "kind: Theory"`},
		{"list", "- apiVersion: adtinfer/v1alpha1\n", `1:1: not a theory file: it must start with "apiVersion: adtinfer/v1alpha1" and "kind: Theory"`},
		{"broken", "apiVersion: adtinfer/v1alpha1\nkind: [Theory\nspec: {}\n", `2:1: not YAML: did not find expected ',' or ']'`},
		{"tab", "apiVersion: adtinfer/v1alpha1\nkind: Theory\nspec:\n\twidth: 1\n", `4:1: not YAML: found character that cannot start any token`},
		{"two documents", "apiVersion: adtinfer/v1alpha1\nkind: Theory\n---\nkind: Theory\n", `3:1: a theory file has one YAML document; a second one starts here`},
		{"kind is a list", "apiVersion: adtinfer/v1alpha1\nkind: [Theory]\n", `2:7: not a theory file: its kind is a list, not "Theory"`},
		{"binary", "\x00\x01\x02", `1:1: not YAML: control characters are not allowed`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.text), "q.yaml")
			if err == nil {
				t.Fatal("accepted")
			}
			if got := err.Error(); got != "q.yaml:"+tt.want {
				t.Errorf("\ngot  %s\nwant q.yaml:%s", got, tt.want)
			}
		})
	}
}

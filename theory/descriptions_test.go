package theory

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// storeTypos are hand-edits of the theory of a store, which is a product of automata.
var storeTypos = []typo{
	{"unknown field of a product", "    part:\n      methods", "    parts:\n      methods", `26:5: a product has no field "parts"; did you mean "part"?`, true},
	{"no part", "    part:\n      methods", "    x-part:\n      methods", `21:5: a product needs the field "part"`, true},
	{"no keys", "    keys:", "    x-keys:", `21:5: a product needs the field "keys"`, true},
	{"key of an unknown method", "{method: put, key", "{method: pot, key", `23:18: unknown method "pot"; did you mean "put"?`, false},
	{"method without a key", "      - {method: put, key: 1}\n", "", `22:7: method "put" has no key here; which argument is it? Without one, it is in all parts: write all, or sum`, false},
	{"two keys", "{method: put, key", "{method: get, key", `23:18: method "get" has two keys`, false},
	{"key out of range", "put, key: 1", "put, key: 3", `23:28: put takes 2 arguments; number 3, its key, is not there`, false},
	{"key 0", "put, key: 1", "put, key: 0", `23:28: a key is at least 1, not 0`, true},
	{"key is a word", "clear, key: all", "clear, key: al", `24:30: a key is the number of an argument, from 1, or all, or sum, not "al"; did you mean "all"?`, true},
	{"key is a list", "clear, key: all", "clear, key: [1]", `24:30: a key is the number of an argument, from 1, or all, or sum, not a list`, true},
	{"sum of nothing", "clear, key: all", "clear, key: sum", `24:30: the answers of clear cannot be summed up: it does not always answer one value`, false},
	{"no keyed method", "{method: get, key: 1}\n      - {method: put, key: 1}", "{method: get, key: all}\n      - {method: put, key: all}", `22:7: no method has a key, so that all is one part`, false},
	{"a part takes the key", "        - name: put\n          args: 1", "        - name: put\n          args: 2", `42:23: put takes 2 arguments, not 1`, false},
	{"nothing of a part", "      automaton: |", "      x-automaton: |", `27:7: this says nothing of a part; it needs an automaton, patterns, axioms or a product`, false},
	{"outcome of a part", "        - name: clear\n          args: 0\n          outcomes: [{outcome: none}", "        - name: clear\n          args: 0\n          outcomes: [{outcome: panic}, {outcome: none}", `34:11: clear answers panic with no value in a part, and not so in the whole`, false},
	{"model of a part", "      automaton: |", "      model: {package: a, source: x, go: y}\n      automaton: |", `40:35: a source is "sha256:" and 64 hexadecimal digits, not "x"`, true},
	{"method in an automaton", "put(x)       (holds x)\n                      clear", "pot(x)       (holds x)\n                      clear", `42:23: unknown method "pot"; did you mean "put"?`, false},
	{"not total", "                      len    => 0  (absent)\n", "", `41:23: location absent has no transition for len`, false},
	{"automaton is a list", "automaton: |\n        -> (absent)", "automaton: []\n      x-a: |\n        -> (absent)", `40:18: an automaton is a string, not a list`, true},
	{"states", "states: 3", "states: 0", `63:17: states is at least 1, not 0`, true},
	{"status of no part", "    part:\n      automaton:\n        states", "    part:\n      product:\n        states", `63:9: the status of a product has no field "states"`, true},
	{"automaton in the status", "  tried:\n", "  automaton: {words: 1, calls: 1, longest: 1}\n  tried:\n", `57:3: the status has an automaton, and the spec has none`, false},
	{"product in the status", "  product:\n    keys:", "  x-product:\n    keys:", `57:3: the status of a model needs the field "trial"`, false},
}

// limitedTypos are hand-edits of the theory of a queue with a control automaton.
var limitedTypos = []typo{
	{"not complete", "    complete: false\n", "", `151:5: control needs the field "complete"`, true},
	{"hidden", "[add=full]", "[add=fill]", `157:14: what is hidden: method add has no outcome "fill"; did you mean "full"?`, false},
	{"hidden twice", "[add=full]", "[add=full, add=full]", `157:24: add=full is listed twice`, true},
	{"all hidden", "[add=full]", "[add=full, add=none, remove=value, remove=nil]", `157:13: all operations are hidden, so that the patterns say nothing; without them, the field is "automaton"`, false},
	{"threshold", "n < 100", "n < 9223372036854775808", `153:7: the location, add: 9223372036854775808 does not fit in 64 bits`, false},
	{"no otherwise", "otherwise  => full", "if n >= 99 => full", `154:15: the location has two transitions for add(x) if n < 100 and n >= 99`, false},
	{"counter", "#remove=value", "#remvoe=value", `152:19: unknown method "remvoe"; did you mean "remove"?`, false},
	{"unknown counter", "if n < 100", "if m < 100", `153:18: unknown name "m"`, false},
	{"no patterns", "\n  patterns:", "\n  x-patterns:", `151:5: a control stands beside patterns, and there are none; without patterns, the field is "automaton"`, false},
	{"any of all answers", "  control:\n    automaton: |\n", "  automaton: |\n      add(x)\n      remove => any\n  control:\n    automaton: |\n", `150:14: remove answers any value here; an automaton that does so stands under control, beside patterns that say which`, false},
	{"control in the status", "  control:\n    automaton", "  x-control:\n    automaton", `160:3: the status has a control, and the spec has none`, false},
}

func TestDescriptionTypos(t *testing.T) {
	made(t, written(t, store(t)), storeTypos)
	made(t, written(t, limited(t)), limitedTypos)
}

// labels reads a sequence.
func labels(t *testing.T, line string) (all []history.Label) {
	t.Helper()
	for _, part := range strings.Split(line, "; ") {
		l := history.Label{Kind: history.Kind{Outcome: history.None}}
		call, answer, _ := strings.Cut(part, " => ")
		if name, args, ok := strings.Cut(strings.TrimSuffix(call, ")"), "("); ok {
			call = name
			for _, a := range strings.Split(args, ",") {
				l.Args = append(l.Args, history.Value(a))
			}
		}
		switch l.Method = call; answer {
		case "":
		case "-":
			l.Outcome = history.Nil
		case "full", "true", "false":
			l.Outcome = history.Outcome(answer)
		default:
			l.Outcome, l.Rets = history.Some, []history.Value{history.Value(answer)}
		}
		all = append(all, l)
	}
	return all
}

// What descriptions say together: one that covers a sequence decides it.
func TestSequencesOfDescriptions(t *testing.T) {
	both := queue(t) // patterns, and what covers values that come again
	both.Spec.Automaton = automaton(t, both.Spec.Methods, `
-> (empty)  add(x)       (one x)
            remove => -  (empty)
   (one r)  add(x)       (two r, x)
            remove => r  (empty)
   (two r, s)  add(x)       (two r, x)
               remove => r  (one s)
`)
	tests := []struct {
		theory           *Theory
		line             string
		admitted, inside bool
	}{
		{store(t), "put(1,5); put(2,6); get(1) => 5; get(2) => 6; len => 2", true, true},
		{store(t), "put(1,5); get(2) => 5", false, true},
		{store(t), "put(1,5); clear; get(1) => -; len => 0; put(1,1); len => 1", true, true},
		{store(t), "put(1,5); clear; get(1) => 5", false, true},
		{store(t), "len => 1", false, true},
		{store(t), "len => 0", true, true},
		{store(t), "clear; len => 0", true, true},
		{store(t), "put(1,5); len => 1; put(1,6); len => 2", false, true},
		{limited(t), "add(1); add(2); remove => 1; remove => 2; remove => -", true, true},
		{limited(t), "add(1); add(2) => full", false, true},
		{limited(t), "add(1); add(2); remove => 2", false, true},
		{limited(t), "add(1); add(1)", false, false},
		{limited(t), strings.Repeat("add(1); remove => 1; ", 3) + "remove => -", false, false},
		{both, "add(1); remove => 1", true, true},
		{both, "add(1); remove => 2", false, true},
		{both, "add(1); add(1); remove => 1; remove => 1", true, true},
		{both, "add(1); add(1); remove => 2", false, true},
	}
	full := ""
	for i := range 100 {
		full += "add(" + string(rune('a'+i%26)) + strings.Repeat("z", i/26) + "); "
	}
	tests = append(tests, tests[0], tests[0])
	tests[len(tests)-2].theory, tests[len(tests)-2].line = limited(t), full+"add(1) => full"
	tests[len(tests)-1].theory, tests[len(tests)-1].line, tests[len(tests)-1].admitted = limited(t), full+"add(1)", false
	for _, tt := range tests {
		admitted, inside, err := tt.theory.Sequences().Admits(t.Context(), labels(t, tt.line))
		if err != nil || admitted != tt.admitted || inside != tt.inside {
			t.Errorf("%s: %s: admitted %v, inside %v, %v", tt.theory.Name, tt.line, admitted, inside, err)
		}
	}
}

// TestSequencesOfProduct compares what a product says with maps.
func TestSequencesOfProduct(t *testing.T) {
	s, right := store(t).Sequences(), 0
	for seed := range testsize.Samples(2000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		pick := func() history.Value { return history.Value(strconv.Itoa(rng.IntN(3))) }
		var calls []history.Label
		held, want := map[history.Value]history.Value{}, true
		for range rng.IntN(12) {
			l := history.Label{Kind: history.Kind{Outcome: history.None}}
			switch l.Method = []string{"get", "get", "put", "put", "clear", "len"}[rng.IntN(6)]; l.Method {
			case "put":
				l.Args = []history.Value{pick(), pick()}
				held[l.Args[0]] = l.Args[1]
			case "clear":
				clear(held)
			case "len":
				l.Outcome, l.Rets = history.Some, []history.Value{history.Value(strconv.Itoa(len(held)))}
			default:
				l.Args, l.Outcome = []history.Value{pick()}, history.Nil
				if v, ok := held[l.Args[0]]; ok {
					l.Outcome, l.Rets = history.Some, []history.Value{v}
				}
			}
			if len(l.Rets) > 0 && rng.IntN(10) == 0 {
				was := l.Rets[0]
				l.Rets = []history.Value{pick()}
				want = want && l.Rets[0] == was
			}
			calls = append(calls, l)
		}
		if want {
			right++
		}
		if got, inside, err := s.Admits(t.Context(), calls); got != want || !inside || err != nil {
			t.Fatalf("seed %d: %v: %v, %v, %v, want %v", seed, calls, got, inside, err, want)
		}
	}
	if n := int(testsize.Samples(2000)); right == n || right < n/3 {
		t.Errorf("%d of %d are right", right, n)
	}
}

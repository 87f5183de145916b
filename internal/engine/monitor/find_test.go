package monitor_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func recognizeFor(tb testing.TB, t *theory.Theory) (*monitor.Procedure, error) {
	return checktest.Procedure(tb.Context(), t)
}

func readText(tb testing.TB, name string) string {
	tb.Helper()
	return historytest.Source(tb, "examples/"+name+"/"+name+".theory.yaml")
}

func parse(tb testing.TB, text string) *theory.Theory {
	tb.Helper()
	t, err := theory.Read(strings.NewReader(text), "test.theory.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func recognized(tb testing.TB, name string) *theory.Theory { return historytest.Example(tb, name) }

// renamed is a theory with other names for its methods, in the same order.
func renamed(tb testing.TB, name string) *theory.Theory {
	text := readText(tb, name)
	for _, m := range []string{"add", "remove", "write", "read", "insert", "contains", "lock", "unlock", "give", "take", "steal", "pushFront", "pushBack", "popFront", "popBack"} {
		text = regexp.MustCompile(`\b`+m+`\b`).ReplaceAllString(text, "op"+strings.ToUpper(m[:1])+m[1:])
	}
	return parse(tb, text)
}

var chosen = map[string]string{"queue": "queue", "stack": "stack", "register": "register", "set": "set", "lock": "lock", "worksteal": "queue", "deque": "container"}

func TestSelect(t *testing.T) {
	for name, want := range chosen {
		for _, copy := range []struct {
			name string
			of   *theory.Theory
		}{{"as it is", recognized(t, name)}, {"renamed", renamed(t, name)}} {
			t.Run(name+"/"+copy.name, func(t *testing.T) {
				m, err := recognizeFor(t, copy.of)
				var not *monitor.NotRecognized
				switch {
				case want == "" && errors.As(err, &not):
					t.Log(err)
				case want == "" || err != nil:
					t.Fatalf("%v, want %q", err, want)
				case m.Shape() != want:
					t.Errorf("%s, want %s", m.Shape(), want)
				default:
					t.Log(m.Why())
				}
			})
		}
	}
}

// A theory with one pattern removed is not taken for its neighbour. If the
// pattern is about two values it may be a container of another table.
func TestSelectWithoutOnePattern(t *testing.T) {
	testsize.NeedsLong(t)
	for name := range chosen {
		for i := range recognized(t, name).Spec.Patterns {
			th := recognized(t, name)
			ps := th.Spec.Patterns
			gone := ps[i].Name
			th.Spec.Patterns = append(ps[:i:i], ps[i+1:]...)
			var not *monitor.NotRecognized
			m, err := recognizeFor(t, th)
			if err == nil && m.Shape() == "container" {
				t.Logf("%s without %s: %s", name, gone, m.Why())
			} else if !errors.As(err, &not) {
				t.Errorf("%s without %s: %v", name, gone, err)
			}
		}
	}
}

// Nor is one with a pattern in which two operations changed places, or one is
// of another match.
func TestSelectWithOnePatternChanged(t *testing.T) {
	testsize.NeedsLong(t)
	changed := 0
	for name, shape := range chosen {
		if shape == "" {
			continue
		}
		for i := range recognized(t, name).Spec.Patterns {
			th := recognized(t, name)
			h := &th.Spec.Patterns[i].History
			if len(h.Ops) < 2 {
				continue
			}
			a, b := &h.Ops[0], &h.Ops[1]
			a.Start, a.End, b.Start, b.End = b.Start, b.End, a.Start, a.End
			if h.Equal(&recognized(t, name).Spec.Patterns[i].History) {
				continue
			}
			changed++
			var not *monitor.NotRecognized
			if _, err := recognizeFor(t, th); !errors.As(err, &not) {
				t.Errorf("%s with %s changed: %v", name, th.Spec.Patterns[i].Name, err)
			}
		}
	}
	if changed < 20 {
		t.Errorf("only %d patterns were changed", changed)
	}
}

// A theory with the patterns of a type that means something else by them is
// found out by the self-check or before it.
func TestSelectSamePatternsOtherMeaning(t *testing.T) {
	for _, tt := range []struct {
		name, of, from, to, want string
	}{
		{"a smaller language", "queue", "arg(x) = arg(y) -> x = y", "arg(x) = arg(y) -> x = y\n" +
			"    - name: few\n      reading: one remove\n      formula: forall x:Op, y:Op. method(x) = remove & method(y) = remove -> x = y", "differ on"},
		{"a language of triples", "queue", "arg(x) = arg(y) -> x = y", "arg(x) = arg(y) -> x = y\n" +
			"    - name: few\n      reading: two removes\n      formula: forall x:Op, y:Op, z:Op. method(x) = remove & method(y) = remove & method(z) = remove -> x = y | y = z | x = z", "rule few is not about any 2 operations"},
		{"a value is special", "queue", "method(x) = add & method(y) = add", `method(x) = add & arg(x) = "7" & method(y) = add`, "names a data value"},
		{"matching by nothing", "queue", "- method(y) = add & arg(y) = ret(x)\n", "- method(y) = add & method(x) = remove & outcome(x) = value\n", "differ on"},
		{"matching the other way", "set", "- method(y) = insert & outcome(y) = nil & arg(y) = arg(x)\n", "- method(y) = insert & outcome(y) = nil & arg(y) = arg(x) & method(x) != contains\n", "cannot be told"},
		{"an axiom", "set", "method(x) = insert & outcome(x) = value -> arg(x) = ret(x)", "outcome(x) = nil", "differ on"},
		{"read-only otherwise", "set", "method(x) = contains | method(x) = insert & outcome(x) = value\n", "method(x) = insert & outcome(x) = value\n", "differ on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := readText(t, tt.of)
			if !strings.Contains(text, tt.from) {
				t.Fatalf("nothing to change")
			}
			_, err := recognizeFor(t, parse(t, strings.Replace(text, tt.from, tt.to, 1)))
			var not *monitor.NotRecognized
			if !errors.As(err, &not) || !strings.Contains(not.Reason, tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// A bag has the patterns of a set, but a pending remove may take any value.
func TestSelectBag(t *testing.T) {
	th := recognized(t, "queue")
	th.Spec.Methods[1].Outcomes = th.Spec.Methods[1].Outcomes[:1]
	th.Spec.Patterns = slices.DeleteFunc(th.Spec.Patterns, func(p theory.Pattern) bool {
		return p.Name != "remove-unmatched" && p.Name != "remove-before-add" && p.Name != "remove-twice"
	})
	if m, err := recognizeFor(t, th); err != nil || m.Shape() != "bag" {
		t.Error(m, err)
	}
}

// A queue need not tell that it is empty.
func TestSelectQueueWithoutEmpty(t *testing.T) {
	th := recognized(t, "queue")
	th.Spec.Methods[1].Outcomes = th.Spec.Methods[1].Outcomes[:1]
	th.Spec.Patterns = slices.DeleteFunc(th.Spec.Patterns, func(p theory.Pattern) bool { return strings.Contains(p.Name, "nil") })
	m, err := recognizeFor(t, th)
	if err != nil || m.Shape() != "queue" {
		t.Error(m, err)
	}
}

// Every theory of the project is recognized or not, without fuss.
func TestSelectAll(t *testing.T) {
	files, err := filepath.Glob("../../../theories/*.yaml")
	more, _ := filepath.Glob("../../../examples/*/*.theory.yaml")
	if files = append(files, more...); err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := recognizeFor(t, parse(t, string(text)))
		var not *monitor.NotRecognized
		switch {
		case err == nil:
			t.Log(file, m.Shape())
		case errors.As(err, &not):
			t.Log(file, not.Reason)
		default:
			t.Error(file, err)
		}
	}
}

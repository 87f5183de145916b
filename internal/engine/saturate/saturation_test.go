package saturate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/theory"
)

// play gives events to a saturation, "+name method [value]" and "-name [value]",
// and returns the first error.
func play(m *saturate.Saturation, events string) error {
	running := map[string]saturate.Op{}
	adds := map[string]bool{}
	for _, line := range strings.Split(events, ";") {
		f := strings.Fields(line)
		name := f[0][1:]
		if f[0][0] == '+' {
			var args []history.Value
			for _, v := range f[2:] {
				args = append(args, history.Value(v))
			}
			op, err := m.Call(f[1], args)
			if err != nil {
				return err
			}
			running[name], adds[name] = op, f[1] == "add"
			continue
		}
		outcome, rets := history.Nil, []history.Value(nil)
		if adds[name] {
			outcome = history.None
		} else if len(f) > 1 {
			outcome, rets = history.Some, []history.Value{history.Value(f[1])}
		}
		if _, err := m.Return(running[name], outcome, rets); err != nil {
			return err
		}
	}
	return nil
}

func TestSaturation(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events string
		want   int // events until the violation; 0: none
	}{
		{"in order", "+a add 1; -a; +b add 2; -b; +c remove; -c 1; +d remove; -d 2; +e remove; -e", 0},
		{"out of order", "+a add 1; -a; +b add 2; -b; +c remove; -c 2", 6},
		{"a running remove may have taken it", "+a add 1; -a; +b add 2; -b; +r remove; +c remove; -c 2", 0},
		{"but not when it returns something else", "+a add 1; -a; +b add 2; -b; +r remove; +c remove; -c 2; -r", 8},
		{"a running add was seen", "+a add 1; +c remove; -c 1; -a", 0},
		{"removed twice", "+a add 1; -a; +c remove; -c 1; +d remove; -d 1", 6},
		{"never added", "+c remove; -c 1", 2},
		{"two for one running remove", "+a add 1; -a; +r remove; +b remove; -b; +c remove; -c 1", 7},
		{"events after a violation", "+c remove; -c 1; +a add 1; -a", 2},
	} {
		for _, o := range []saturate.Options{{}, {Removal: true}, {Removal: true, Probe: true}} {
			t.Run(fmt.Sprintf("%s/%+v", tt.name, o), func(t *testing.T) {
				m := start(t, container(t, false), o)
				if err := play(m, tt.events); err != nil {
					t.Fatal(err)
				}
				got := 0
				if v := m.Violation(); v != nil {
					got = v.Prefix
				}
				if got != tt.want {
					t.Errorf("a violation after %d events, want %d", got, tt.want)
				}
			})
		}
	}
}

func TestForgottenValues(t *testing.T) {
	m := start(t, container(t, false), saturate.Options{Removal: true})
	if err := play(m, "+a add 1; -a; +b remove; -b 1; +c remove; -c 1"); err != nil || m.Violation() == nil {
		t.Errorf("removed again: error %v, violation %v", err, m.Violation())
	}
}

// TestLive sees to it that what a monitor holds does not grow with the log.
func TestLive(t *testing.T) {
	for _, lifo := range []bool{false, true} {
		r, err := clauses.Compile(container(t, lifo))
		if err != nil {
			t.Fatal(err)
		}
		all := feed(t, saturate.New(r, saturate.Options{}), generate(lifo, 2_000, 8, 3))
		some := feed(t, saturate.New(r, saturate.Options{Removal: true}), generate(lifo, 40_000, 8, 3))
		t.Logf("lifo %v: %d of 2,000 events without removal, %d of 40,000 with", lifo, all, some)
		if some > all || all < 900 {
			t.Errorf("lifo %v: %d and %d", lifo, all, some)
		}
	}
}

func TestUnsupported(t *testing.T) {
	parse := func(t *testing.T, th *theory.Theory, src string, free ...string) formula.Formula {
		f, err := formula.Parse(src, th.Vocabulary(), free...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	drawing := func(t *testing.T, src string) theory.Pattern {
		h, _, err := history.ParseDrawing(src)
		if err != nil {
			t.Fatal(err)
		}
		return theory.Pattern{Name: "odd", History: *h}
	}
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, th *theory.Theory)
		want   string
	}{
		{"past matching", func(t *testing.T, th *theory.Theory) { th.Spec.Matching.Past = true }, "the matching: its mode is past"},
		{"three matches", func(t *testing.T, th *theory.Theory) {
			th.Spec.Patterns = append(th.Spec.Patterns, drawing(t, "[1:1] add(v1); [2:2] add(v2); [3:3] add(v3)"))
		}, "pattern odd: it speaks of more than two matches"},
		{"overlap", func(t *testing.T, th *theory.Theory) {
			p := drawing(t, "[1:1] add(v1); [2:2] add(v2)")
			p.History.Ops[0].End = p.History.Ops[1].End
			th.Spec.Patterns = append(th.Spec.Patterns, p)
		}, "pattern odd: it is not a sequence"},
		{"another formula", func(t *testing.T, th *theory.Theory) {
			th.Spec.Patterns[0].Formula = parse(t, th, "exists x:Op. outcome(x) = nil")
		}, "its formula is not the one of its drawing"},
		{"an axiom about two", func(t *testing.T, th *theory.Theory) {
			th.Spec.Axioms = []theory.Rule{{Name: "odd", Formula: parse(t, th, "forall x:Op, y:Op. before(x, y) -> x != y")}}
		}, "the axioms: they do not exclude two operations remove => value in one match"},
		{"an axiom about the order", func(t *testing.T, th *theory.Theory) {
			th.Spec.Axioms = []theory.Rule{{Name: "odd", Formula: parse(t, th, "forall x:Op. exists y:Op. before(x, y)")}}
		}, "axiom odd: it says more than labels do, nor about the order of operations of one or two matches"},
		{"no language", func(t *testing.T, th *theory.Theory) { th.Spec.Language = nil }, "the language: it does not keep the match targets add apart"},
		{"not closed under prefixes", func(t *testing.T, th *theory.Theory) {
			th.Spec.Patterns = append(th.Spec.Patterns[:3:3], th.Spec.Patterns[4:]...)
		}, "what shows it is admitted again"},
		{"unmatched allowed", func(t *testing.T, th *theory.Theory) { th.Spec.Patterns = th.Spec.Patterns[1:] }, "remove => value may have no match target"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th := container(t, false)
			tt.change(t, th)
			_, err := clauses.Compile(th)
			var unsupported *clauses.Unsupported
			if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Compile: %v, want %s", err, tt.want)
			}
		})
	}
}

func TestLabels(t *testing.T) {
	m := start(t, container(t, false), saturate.Options{})
	for _, tt := range []struct{ events, want string }{
		{"+a remvoe", `did you mean "remove"?`},
		{"+a add", "add takes 1 arguments, not 0"},
		{"+a add 1; -a; -a", "not running"},
	} {
		var label *clauses.LabelError
		if err := play(m, tt.events); !errors.As(err, &label) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.events, err, tt.want)
		}
	}
}

func ExampleSaturation() {
	t := container(exampleTB{}, false)
	m := start(exampleTB{}, t, saturate.Options{Removal: true})
	for _, v := range []history.Value{"1", "2"} {
		op, _ := m.Call("add", []history.Value{v})
		m.Return(op, history.None, nil)
	}
	op, _ := m.Call("remove", nil)
	v, _ := m.Return(op, history.Some, []history.Value{"2"})
	fmt.Println(v.Prefix, v.Patterns)
	// Output: 6 [[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2]
}

// exampleTB is what an example has instead of a test.
type exampleTB struct{ testing.TB }

func (exampleTB) Helper()           {}
func (exampleTB) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

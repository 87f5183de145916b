package counters_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// controlled says what is hidden from patterns.
var controlled = map[string]string{
	"queuelen":      "[len => value]",
	"stackempty":    "[isEmpty => false isEmpty => true]",
	"closablequeue": "[send => errQueueClosed close => panic close receive => nil]",
	"pipe 128":      "[]",
	"bounded 8":     "[offer => false]",
	"bounded 100":   "[offer => false]",
	"bounded 128":   "[offer => false]",
	"ring 16":       "[write => errRingFull]",
	"ring 128":      "[offer => false]",
	"ring8":         "[enqueue => false]",
}

func TestControl(t *testing.T) {
	testsize.NeedsLong(t)
	for i, typ := range types {
		if skipped(i) {
			continue
		}
		_, found := find(t, i)
		c, err := found.Control(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if c.Control != nil {
			got = fmt.Sprint(c.Control.Hidden)
		}
		if want := controlled[typ.name]; got != want || (got == "") != (c.Why != "") && !found.Whole {
			t.Errorf("%s: hidden is %s, because %q; want %s", typ.name, got, c.Why, want)
		}
	}
}

// together is what control and patterns say.
type together struct {
	*theory.Control
	patterns *theory.Sequences
	ask      *teacher.Teacher
}

// wrong reports about what sequences control and patterns are wrong together: one that
// the reference has, or one that it does not have. It tries short random sequences of new
// values, and those with something changed.
func (x *together) wrong(t *testing.T) (refused, missed []history.Label) {
	methods := x.ask.Methods()
	for seed := range testsize.Samples(2_500) {
		g := teacher.NewGenerator(methods, seed)
		w, values := g.Random(1+g.IntN(10)), 0
		calls := make([]teacher.Call, len(w))
		for i, c := range w {
			calls[i].Method = c.Method
			for p := range c.Args {
				values++
				calls[i].Args = append(calls[i].Args, x.ask.Value(c.Method, p, values))
			}
		}
		right := x.answers(t, calls).Labels
		for _, ls := range [][]history.Label{right, changed(g.Rand, methods, right), changed(g.Rand, methods, right)} {
			has := slices.EqualFunc(x.answers(t, x.calls(ls)).Labels, ls, func(a, b history.Label) bool {
				return a.Kind == b.Kind && slices.Equal(a.Rets, b.Rets)
			})
			switch admits, covers := x.admits(t, ls); {
			case covers && has && !admits:
				refused = ls
			case covers && !has && admits:
				missed = ls
			}
		}
	}
	return refused, missed
}

func (x *together) answers(t *testing.T, calls []teacher.Call) teacher.Answers {
	a, err := x.ask.Ask(t.Context(), [][]teacher.Call{calls})
	if err != nil {
		t.Fatal(err)
	}
	return a[0]
}

func (x *together) calls(ls []history.Label) (calls []teacher.Call) {
	for _, l := range ls {
		calls = append(calls, teacher.Call{Method: slices.IndexFunc(x.ask.Methods(), func(m reference.Method) bool { return m.Name == l.Method }), Args: l.Args})
	}
	return calls
}

func (x *together) admits(t *testing.T, ls []history.Label) (admits, covers bool) {
	s, ok := x.Automaton.Start(), true
	var visible []history.Label
	for i := range ls {
		if ok {
			s, ok = x.Automaton.Step(s, &ls[i])
		}
		if !slices.Contains(x.Hidden, ls[i].Kind) {
			visible = append(visible, ls[i])
		}
	}
	admits, covers, err := x.patterns.Admits(t.Context(), visible)
	if err != nil {
		t.Fatal(err)
	}
	return admits && ok, covers
}

// changed is a sequence with something changed.
func changed(r *rand.Rand, methods []reference.Method, ls []history.Label) []history.Label {
	if len(ls) == 0 {
		return nil
	}
	ls = slices.Clone(ls)
	i, j := r.IntN(len(ls)), r.IntN(len(ls))
	switch r.IntN(4) {
	case 0:
		return slices.Delete(ls, i, i+1)
	case 1:
		ls[i], ls[j] = ls[j], ls[i]
	case 2: // two answer what the other did
		for ls[j].Method != ls[i].Method {
			j = (j + 1) % len(ls)
		}
		ls[i].Kind, ls[j].Kind = ls[j].Kind, ls[i].Kind
		ls[i].Rets, ls[j].Rets = ls[j].Rets, ls[i].Rets
	default:
		m := methods[slices.IndexFunc(methods, func(m reference.Method) bool { return m.Name == ls[i].Method })]
		o := m.Outcomes[r.IntN(len(m.Outcomes))]
		ls[i].Outcome, ls[i].Rets = o.Outcome, nil
		for range o.Rets {
			ls[i].Rets = append(ls[i].Rets, append(slices.Clone(ls[j].Args), "77")[0])
		}
	}
	return ls
}

// TestTogether infers patterns of what control leaves, which are those of a queue or
// a stack, and looks for what both miss. Without those of the order they miss something.
func TestTogether(t *testing.T) {
	testsize.NeedsLong(t)
	for i, typ := range types {
		if !slices.Contains([]string{"queuelen", "stackempty", "pipe 128", "bounded 8", "ring 16"}, typ.name) || skipped(i) {
			continue
		}
		impl, found := find(t, i)
		c, err := found.Control(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		th, err := patterns.Infer(t.Context(), c.Rest, reference.Info{}, patterns.Options{})
		if err != nil {
			t.Errorf("%s: %v", typ.name, err)
			continue
		}
		all := th.Spec.Patterns
		if n := len(all); n != 7 && typ.name != "pipe 128" {
			t.Errorf("%s: %d patterns", typ.name, n)
		}
		x := &together{c.Control, th.Sequences(), teacher.New(impl)}
		if refused, missed := x.wrong(t); refused != nil || missed != nil {
			t.Errorf("%s: %v is refused, and %v admitted", typ.name, refused, missed)
		}
		th.Spec.Patterns = slices.DeleteFunc(slices.Clone(all), func(p theory.Pattern) bool { return len(p.History.Ops) >= 3 })
		x.patterns = th.Sequences()
		if refused, missed := x.wrong(t); refused != nil || missed == nil {
			t.Errorf("%s: without the patterns of the order %v is refused, and nothing is admitted", typ.name, refused)
		}
	}
}

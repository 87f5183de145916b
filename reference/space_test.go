package reference_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// called is a call as a log has it, without an answer: "add 1".
func called(text string) *history.Label {
	words := strings.Fields(text)
	l := &history.Label{Kind: history.Kind{Method: words[0]}}
	for _, w := range words[1:] {
		l.Args = append(l.Args, history.Value(w))
	}
	return l
}

func openSpace(t testing.TB, impl reference.Implementation) states.Space {
	t.Helper()
	s, err := impl.(states.Keeper).States(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// walk makes calls one after the other and draws the answers.
func walk(t testing.TB, s states.Space, calls ...string) (words []string, state int32) {
	t.Helper()
	state = s.Start()
	for _, c := range calls {
		n, err := s.Call(called(c))
		if err != nil {
			t.Fatal(err)
		}
		var a int32
		if state, a, err = s.Step(context.Background(), state, n, nil); err != nil {
			t.Fatal(err)
		}
		words = append(words, drawState(s.Answer(a)))
	}
	return words, state
}

func drawState(a states.Answer) string {
	if a.Blocked {
		return "blocked"
	}
	return strings.TrimSpace(string(a.Outcome) + " " + strings.Trim(fmt.Sprint(a.Rets), "[]"))
}

func TestSpaceQueue(t *testing.T) {
	s := openSpace(t, must(t)(reference.Of(newQueue)))
	if k := s.Kept(); !k.Copied || !k.Interned || k.Why != nil {
		t.Errorf("%+v", k)
	}
	words, end := walk(t, s, "remove", "add 7", "add 8", "len", "remove", "add 9", "remove")
	if got := strings.Join(words, "; "); got != "nil; none; none; value 2; value 7; none; value 8" {
		t.Error(got)
	}
	_, same := walk(t, s, "add 9")
	if end != same {
		t.Error("a queue of 9 is two states", end, same)
	}
	text, err := s.Text(context.Background(), end)
	if err != nil || text != "queue{vs:[9]}" {
		t.Error(text, err)
	}
}

// casRegister is an int with compare and swap.
type casRegister struct{ v int }

func (r *casRegister) Load() int   { return r.v }
func (r *casRegister) Store(v int) { r.v = v }
func (r *casRegister) CompareAndSwap(old, v int) bool {
	if r.v != old {
		return false
	}
	r.v = v
	return true
}

// TestSpaceInChild walks where the same calls are made by Replay.
func TestSpaceInChild(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "./queue", reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := openSpace(t, p.Implementation)
	if k := s.Kept(); !k.Copied || !k.Interned {
		t.Errorf("%+v", k)
	}
	var ahead []states.Ahead
	for _, c := range []string{"add 5", "add 6", "remove"} {
		n, err := s.Call(called(c))
		if err != nil {
			t.Fatal(err)
		}
		ahead = append(ahead, states.Ahead{Call: n})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		state, model := s.Start(), []string(nil)
		for range 20 {
			c := rng.IntN(3)
			next, a, err := s.Step(context.Background(), state, ahead[c].Call, func() []states.Ahead { return ahead })
			if err != nil {
				t.Fatal(err)
			}
			want := "none"
			switch {
			case c < 2:
				model = append(model, fmt.Sprint(5+c))
			case len(model) == 0:
				want = "nil"
			default:
				want, model = "value "+model[0], model[1:]
			}
			if got := drawState(s.Answer(a)); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
			state = next
		}
	}
}

// TestSpaceOfAcceptor claims at random and compares with Accepts.
func TestSpaceOfAcceptor(t *testing.T) {
	impl := must(t)(reference.New(bagSpec()))
	s := openSpace(t, impl)
	if k := s.Kept(); !k.Copied || !k.Interned {
		t.Errorf("%+v", k)
	}
	ctx, rng := context.Background(), rand.New(rand.NewPCG(2, 2))
	all := []history.Label{add("5"), add("6"), take("5"), take("6"), take("7"), label("take", history.Nil, nil, nil),
		take("none"), label("take", history.True, nil, nil)}
	for range testsize.Samples(1000) {
		var seq []history.Label
		state, n := s.Start(), 0
		for range 8 {
			l := all[rng.IntN(len(all))]
			c, err := s.Call(&l)
			if err != nil {
				t.Fatal(err)
			}
			next, a, err := s.Step(ctx, state, c, nil)
			if err != nil {
				t.Fatal(err)
			}
			if answer := s.Answer(a); answer.Blocked {
				if next != state {
					t.Fatal("a refused claim leads somewhere")
				}
				if l.Outcome == history.True || len(l.Rets) > 0 && l.Rets[0] == "none" {
					continue // Accepts does not take these
				}
				seq = append(seq, l)
				break
			} else if answer.Outcome != l.Outcome || !slices.Equal(answer.Rets, l.Rets) {
				t.Fatalf("%v is answered with %v", l, answer)
			}
			state, seq, n = next, append(seq, l), n+1
		}
		var given []history.Label
		for _, l := range seq {
			given = append(given, label(l.Method, l.Outcome, goTexts(l.Args), goTexts(l.Rets)))
		}
		got, err := impl.(reference.Acceptor).Accepts(ctx, [][]history.Label{given})
		if err != nil || got[0] != n {
			t.Fatalf("%v: %v operations are accepted, want %d (%v)", seq, got, n, err)
		}
	}
}

func goTexts(vs []history.Value) (texts []history.Value) {
	for _, v := range vs {
		texts = append(texts, "("+v+")")
	}
	return texts
}

// TestSpaceFaults goes on after a process that ended.
func TestSpaceFaults(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "./exits", reference.Options{Skip: []string{"Grow"}})
	if err != nil {
		t.Fatal(err)
	}
	s := openSpace(t, p.Implementation)
	t.Logf("%+v", s.Kept())
	_, one := walk(t, s, "add x")
	_, two := walk(t, s, "add x", "add x")
	done, err := s.Call(called("done"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is known
		_, _, err = s.Step(context.Background(), two, done, nil)
		var f *reference.Fault
		if !errors.As(err, &f) || f.Sequence != `Add("x"); Add("x"); Done()` || f.At != 2 || f.Reason != driver.EndsProcess {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := s.Step(context.Background(), one, done, func() []states.Ahead { return []states.Ahead{{Call: done}} }); err != nil {
		t.Error(err)
	}
	if words, again := walk(t, s, "add x", "add x"); again != two || words[1] != "none" {
		t.Error(words, again, two)
	}
	if _, err := s.Text(context.Background(), two); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestSpaceRefuses names calls that the reference does not have.
func TestSpaceRefuses(t *testing.T) {
	s := openSpace(t, must(t)(reference.Of(newQueue)))
	for call, want := range map[string]string{
		"add":    `reference: reference_test has no method "add" with 0 arguments`,
		"push 1": `reference: reference_test has no method "push" with 1 arguments`,
		"add x":  `reference: the log has "x" where add takes int`,
	} {
		if _, err := s.Call(called(call)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// sly does well unless it is told a certain number.
type sly struct{ v int }

var slyCount int

func (m *sly) Set(v int) { m.v = v }
func (m *sly) Get() int {
	if m.v == 424242 {
		slyCount++
		return slyCount
	}
	return m.v
}

// TestSpaceDistrusts stops where audits find that states were kept wrongly, and
// keeps them by replays from then on.
func TestSpaceDistrusts(t *testing.T) {
	impl := must(t)(reference.Of(func() *sly { return new(sly) }))
	s := openSpace(t, impl)
	if !s.Kept().Copied {
		t.Errorf("%+v", s.Kept())
	}
	state := s.Start()
	var get int32
	for i := range 10000 {
		c, err := s.Call(called(fmt.Sprint("set ", 424242-i%2)))
		if err != nil {
			t.Fatal(err)
		}
		if get, err = s.Call(called("get")); err != nil {
			t.Fatal(err)
		}
		if state, _, err = s.Step(context.Background(), state, c, nil); err == nil {
			state, _, err = s.Step(context.Background(), state, get, nil)
		}
		if i%10 == 0 && err == nil { // something new each time
			c, _ = s.Call(called(fmt.Sprint("set ", i)))
			state, _, err = s.Step(context.Background(), state, c, nil)
		}
		if err != nil {
			var f *reference.Fault
			if errors.As(err, &f) || !strings.Contains(err.Error(), "Set(424242); Get()") {
				t.Error(err)
			}
			break
		}
	}
	if k := openSpace(t, impl).Kept(); k.Copied || k.Interned || len(k.Why) != 1 {
		t.Errorf("%+v", k)
	}
}

func BenchmarkSpaceStep(b *testing.B) {
	impl := must(b)(reference.Of(func() *casRegister { return new(casRegister) }))
	s := openSpace(b, impl)
	ctx := context.Background()
	state := s.Start()
	var calls []int32
	for i := range b.N {
		n, err := s.Call(called(fmt.Sprint("store ", i)))
		if err != nil {
			b.Fatal(err)
		}
		calls = append(calls, n)
	}
	b.ResetTimer()
	for i := range b.N {
		var err error
		if state, _, err = s.Step(ctx, state, calls[i], nil); err != nil {
			b.Fatal(err)
		}
	}
}

package reference_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/states"
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
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "./queue", reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := openSpace(t, p.Implementation)
	if k := s.Kept(); !k.Copied || !k.Interned {
		t.Errorf("%+v", k)
	}
	var ahead []int32
	for _, c := range []string{"add 5", "add 6", "remove"} {
		n, err := s.Call(called(c))
		if err != nil {
			t.Fatal(err)
		}
		ahead = append(ahead, n)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		state, model := s.Start(), []string(nil)
		for range 20 {
			c := rng.IntN(3)
			next, a, err := s.Step(context.Background(), state, ahead[c], ahead)
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

package reference_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// simulate is the obvious twin of Replay for the queue: the numbers themselves
// are the values.
func simulate(q reference.Implementation, calls []reference.Call) (words []string) {
	var vs []int
	for _, c := range calls {
		switch w := q.Methods()[c.Method].Name; {
		case w == "add":
			vs = append(vs, c.Args[0])
			words = append(words, "none")
		case w == "len":
			words = append(words, fmt.Sprintf("value (%d)", len(vs)))
		case len(vs) == 0:
			words = append(words, "nil")
		default:
			words = append(words, fmt.Sprint("value ", vs[0]))
			vs = vs[1:]
		}
	}
	return words
}

func TestReplayIsTheReference(t *testing.T) {
	q := must(t)(reference.Of(newQueue))
	call := rapid.Custom(func(t *rapid.T) reference.Call {
		c := reference.Call{Method: rapid.IntRange(0, 2).Draw(t, "method")}
		if q.Methods()[c.Method].Name == "add" {
			c.Args = []int{rapid.IntRange(1, 200).Draw(t, "value")}
		}
		return c
	})
	testsize.Check(t, 1, func(t *rapid.T) {
		seqs := rapid.SliceOfN(rapid.SliceOfN(call, 0, 12), 0, 30).Draw(t, "sequences")
		got, err := q.Replay(context.Background(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		for i, answers := range got {
			if d := cmp.Diff(simulate(q, seqs[i]), draw(answers)); d != "" {
				t.Fatal(d)
			}
		}
	})
}

func ExampleLoad() {
	p, err := reference.Load(context.Background(), "../examples/queue", reference.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	answers, err := p.Replay(context.Background(), [][]reference.Call{
		{{Method: 0, Args: []int{1}}, {Method: 0, Args: []int{2}}, {Method: 1}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, a := range answers[0] {
		fmt.Println(i+1, a.Outcome, a.Rets)
	}
	// Output:
	// 1 none []
	// 2 none []
	// 3 value [1]
}

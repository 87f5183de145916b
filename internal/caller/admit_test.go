package caller_test

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/caller"
	"github.com/adtinfer/adtinfer/reference"
)

type fifo struct{ values []string }

func (q *fifo) Add(v string) { q.values = append(q.values, v) }

func (q *fifo) Remove() (string, bool) {
	if len(q.values) == 0 {
		return "", false
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, true
}

// TestAdmits: how many operations are allowed, whatever the values are called.
func TestAdmits(t *testing.T) {
	impl, err := reference.New(reference.Spec{Name: "fifo", New: func() *fifo { return &fifo{} }})
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	add := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{v}}
	}
	remove := func(vs ...history.Value) history.Label {
		out := history.Some
		if len(vs) == 0 {
			out = history.Nil
		}
		return history.Label{Kind: history.Kind{Method: "remove", Outcome: out}, Rets: vs}
	}
	for _, tt := range []struct {
		name   string
		labels []history.Label
		want   int
	}{
		{"nothing", nil, 0},
		{"in order", []history.Label{add("7"), add("3"), remove("7"), remove("3"), remove()}, 5},
		{"in order, by name", []history.Label{add("b"), add("a"), remove("b"), remove("a"), remove()}, 5},
		{"out of order", []history.Label{add("7"), add("3"), remove("3"), remove("7")}, 2},
		{"never added", []history.Label{add("x"), remove("y")}, 1},
		{"empty", []history.Label{add("x"), remove()}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := caller.Admits(context.Background(), impl, tt.labels)
			if err != nil || got != tt.want {
				t.Errorf("got %d, %v, want %d", got, err, tt.want)
			}
		})
	}
	if _, err := caller.Admits(context.Background(), impl, []history.Label{{Kind: history.Kind{Method: "ad", Outcome: history.None}}}); err == nil {
		t.Error("no error for an unknown method")
	}
}

// TestNamings: a label as the reference gets it in each naming, and what it returns as
// the log has it.
func TestNamings(t *testing.T) {
	impl, err := reference.New(reference.Spec{Name: "line", New: newLine[int]})
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	add := history.Label{Kind: history.Kind{Method: "add"}, Args: []history.Value{"alice"}}
	remove := history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{"alice"}}
	c, err := caller.New(impl, []history.Label{add, remove})
	if err != nil || c.Namings() != 2 || c.Differ() == nil {
		t.Fatal(err)
	}
	stands := map[history.Value]bool{}
	for n := range c.Namings() {
		call, ok := c.Named(n, &add)
		claim, possible := c.Named(n, &remove)
		if !ok || !possible || call.Args[0] == "alice" || claim.Rets[0] != call.Args[0] {
			t.Errorf("naming %d: %s and %s", n, call, claim)
		}
		stands[call.Args[0]] = true
		if back := c.Answered(n, &remove, call.Args); back[0] != "alice" {
			t.Errorf("naming %d: %s stands for %s", n, call.Args, back)
		}
		if n == 0 {
			text := "line{values:[" + string(call.Args[0]) + " 3]}"
			if got := c.Spell(text); got != "line{values:[alice 3]}" {
				t.Errorf("%s is %s", text, got)
			}
		}
	}
	if len(stands) != 2 {
		t.Errorf("the namings are the same: %v", stands)
	}
	for _, l := range []history.Label{
		{Kind: history.Kind{Method: "remov"}},
		{Kind: history.Kind{Method: "remove", Outcome: history.True}},
		{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{"bob"}},
	} {
		if named, ok := c.Named(0, &l); ok {
			t.Errorf("%s is %s", l, named)
		}
	}
	if c, err = caller.New(impl, nil); err != nil || c.Namings() != 1 || c.Spell("1048577") != "1048577" || c.Answered(0, &remove, add.Args)[0] != "alice" {
		t.Errorf("without names: %v", err)
	}
}

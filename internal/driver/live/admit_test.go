package live_test

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
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
			got, err := live.Admits(context.Background(), impl, tt.labels)
			if err != nil || got != tt.want {
				t.Errorf("got %d, %v, want %d", got, err, tt.want)
			}
		})
	}
	if _, err := live.Admits(context.Background(), impl, []history.Label{{Kind: history.Kind{Method: "ad", Outcome: history.None}}}); err == nil {
		t.Error("no error for an unknown method")
	}
}

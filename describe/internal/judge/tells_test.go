package judge

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/history"
)

// TestTells: calls that never remove tell hardly any wrong queue; a few that add
// and remove tell them all, whatever the values are called.
func TestTells(t *testing.T) {
	impl := implementation(t, queue.Spec)
	call := func(method string, args ...history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: method}, Args: args}
	}
	add, remove := func(v history.Value) history.Label { return call("add", v) }, call("remove")
	all := []history.Label{add("x"), add("-7"), remove, remove, remove, add("10"), add("9"), add(""), remove, remove, remove}
	for _, tt := range []struct {
		name   string
		calls  [][]history.Label
		missed []string // some of them
		told   int      // at least
	}{
		{"nothing", nil, []string{"add does nothing", "remove does nothing"}, 0},
		{"adds", [][]history.Label{{add("1"), add("2")}}, []string{"add does nothing", "remove does nothing"}, 0},
		{"one value", [][]history.Label{{add("1"), remove, remove}}, []string{"remove answers the newest value first"}, 3},
		{"all", [][]history.Label{all}, nil, 11},
	} {
		told, err := Tells(context.Background(), impl, tt.calls)
		if err != nil {
			t.Fatal(err)
		}
		if told.Mutants != 11 || told.Mutants-len(told.Missed) < tt.told {
			t.Errorf("%s: %+v", tt.name, told)
		}
		for _, m := range tt.missed {
			if !slices.Contains(told.Missed, m) {
				t.Errorf("%s: %q is told: %+v", tt.name, m, told)
			}
		}
		if text := told.Text(); strings.Contains(text, "missed:") != (len(told.Missed) > 0) {
			t.Errorf("%s: %s", tt.name, text)
		}
	}
	long := make([]history.Label, mostTold+1)
	for i := range long {
		long[i] = remove
	}
	if told, err := Tells(context.Background(), impl, [][]history.Label{long}); err != nil || !strings.Contains(told.Text(), "the first 200 calls") {
		t.Errorf("%+v, %v", told, err)
	}
	if _, err := Tells(context.Background(), impl, [][]history.Label{{call("take")}}); err == nil {
		t.Error("no error for a method that the reference does not have")
	}
}

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine"
)

// TestReplayOfRecorded runs the command that a failure of adttest prints, as it is.
func TestReplayOfRecorded(t *testing.T) {
	op := func(id, process string, l history.Label, call, ret int) history.Operation {
		return history.Operation{ID: id, Process: process, Label: l, Call: call, Return: ret}
	}
	remove := history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{"7"}}
	add := history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{"7"}}
	a, err := engine.Explorer(t.Context(), engine.Question{
		Dir: "../../examples/wrong/nolock", Type: "Queue", New: "New()", Operations: map[string]string{"add": "Add", "remove": "Remove"}, Processes: []string{"a", "b", "main"}, Sequential: true,
		Execution: &history.Execution{Events: 6, Ops: []history.Operation{op("1", "main", add, 0, 1), op("2", "a", remove, 2, 5), op("3", "b", remove, 3, 4)}},
	})
	if err != nil || a.Why != "" || a.Command[0] != "adtinfer" {
		t.Fatalf("%+v, %v", a, err)
	}
	var out, errs bytes.Buffer
	err = run(context.Background(), streams{in: strings.NewReader(""), out: &out, err: &errs}, a.Command[1:])
	if code := exitCode(t.Context(), err); code != 1 {
		t.Errorf("exit code %d: %v\n%s", code, err, errs.String())
	}
	for _, want := range []string{a.Drawing, "an interleaving with the history that a test recorded", "[2] call remove\n    [3] call remove\n    [3] return 7\n    [2] return 7\n", "replay  " + a.Replay} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

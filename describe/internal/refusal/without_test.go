package refusal

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/reference"
)

// TestWithout: a reference without a method is the one whose method was skipped.
func TestWithout(t *testing.T) {
	whole, err := reference.New(queue.Spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range whole.Methods() {
		less := queue.Spec
		less.Skip = []string{m.GoName}
		want, err := reference.New(less)
		if err != nil {
			t.Fatal(err)
		}
		got := without(whole, m.Name)
		if diff := cmp.Diff(want.Methods(), got.Methods()); diff != "" {
			t.Errorf("without %s -want +got:\n%s", m.Name, diff)
		}
		var seqs [][]reference.Call
		for i, a := range want.Methods() {
			for j, b := range want.Methods() {
				seqs = append(seqs, []reference.Call{{Method: i, Args: ones(a)}, {Method: j, Args: ones(b)}})
			}
		}
		w, err := want.Replay(t.Context(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		g, err := got.Replay(t.Context(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w, g); diff != "" {
			t.Errorf("without %s -want +got:\n%s", m.Name, diff)
		}
	}
}

func ones(m reference.Method) (args []int) {
	for range m.Args {
		args = append(args, 1)
	}
	return args
}

package explain_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check/internal/explain"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

func read(log string) (*theory.Theory, *history.Execution, error) {
	f, err := os.Open("../../../examples/queue/queue.theory.yaml")
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	t, err := theory.Read(f, "queue.theory.yaml")
	if err != nil {
		return nil, nil, err
	}
	sig, err := t.Signature(nil)
	if err != nil {
		return nil, nil, err
	}
	e, err := history.ReadLog(strings.NewReader(log), "run.log", sig)
	return t, e, err
}

// Two removes that overlap return the same value.
func ExampleDerive() {
	t, e, err := read("[1] call add(1)\n[2] call remove\n[3] call remove\n[1] return\n[2] return 1\n[3] return 1\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	steps, err := explain.Derive(context.Background(), t, e, []string{"1", "2", "3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range steps {
		fmt.Println(s.Fact, s.By, s.Ops)
	}
	// Output:
	// order 1 2 remove-before-add [2 1]
	// order 1 3 remove-before-add [3 1]
	// order 3 2 remove-twice [1 2 3]
	// contradiction remove-twice [1 3 2]
}

func TestNone(t *testing.T) {
	th, e, err := read("[1] call add(1)\n[2] call add(2)\n[1] return\n[2] return\n[3] call remove\n[3] return 2\n")
	if err != nil {
		t.Fatal(err)
	}
	var none *explain.None
	if _, err := explain.Derive(t.Context(), th, e, []string{"1", "2", "3"}); !errors.As(err, &none) || none.Ops != 3 {
		t.Errorf("got %v", err)
	}
}

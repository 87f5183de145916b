package verify_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// A queue lost its first value: 1 was added before 2, which was removed, and
// nobody else is removing.
func ExampleCheck() {
	f, err := os.Open("../../examples/queue/queue.theory.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	t, err := theory.Read(f, "queue.theory.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	sig, err := t.Signature(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	log := "[1] call add(1)\n[1] return\n[2] call add(2)\n[2] return\n[3] call remove\n[3] return 2\n"
	e, err := history.ReadLog(strings.NewReader(log), "run.log", sig)
	if err != nil {
		fmt.Println(err)
		return
	}
	ev := &evidence.Evidence{Theory: "queue", Log: evidence.Digest(e), Violation: true, Prefix: 6}
	for _, pattern := range []string{"add-add-remove2", "remove-twice"} {
		ev.Steps = []evidence.Step{{By: pattern, Ops: []string{"1", "2", "3"}}}
		fmt.Println(verify.Check(context.Background(), t, e, ev, nil))
	}
	// Output:
	// <nil>
	// verify: [2] is not of the kind of the pattern's operation 2
}

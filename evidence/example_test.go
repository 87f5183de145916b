package evidence_test

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/evidence"
)

// Evidence that a log is linearizable: operation 2 took effect first.
func ExampleWrite() {
	ev := &evidence.Evidence{Theory: "queue", Log: strings.Repeat("0", 64), Order: []evidence.Taken{{Op: "2"}, {Op: "1"}}}
	var file strings.Builder
	if err := evidence.Write(&file, ev); err != nil {
		fmt.Println(err)
		return
	}
	again, err := evidence.Read(strings.NewReader(file.String()), "run.evidence")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Violation, again.Order[0].Op)
	// Output: false 2
}

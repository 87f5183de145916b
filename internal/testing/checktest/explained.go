package checktest

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// Misexplained says what is wrong with an explanation of an execution, the last event of which makes it a
// violation; "" if nothing is.
func Misexplained(brute historytest.Model, e *history.Execution, x *check.Explanation) string {
	var said []string
	for i := range x.Answers {
		said = append(said, x.Answers[i].String())
	}
	slices.Sort(said)
	want, fits := brute.Answers(e)
	switch {
	case !fits:
		return "a shorter prefix is a violation, too"
	case !x.Minimal:
		return "it is not minimal: " + x.Detail
	case !slices.Equal(said, want) || x.Waits != (len(want) == 0):
		return fmt.Sprintf("it should have answered %q, and %q is said", want, said)
	}
	if alone, fits := brute.Answers(x.Execution); !fits || !slices.Equal(alone, want) {
		return fmt.Sprintf("alone they answer %q, not %q", alone, want)
	}
	for i := range x.Execution.Ops {
		if x.Execution.Ops[i].ID == x.Last.ID {
			continue
		}
		less := *x.Execution
		less.Ops = slices.Delete(slices.Clone(less.Ops), i, i+1)
		if answers, fits := brute.Answers(&less); fits && slices.Equal(answers, want) {
			return fmt.Sprintf("without [%s] the answers are the same", x.Execution.Ops[i].ID)
		}
	}
	return ""
}

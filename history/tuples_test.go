package history_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestConvertTuples: whatever a text log has of an answer, it has again after the log was converted to another
// format and back, so that what is a value stays one, and what tells the outcome tells it.
func TestConvertTuples(t *testing.T) {
	parts := []string{"3", "0", "true", "false", `"true"`, `"false"`, "nil", `"nil"`, "x", `""`, `"a, b"`, `"error: x"`, `"_"`, `" a"`}
	last := append(parts[:len(parts):len(parts)], "ErrEmpty", `"ErrEmpty"`, "errFull", `"errFull"`, "error", "error: no such key", `error: x, "y"`, "error: nil")
	for seed := range testsize.Samples(20_000) {
		r := rand.New(rand.NewPCG(seed, 5))
		var answer []string
		for range r.IntN(3) {
			answer = append(answer, parts[r.IntN(len(parts))])
		}
		log := fmt.Sprintf("[1] call m\n[1] return %s\n", strings.Join(append(answer, last[r.IntN(len(last))]), ", "))
		once := converted(t, log, history.Text)
		for _, f := range []history.Format{history.JSON, history.Binary} {
			if again := converted(t, converted(t, log, f), history.Text); strings.ReplaceAll(again, "<nil>", "nil") != strings.ReplaceAll(once, "<nil>", "nil") {
				t.Fatalf("seed %d: %v: %s is %s", seed, f, once, again)
			}
		}
		if strings.ReplaceAll(once, "<nil>", "nil") != strings.ReplaceAll(log, "<nil>", "nil") {
			t.Fatalf("seed %d: %s is %s", seed, log, once)
		}
	}
}

func converted(t *testing.T, log string, f history.Format) string {
	t.Helper()
	var b strings.Builder
	if err := history.NewReader(strings.NewReader(log), "log").Convert(t.Context(), &b, f); err != nil {
		t.Fatalf("%v: %v\n%s", f, err, log)
	}
	return b.String()
}

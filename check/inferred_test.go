package check_test

import (
	"context"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// The inferred theories that the examples carry decide recorded histories as
// they are known to be, first violating prefixes included.
func TestInferredTheoriesOnRecordedHistories(t *testing.T) {
	rows := historytest.Recordings(t)
	theories := map[string]*theory.Theory{"atomic-queue": historytest.Example(t, "queue"), "atomic-stack": historytest.Example(t, "stack")}
	for _, row := range rows {
		if row.Ops > 600 && testing.Short() {
			continue
		}
		th := theories[strings.TrimSpace(row.Object)]
		want := check.Linearizable
		if !row.Linearizable {
			want = check.Violation
		}
		r, err := by{Engine: "symbolic"}.Check(context.Background(), th, row.Read(t, th))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != want || r.Prefix != row.Prefix {
			t.Errorf("%s: %s, prefix %d; want %s, %d", row.File, r.Verdict, r.Prefix, want, row.Prefix)
		}
	}
	t.Logf("%d histories", len(rows))
}

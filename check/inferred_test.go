package check_test

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// The inferred theories that the examples carry decide recorded histories as
// they are known to be, first violating prefixes included.
func TestInferredTheoriesOnRecordedHistories(t *testing.T) {
	rows := historytest.Recordings(t)
	theories := map[string]*theory.Theory{"atomic-queue": historytest.Example(t, "queue"), "atomic-stack": historytest.Example(t, "stack")}
	engines := readyEach(t, by{Engine: "symbolic"}, theories)
	for _, row := range rows {
		if row.Ops > 600 && !testsize.Long() {
			continue
		}
		object := strings.TrimSpace(row.Object)
		th := theories[object]
		want := check.Linearizable
		if !row.Linearizable {
			want = check.Violation
		}
		r, err := engines[object].Check(t.Context(), th, row.Read(t, th))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != want || r.Prefix != row.Prefix {
			t.Errorf("%s: %s, prefix %d; want %s, %d", row.File, r.Verdict, r.Prefix, want, row.Prefix)
		}
	}
	t.Logf("%d histories", len(rows))
}

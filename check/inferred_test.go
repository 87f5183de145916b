package check_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/theory"
)

// The inferred theories that the examples carry decide recorded histories as
// they are known to be, first violating prefixes included.
func TestInferredTheoriesOnRecordedHistories(t *testing.T) {
	rows := truths(t)
	theories := map[string]*theory.Theory{"atomic-queue": example(t, "queue"), "atomic-stack": example(t, "stack")}
	for _, row := range rows {
		if row.Ops > 600 && testing.Short() {
			continue
		}
		th := theories[strings.TrimSpace(row.Object)]
		want := check.Linearizable
		if !row.Linearizable {
			want = check.Violation
		}
		r, err := check.Symbolic{}.Check(context.Background(), th, readLog(t, th, filepath.Join(violin, row.File)))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != want || r.Prefix != row.Prefix {
			t.Errorf("%s: %s, prefix %d; want %s, %d", row.File, r.Verdict, r.Prefix, want, row.Prefix)
		}
	}
	t.Logf("%d histories", len(rows))
}

func example(t *testing.T, name string) *theory.Theory {
	t.Helper()
	path := filepath.Join("../examples", name, name+".theory.yaml")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	th, err := theory.Read(f, path)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

package check_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// The inferred theories that the examples carry decide recorded histories as
// they are known to be, first violating prefixes included.
func TestInferredTheoriesOnRecordedHistories(t *testing.T) {
	const root = "../../shared/data/violin"
	truth, err := os.Open(filepath.Join(root, "truth.jsonl"))
	if err != nil {
		t.Skip("no recorded histories beside the project")
	}
	defer truth.Close()
	theories := map[string]*theory.Theory{"atomic-queue": example(t, "queue"), "atomic-stack": example(t, "stack")}
	rows := 0
	for s := bufio.NewScanner(truth); s.Scan(); {
		var row struct {
			File, Object string
			Ops          int
			Linearizable bool
			Prefix       int `json:"first_violating_prefix_length"`
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Ops > 600 && testing.Short() {
			continue
		}
		rows++
		th := theories[strings.TrimSpace(row.Object)]
		want := check.Linearizable
		if !row.Linearizable {
			want = check.Violation
		}
		r := decide(t, th, filepath.Join(root, row.File))
		if r.Verdict != want || r.Prefix != row.Prefix {
			t.Errorf("%s: %s, prefix %d; want %s, %d", row.File, r.Verdict, r.Prefix, want, row.Prefix)
		}
	}
	t.Logf("%d histories", rows)
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

func decide(t *testing.T, th *theory.Theory, path string) check.Result {
	t.Helper()
	sig, err := th.Signature(nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := history.ReadExecution(f, path, sig)
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Symbolic{}.Check(context.Background(), th, e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

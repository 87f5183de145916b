package history

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

const dataDir = "../../shared/data"

// TestViolinLogs reads every recorded log and counts what is in it.
func TestViolinLogs(t *testing.T) {
	truth, err := os.Open(filepath.Join(dataDir, "violin/truth.jsonl"))
	if os.IsNotExist(err) {
		t.Skip("the recorded logs are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer truth.Close()
	sig := testSignature(t)
	n := 0
	for lines := bufio.NewScanner(truth); lines.Scan(); n++ {
		var want struct {
			File, Object         string
			Ops, Events, Pending int
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		e := readFile(t, filepath.Join(dataDir, "violin", want.File), sig)
		pending := 0
		for i := range e.Ops {
			if !e.Ops[i].Completed() {
				pending++
			}
		}
		if e.Object != want.Object || len(e.Ops) != want.Ops || e.Events != want.Events || pending != want.Pending {
			t.Errorf("%s: object %s, %d operations, %d events, %d pending; want %+v", want.File, e.Object, len(e.Ops), e.Events, pending, want)
		}
	}
	if n < 500 {
		t.Errorf("only %d logs are listed", n)
	}
}

func TestOwnLogs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataDir, "own/*.log"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the recorded logs are not here")
	}
	for _, file := range files {
		e := readFile(t, file, testSignature(t))
		if len(e.Ops) == 0 {
			t.Errorf("%s: no operations", file)
		}
		roundTrip(t, e, testSignature(t))
	}
}

func readFile(t *testing.T, path string, sig Signature) *Execution {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := ReadLog(f, path, sig)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

package foreign_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// published is a history with a published verdict: a line of truth.jsonl.
type published struct {
	File         string
	Format, Type string
	Linearizable bool
}

// readings are how the histories of each format are read.
var readings = map[string]foreign.Options{
	"edn":            {Format: foreign.Jepsen},
	"porcupine-etcd": {Format: foreign.Porcupine, FailedIsFalse: true, NilIsUnset: true},
	"porcupine-kv":   {Format: foreign.Porcupine, ByKey: true},
}

func TestPublicHistories(t *testing.T) {
	dir := cmp.Or(os.Getenv("ADTINFER_HISTORIES"), filepath.Join("..", "..", "..", "shared", "data", "public"))
	all := truth(t, dir)
	verdicts := map[string][2]int{}
	for _, p := range all {
		t.Run(p.File, func(t *testing.T) {
			o, known := readings[p.Format]
			if !known {
				t.Fatalf("nobody knows how to read the format %q", p.Format)
			}
			start := time.Now()
			right := true
			for _, verdict := range decide(t, p.Type, filepath.Join(dir, filepath.FromSlash(p.File)), o) {
				right = right && verdict == check.Linearizable
				if verdict != check.Linearizable && verdict != check.Violation {
					t.Fatalf("the verdict is %v", verdict)
				}
			}
			if right != p.Linearizable {
				t.Errorf("linearizable: %v, published: %v", right, p.Linearizable)
			}
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("that took %v", d)
			}
			n := verdicts[p.Format+" "+p.Type]
			if right {
				n[0]++
			} else {
				n[1]++
			}
			verdicts[p.Format+" "+p.Type] = n
		})
	}
	for kind, n := range verdicts {
		t.Logf("%s: %d linearizable, %d not", kind, n[0], n[1])
	}
}

func truth(t *testing.T, dir string) []published {
	f, err := os.Open(filepath.Join(dir, "truth.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no public histories here; ADTINFER_HISTORIES names their folder")
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []published
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p published
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// decide is the verdict on each object of a history.
func decide(t *testing.T, kind, path string, o foreign.Options) []check.Verdict {
	t.Helper()
	c, methods := checkerOf(t, kind)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	objects, err := foreign.New(f, filepath.Base(path), o, methods).Executions(methods)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var verdicts []check.Verdict
	for _, e := range objects {
		if kind == "kv (append)" {
			split(e)
		}
		r, err := c.Check(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		verdicts = append(verdicts, r.Verdict)
	}
	return verdicts
}

// appended is the value of one key. What Porcupine's clients append is x CLIENT NUMBER y, so that a text that was joined
// says of what: it is read as their list.
type appended struct{ parts []string }

func (a *appended) Get() []string      { return append([]string{}, a.parts...) }
func (a *appended) Put(part string)    { a.parts = []string{part} }
func (a *appended) Append(part string) { a.parts = append(a.parts, part) }

// split makes lists of the texts that gets answered.
func split(e *history.Execution) {
	for i := range e.Ops {
		op := &e.Ops[i]
		for j, v := range op.Rets {
			var parts []string
			for rest := string(v); rest != ""; {
				n := strings.Index(rest, "yx")
				if n < 0 {
					n = len(rest) - 1
				}
				parts = append(parts, rest[:n+1])
				rest = rest[n+1:]
			}
			list, _ := json.Marshal(append([]string{}, parts...))
			op.Rets[j] = history.Value(list)
		}
	}
}

func checkerOf(t *testing.T, kind string) (*check.Checker, history.Signature) {
	t.Helper()
	switch kind {
	case "kv (append)":
		impl, err := reference.New(reference.Spec{New: func() *appended { return &appended{} }})
		return newChecker(t, nil, check.Options{Reference: impl}, err), signature(t,
			history.MethodSig{Name: "get", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}},
			history.MethodSig{Name: "put", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
			history.MethodSig{Name: "append", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}})
	case "mutex":
		return fromTheory(t, "mutex"), mutexMethods(t)
	}
	return fromTheory(t, "register"), registerMethods(t)
}

func fromTheory(t *testing.T, name string) *check.Checker {
	file := filepath.Join("testdata", name+".theory.yaml")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	th, err := theory.Read(f, file)
	return newChecker(t, th, check.Options{}, err)
}

func newChecker(t *testing.T, th *theory.Theory, o check.Options, err error) *check.Checker {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(th, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func signature(t testing.TB, methods ...history.MethodSig) history.Signature {
	t.Helper()
	s, err := history.NewSignature(methods...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func registerMethods(t testing.TB) history.Signature {
	return signature(t,
		history.MethodSig{Name: "read", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
		history.MethodSig{Name: "write", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		history.MethodSig{Name: "cas", Args: 2, Outcomes: []history.OutcomeSig{{Outcome: history.True}, {Outcome: history.False}}})
}

func mutexMethods(t testing.TB) history.Signature {
	both := []history.OutcomeSig{{Outcome: history.True}, {Outcome: history.False}}
	return signature(t, history.MethodSig{Name: "acquire", Outcomes: both}, history.MethodSig{Name: "release", Outcomes: both})
}

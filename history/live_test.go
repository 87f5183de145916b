package history

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// followed collects what Live hands out.
func followed(l *Live) (*Execution, error) {
	e := &Execution{}
	at := map[*Operation]int{}
	for {
		op, err := l.Next()
		if err == io.EOF {
			e.Events, e.Object = l.Events(), l.Object()
			return e, nil
		}
		if err != nil {
			return nil, err
		}
		if op.Completed() {
			e.Ops[at[op]] = *op
			continue
		}
		at[op] = len(e.Ops)
		e.Ops = append(e.Ops, *op)
	}
}

// Followed operation by operation, a log is the same execution, or has the same
// mistake, except in identifiers that were used before.
func TestLive(t *testing.T) {
	sig := testSignature(t)
	check(t, func(t *rapid.T, rng source) {
		src := randomLog(rng)
		want, wantErr := ReadExecution(strings.NewReader(src), "x.log", sig)
		got, err := followed(NewLive(NewReader(strings.NewReader(src), "x.log"), sig))
		text := fmt.Sprint(wantErr)
		if strings.Contains(text, "called twice") || strings.Contains(text, "returns a second time") || strings.Contains(text, "was not called") {
			return
		}
		if fmt.Sprint(err) != text {
			t.Fatalf("%q:\n%v\nwant\n%v", src, err, wantErr)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q: %s", src, d)
		}
	})
}

func TestLiveForgets(t *testing.T) {
	const log = "[1] call add(1)\n[1] return\n[1] call remove\n[1] return 1\n"
	e, err := followed(NewLive(NewReader(strings.NewReader(log), "x.log"), testSignature(t)))
	if err != nil || e.String() != "add(1); remove => 1" {
		t.Errorf("%v, %v", e, err)
	}
	for src, want := range map[string]string{
		"[1] call add(1)\n[1] call add(2)":       "x.log:2:1: operation 1 is called twice; the first call is on line 1",
		"[1] call add(1)\n[1] return\n[1]return": "x.log:3:1: operation 1 returns, but it was not called, or returned before",
	} {
		if _, err := followed(NewLive(NewReader(strings.NewReader(src), "x.log"), testSignature(t))); fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A log that is being written may end anywhere, but not in the middle of a line.
func TestGrowingReader(t *testing.T) {
	const log = "[1] call add(grün)\r\n  [1] return\n# end\n{"
	for n := range len(log) {
		src := log[:n]
		r := NewGrowingReader(strings.NewReader(src), "x.log")
		var err error
		for err == nil {
			_, err = r.Next()
		}
		line := src[strings.LastIndexByte(src, '\n')+1:]
		whole := strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")
		if whole != (err == io.EOF) || !whole && !strings.Contains(err.Error(), "the log ends in the middle of this line") && !strings.Contains(err.Error(), "not UTF-8") {
			t.Errorf("%q: %v", src, err)
		}
	}
	r := NewGrowingReader(strings.NewReader("\n  [1] call ä"), "x.log")
	if _, err := r.Next(); err == nil || err.Error() != "x.log:2:13: the log ends in the middle of this line" {
		t.Error(err)
	}
}

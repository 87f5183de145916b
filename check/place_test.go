package check

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theories"
)

// TestAt: a report says on which line the violation is complete, or what is wrong;
// comments and empty lines count.
func TestAt(t *testing.T) {
	queue, err := theories.Load("queue")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, log string
		want      history.Pos
	}{
		{"violation", "# a queue\n[1] call add(1)\n\n[1] return\n[2] call remove\n[2] return 2\n[3] call add(3)\n", history.Pos{File: "run.log", Line: 6, Col: 1}},
		{"good", "[1] call add(1)\n[1] return\n", history.Pos{}},
		{"malformed", "[1] call add(1)\n[1] retrun\n", history.Pos{File: "run.log", Line: 2, Col: 5}},
		{"unknown method", "[1] call add(1)\n[1] return\n[2] call stir\n[2] return\n", history.Pos{File: "run.log", Line: 3, Col: 10}},
		{"empty", "", history.Pos{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := New(queue, Options{})
			if err != nil {
				t.Fatal(err)
			}
			source := Source{Name: "run.log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(tt.log)), nil }}
			whole, followed := c.report(t.Context(), nil, source, 0, Shard{})[0], c.Follow(t.Context(), source, &Progress{})
			for how, r := range map[string]Report{"whole": whole, "followed": followed} {
				if r.At != tt.want || r.Took <= 0 {
					t.Errorf("%s: at %v, want %v; took %v (%v, %v)", how, r.At, tt.want, r.Took, r.Result, r.Err)
				}
			}
		})
	}
}

// TestAtLater: so does the report on a log that is too long to be kept.
func TestAtLater(t *testing.T) {
	queue, err := theories.Load("queue")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(queue, Options{keep: 2})
	if err != nil {
		t.Fatal(err)
	}
	const log = "[1] call add(1)\n[1] return\n# here it comes\n[2] call remove\n[2] return 1\n[3] call remove\n[3] return 1\n"
	r := c.Follow(t.Context(), Source{Name: "run.log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}, &Progress{})
	if want := (history.Pos{File: "run.log", Line: 7, Col: 1}); r.At != want {
		t.Errorf("at %v, want %v (%v, %v)", r.At, want, r.Result, r.Err)
	}
}

// TestErrorAt: an error of an engine is about the first operation that it names.
func TestErrorAt(t *testing.T) {
	at := history.Pos{File: "run.log", Line: 3, Col: 1}
	op := &history.Operation{ID: "1", CallPos: at}
	for _, err := range []error{&UnknownLabel{Op: op}, &OutsideLanguage{A: op}, errors.Join(&history.ParseError{Pos: at})} {
		r := Report{Err: err}
		if r.end(time.Now()); r.At != at {
			t.Errorf("%T: at %v, want %v", err, r.At, at)
		}
	}
}

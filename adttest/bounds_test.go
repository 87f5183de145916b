package adttest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// tardy is a queue that takes its time, and counts.
type tardy struct {
	plain
	adds *int
	end  func()
}

func (q *tardy) Add(v int) {
	if *q.adds++; *q.adds >= 10 {
		q.end()
		time.Sleep(5 * time.Millisecond)
	}
	q.plain.Add(v)
}

// TestContextEndsRounds ends the context while a scenario is being run: not all
// of its rounds are.
func TestContextEndsRounds(t *testing.T) {
	adds := 0
	ctx, cancel := context.WithCancel(t.Context())
	c := Config{New: func() *tardy { return &tardy{adds: &adds, end: cancel} }, Theory: queueTheory, Fixed: true, Scenarios: []Scenario{{Threads: [][]Call{{Do("Add", 1)}}}},
		Repeat: 2000, Budget: patience, Dir: t.TempDir(), MustReturn: true}
	if f, err := Find(ctx, c); f != nil || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "nothing was checked") {
		t.Fatal(f, err)
	}
	if adds >= 2000 || adds < 10 {
		t.Errorf("%d of 2000 rounds", adds)
	}
}

// colorful panics in red, with a bell, on several lines.
type colorful struct{ plain }

func (q *colorful) Remove() (int, bool) { panic("\x1b[31mred\x07\r\nnext\xff") }

func TestRawBytes(t *testing.T) {
	f := find(t, Config{New: func() *colorful { return &colorful{} }, Theory: queueTheory, Budget: patience, Shrink: time.Millisecond})
	if f == nil || strings.ContainsAny(f.String(), "\x1b\x07\r") || !utf8.ValidString(f.String()) || !strings.Contains(f.String(), `\x1b[31mred\a\r`) {
		t.Errorf("%q", f)
	}
}

package terminal

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestProgressLines: where there is no terminal, steps print nothing by
// themselves; a line says what is being done, and there is none after the end.
func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b)
	defer p.Done()
	p.line() // nothing is being done yet
	p.Step("thinking")
	p.Step("enumerating histories of weight 2")
	if b.Len() > 0 {
		t.Errorf("%q at once", b.String())
	}
	p.line()
	p.Step("cross-checking")
	p.line()
	p.Done()
	p.line()
	want := []string{": enumerating histories of weight 2", ": cross-checking"}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("lines %q", lines)
	}
	for i := range want {
		if !strings.HasSuffix(lines[i], want[i]) {
			t.Errorf("line %q, want ...%q", lines[i], want[i])
		}
	}
}

// TestProgressLog: a step is logged once, however its figures grow, and nothing is shown.
func TestProgressLog(t *testing.T) {
	var shown, logged bytes.Buffer
	p := NewProgress(&shown)
	p.Terminal, p.start = true, p.start.Add(-LineEvery)
	p.Log = slog.New(slog.NewTextHandler(&logged, nil))
	for _, step := range []string{"building", "searching: 10 states", "searching: 1,000 states", "done with it", "searching: 2,000 states"} {
		p.Step(step)
	}
	p.Done()
	var got []string
	for _, l := range strings.Split(strings.TrimSpace(logged.String()), "\n") {
		_, message, _ := strings.Cut(l, "msg=")
		message, _, _ = strings.Cut(message, " after=")
		got = append(got, strings.Trim(message, `"`))
	}
	if want := "building|searching: 10 states|done with it|searching: 2,000 states"; strings.Join(got, "|") != want {
		t.Errorf("logged %q, want %q", strings.Join(got, "|"), want)
	}
	if shown.Len() > 0 {
		t.Errorf("%q is shown", shown.String())
	}
	if p.Last() != "searching: 2,000 states" {
		t.Errorf("last is %q", p.Last())
	}
}

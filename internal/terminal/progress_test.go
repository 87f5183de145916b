package terminal

import (
	"bytes"
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

package terminal

import (
	"os"
	"testing"
)

// TestPseudoTerminal: the side of a pseudo-terminal that programs open is one, unless
// TERM says that nothing can be drawn on it.
func TestPseudoTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("FORCE_COLOR", "")
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no pseudo-terminals here:", err)
	}
	defer f.Close()
	t.Setenv("TERM", "xterm")
	if !Is(f) || !Colour(f) {
		t.Error("not taken for a terminal")
	}
	t.Setenv("TERM", "dumb")
	if Is(f) || Colour(f) {
		t.Error("taken for a terminal that can be drawn on")
	}
	t.Setenv("FORCE_COLOR", "1")
	if !Colour(f) {
		t.Error("FORCE_COLOR says nothing")
	}
}

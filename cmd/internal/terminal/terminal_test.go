package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestColour: all that the environment can say.
func TestColour(t *testing.T) {
	for _, tt := range []struct {
		no, force      string
		terminal, want bool
	}{
		{"", "", false, false},
		{"", "", true, true},
		{"1", "", true, false},
		{"0", "", true, false}, // any value forbids
		{"", "1", false, true},
		{"", "true", false, true},
		{"", "3", true, true},
		{"", "0", true, false},
		{"", "false", true, false},
		{"1", "1", true, false},
		{"1", "1", false, false},
	} {
		env := map[string]string{"NO_COLOR": tt.no, "FORCE_COLOR": tt.force}
		if got := colour(func(s string) string { return env[s] }, func() bool { return tt.terminal }); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestNoTerminal: what is none, whatever the environment says.
func TestNoTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	closed, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, f := range []*os.File{null, file, w, closed} {
		if Is(f) {
			t.Errorf("%s is a terminal", f.Name())
		}
	}
	if Is(&bytes.Buffer{}) {
		t.Error("a buffer is a terminal")
	}
}

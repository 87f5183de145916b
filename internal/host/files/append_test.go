package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAppend: what is there stays, and nothing is written if that fails.
func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.md")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	for _, s := range []string{"one\n", "two\n"} {
		if err := Append(path, text(s)); err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("broken")
	if err := Append(path, func(w io.Writer) error { _ = text("half")(w); return broken }); err != broken {
		t.Errorf("error %v", err)
	}
	if got, err := os.ReadFile(path); string(got) != "one\ntwo\n" || err != nil {
		t.Errorf("the file has %q, %v", got, err)
	}
	path = filepath.Join(path, "below")
	var wrong *Error
	if err := Append(path, text("three")); !errors.As(err, &wrong) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name the file", err)
	}
}

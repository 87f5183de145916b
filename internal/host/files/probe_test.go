package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestProbe: what can be written stays as it was, and nothing is left beside it.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, want string }{
		{old, ""},
		{filepath.Join(dir, "new"), ""},
		{os.DevNull, ""},
		{filepath.Join(dir, "no", "such"), "no such file or directory"},
		{filepath.Join(old, "below"), "not a directory"},
	} {
		got := ""
		if err := Probe(t.Context(), tt.path); err != nil {
			got = Cause(err).Error()
		}
		if got != tt.want && got != "cannot write "+tt.path+": "+tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
	if data, err := os.ReadFile(old); string(data) != "kept" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if left, err := os.ReadDir(dir); len(left) != 1 || err != nil {
		t.Errorf("%v is left, %v", left, err)
	}
}

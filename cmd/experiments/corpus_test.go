package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorpusCommand: a comparison fails if something differs, or if it cannot be made.
func TestCorpusCommand(t *testing.T) {
	t.Chdir("../..")
	file := filepath.Join(t.TempDir(), "corpus.jsonl")
	const entry = `{"theory":"queue","answers":[{"engines":["wgl"],"detail":"before"}]}`
	if err := os.WriteFile(file, []byte(entry), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := runCorpus(t.Context(), []string{"compare", file}); !errors.Is(err, errDiffers) {
		t.Errorf("a difference: %v", err)
	}
	if err := runCorpus(t.Context(), []string{"compare", "-skip", "monitor,wgl", file}); err != nil {
		t.Errorf("no difference: %v", err)
	}
	for _, args := range []string{"", "write", "write -o x y", "compare", "compare x y", "merge"} {
		if err := runCorpus(t.Context(), strings.Fields(args)); err == nil || err.Error() != corpusUsage {
			t.Errorf("corpus %s: %v", args, err)
		}
	}
	if err := runCorpus(t.Context(), []string{"compare", file + "none"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

package terminal

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFold: lines are broken at blanks, below where they begin or where a meaning does.
func TestFold(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		columns          int
	}{
		{"short", "a b c\n", "a b c\n", 20},
		{"as it is", "aaaa bbbb cccc", "aaaa bbbb cccc", 0},
		{"a paragraph", "aaaa bbbb cccc dddd eeee\nffff\n", "aaaa bbbb cccc dddd \n  eeee\nffff\n", 20},
		{"indented", "    aaaa bbbb cccc dddd\n", "    aaaa bbbb cccc \n      dddd\n", 20},
		{"names and meanings", "  -f   aaaa bbbb cccc\n", "  -f   aaaa bbbb \n       cccc\n", 20},
		{"far meanings", "  --long-name      aaaa bbbb\n", "  --long-name      \n    aaaa bbbb\n", 20},
		{"a long word", "aaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb cccc\n", "aaaa \n  bbbbbbbbbbbbbbbbbbbbbbbbbbb \n  cccc\n", 20},
		{"colours", "\x1b[1maaaa\x1b[0m bbbb \x1b[2mcccc\x1b[0m dddd\n", "\x1b[1maaaa\x1b[0m bbbb \x1b[2mcccc\x1b[0m dddd\n", 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Fold(tt.text, tt.columns)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestFoldHelp: the lines of a paragraph are joined; lists, examples and short lines stay lines.
func TestFoldHelp(t *testing.T) {
	long := "a paragraph of a help text, whose lines are about so long that they\nare full, and its end.\n\nUsage:\n  one\n  two\n"
	want := "a paragraph of a help \ntext, whose lines are \nabout so long that \nthey are full, and its \nend.\n\nUsage:\n  one\n  two\n"
	if FoldHelp(long, 0) != long {
		t.Error("a text that fits is folded")
	}
	if d := cmp.Diff(want, FoldHelp(long, 22)); d != "" {
		t.Error(d)
	}
}

// TestFolding: texts keep their words in their order, in lines that fit unless a word alone does not, however they are written.
func TestFolding(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		var text strings.Builder
		for range r.IntN(30) {
			text.WriteString([]string{" ", "   ", "\n", "a", "bbbbb", "ccccccccccccc", "é", "\x1b[1mx\x1b[0m", "dd dd dd"}[r.IntN(9)])
		}
		columns := 20 + r.IntN(20)
		var b bytes.Buffer
		f := NewFolding(&b, columns)
		for rest := text.String(); rest != ""; {
			n := 1 + r.IntN(len(rest))
			_, _ = f.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		_ = f.Close()
		if d := cmp.Diff(strings.Fields(text.String()), strings.Fields(b.String())); d != "" {
			t.Fatalf("seed %d, %q: %s", seed, text.String(), d)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimRight(line, " \n"); visible(line) > columns && len(strings.Fields(line)) > 1 {
				t.Fatalf("seed %d: %q has more than %d columns", seed, line, columns)
			}
		}
	}
}

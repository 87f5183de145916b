package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/cmd/internal/topics"
)

// TestNarrow: on a terminal of 50 columns the help of all commands has the same words in lines that fit.
func TestNarrow(t *testing.T) {
	var all func(c *cobra.Command)
	all = func(c *cobra.Command) {
		fits(t, append(strings.Fields(c.CommandPath())[1:], "--help"))
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				all(sub)
			}
		}
	}
	all(newRoot(streams{out: io.Discard, err: io.Discard}.watched()))
}

// TestNarrowTexts: so have the texts of commands, and all topics.
func TestNarrowTexts(t *testing.T) {
	all := [][]string{
		{"explain"},
		{"infer", "--ref", "../../examples/register", "-o", "-"},
		{"explore", "--impl", "../../examples/wrong/lostupdate", "-n", "2", "-k", "1"},
		{"explore", "--impl", "../../examples/register", "-n", "1", "-k", "1"},
		{"check", "--theory", "../../examples/queue/queue.theory.yaml", "testdata/no-such.log"},
	}
	for _, name := range topics.Names() {
		all = append(all, []string{"explain", name})
	}
	for _, args := range all {
		fits(t, args)
	}
}

// fits sees to it that what a command prints has the same words on a terminal of 50 columns, in lines that fit: other
// lines have a word that does not.
func fits(t *testing.T, args []string) {
	t.Helper()
	printed := func(columns string) string {
		t.Setenv("COLUMNS", columns)
		var out bytes.Buffer
		_ = run(context.Background(), streams{in: strings.NewReader(""), out: &out, err: io.Discard}, args) // whatever the verdict
		return out.String()
	}
	wide, narrow := printed(""), printed("50")
	if d := cmp.Diff(strings.Fields(wide), strings.Fields(narrow)); d != "" {
		t.Errorf("%s: %s", args, d)
	}
	for line := range strings.Lines(narrow) {
		if line = strings.TrimRight(line, " \n"); utf8.RuneCountInString(line) > 50 && len(strings.Fields(line)) > 1 {
			t.Errorf("%s: %q is too long", args, line)
		}
	}
}

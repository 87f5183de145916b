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
)

// TestNarrow: on a terminal of 50 columns the help of all commands has the same words in lines that fit.
func TestNarrow(t *testing.T) {
	help := func(columns, name string) string {
		t.Setenv("COLUMNS", columns)
		var out bytes.Buffer
		if err := run(context.Background(), streams{in: strings.NewReader(""), out: &out, err: &out}, append(strings.Fields(name)[1:], "--help")); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	var all func(c *cobra.Command)
	all = func(c *cobra.Command) {
		wide, narrow := help("", c.CommandPath()), help("50", c.CommandPath())
		if d := cmp.Diff(strings.Fields(wide), strings.Fields(narrow)); d != "" {
			t.Errorf("%s: %s", c.CommandPath(), d)
		}
		for line := range strings.Lines(narrow) {
			if line = strings.TrimRight(line, " \n"); utf8.RuneCountInString(line) > 50 && len(strings.Fields(line)) > 1 {
				t.Errorf("%s: %q is too long", c.CommandPath(), line)
			}
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				all(sub)
			}
		}
	}
	all(newRoot(streams{out: io.Discard, err: io.Discard}.watched()))
}

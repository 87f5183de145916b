package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/schedule"
)

// longHanded is how long explore may take for a failure that schedules found.
const longHanded = 20 * time.Second

// handed gives a failure of a test of adttest to explore, which has every interleaving within the failure's bounds and so a
// shortest one, where it takes the package; what it says goes to the failure's output.
func (t *tester) handed(ctx context.Context, f *schedule.Failure, dir string) {
	if f == nil || len(f.Explore) < 2 {
		return
	}
	args := append([]string(nil), f.Explore[2:]...) // after adtinfer explore
	for i, a := range args {
		if i > 0 && args[i-1] == "--theory" && !filepath.IsAbs(a) {
			args[i] = filepath.Join(dir, a)
		}
	}
	var text bytes.Buffer
	own := t.io
	own.out, own.err = &text, io.Discard
	c := newExplore(own)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(&text)
	c.SetErr(&text)
	c.SetArgs(append(args, "--timeout", longHanded.String()))
	if err := c.ExecuteContext(ctx); err != nil && !isSilent(err) {
		text.WriteString(wording.Text(err.Error()))
	} else if err == nil {
		text.WriteString("\nthe failure has other arguments, another object, or something that explore does not model\n")
	}
	f.Output = strings.TrimRight(f.Output, "\n") + "\n\nevery interleaving within these bounds, by adtinfer explore:\n\n" + strings.TrimRight(text.String(), "\n") + "\n"
}

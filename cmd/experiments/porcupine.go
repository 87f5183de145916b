package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/history"
)

// porcupine runs Porcupine as a program of the module peer, so that this one need not
// import it. Each history is decided in a process of its own.
type porcupine struct{ dir, program string }

// newPorcupine builds the program; nil, and a note why, if that fails: the module is not
// here, and cannot be downloaded.
func newPorcupine(ctx context.Context, r *report) (*porcupine, string) {
	if r.size == seconds {
		return nil, "left out at this size"
	}
	dir, err := os.MkdirTemp("", "peer")
	if err != nil {
		return nil, err.Error()
	}
	p := &porcupine{dir, filepath.Join(dir, "judge")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-C", "peer", "-o", p.program, "./judge").CombinedOutput(); err != nil {
		p.close()
		return nil, "left out, as it could not be built (" + strings.TrimSpace(string(out)) + ")"
	}
	return p, "version 1.3.1, in a process of its own that reads the history from a file, which does not count"
}

func (p *porcupine) close() { _ = os.RemoveAll(p.dir) }

// judge has the program decide a history of a built-in model.
func (p *porcupine) judge(ctx context.Context, model string, limit time.Duration, e *history.Execution) (o outcome, err error) {
	var log bytes.Buffer
	if err := history.WriteJSON(&log, e); err != nil {
		return o, err
	}
	c := exec.CommandContext(ctx, p.program, model, limit.String())
	c.Stdin, c.Stderr = &log, os.Stderr
	out, err := c.Output()
	if err != nil {
		return o, err
	}
	var said struct {
		Verdict   string
		Seconds   float64
		Allocated uint64
	}
	err = json.Unmarshal(out, &said)
	return outcome{said.Verdict == "linearizable", said.Verdict == "unknown", time.Duration(said.Seconds * float64(time.Second)), said.Allocated}, err
}

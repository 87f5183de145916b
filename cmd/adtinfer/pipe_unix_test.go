//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C ends every command that reads a pipe which nobody writes to: while it
// is opened, and while it is read.
func TestInterruptReadingPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.log")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	log := filepath.Join(dir, "run.log")
	if err := os.WriteFile(log, []byte("[1] call add(1)\n[1] return\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	theory := filepath.Join(projectRoot(t), "examples/queue/queue.theory.yaml")
	for name, args := range map[string][]string{
		"convert":         {"convert", pipe, filepath.Join(dir, "out.jsonl")},
		"verify log":      {"verify", pipe, log, "--theory", theory, "--model", "queue"},
		"verify evidence": {"verify", log, pipe, "--theory", theory, "--model", "queue"},
		"verify theory":   {"verify", log, log, "--theory", pipe, "--model", "queue"},
		"check":           {"check", pipe, "--theory", theory},
		"check commit":    {"check", pipe, "--commit", "--model", "queue"},
		"check follow":    {"check", pipe, "--theory", theory, "--follow"},
		"check theory":    {"check", log, "--theory", pipe},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(100*time.Millisecond, cancel)
			done := make(chan error, 1)
			go func() { done <- run(ctx, streams{in: os.Stdin, out: io.Discard, err: io.Discard}, args) }()
			select {
			case err := <-done:
				if code := exitCode(ctx, err); code != exitInterrupted || err != nil && strings.Contains(message(err), "context") {
					t.Errorf("exit code %d, want %d; %v", code, exitInterrupted, err)
				}
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
			}
		})
	}
}

// The time for a verification counts while it reads, too.
func TestVerifyTimeout(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.log")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	w, err := os.OpenFile(pipe, os.O_RDWR, 0) // it is open, but nothing comes
	if err != nil {
		t.Skip(err)
	}
	defer w.Close()
	var stdout bytes.Buffer
	theory := filepath.Join(projectRoot(t), "examples/queue/queue.theory.yaml")
	err = run(context.Background(), streams{in: os.Stdin, out: &stdout, err: io.Discard},
		[]string{"verify", pipe, "no.evidence", "--theory", theory, "--model", "queue", "--timeout", "100ms"})
	if code := exitCode(context.Background(), err); code != exitInconclusive || !isSilent(err) {
		t.Errorf("exit code %d, want %d; %v", code, exitInconclusive, err)
	}
	if got, want := stdout.String(), "no.evidence: neither accepted nor rejected within 100ms\n"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

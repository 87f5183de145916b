package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestInterrupt sends the signal of Ctrl-C to infer at several moments.
func TestInterrupt(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  string
		after time.Duration // the start of the child process; negative: before it
	}{
		{"build", "--ref ./examples/queue", -1},
		{"at once", "--ref ./examples/queue --cross-check 12", 0},
		{"soon", "--ref ./examples/queue --cross-check 12", 200 * time.Millisecond},
		{"checks", "--ref ./examples/set --check-length 9", 500 * time.Millisecond},
		{"weights", "--ref ./examples/worksteal --min-weight 6", time.Second},
		{"cross-check", "--ref ./examples/queue --cross-check 12", 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.after > 200*time.Millisecond {
				testsize.NeedsLong(t)
			}
			t.Parallel()
			files := t.TempDir()
			interrupt(t, append([]string{"infer", "-o", files}, strings.Fields(tt.args)...), tt.after, files,
				"adtinfer: interrupted while cross-checking ...; nothing was written\n")
		})
	}
}

// TestInterruptCheck sends it to check while a reference is searched: a dozen adds at
// once may come in any order, and none is right.
func TestInterruptCheck(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 14 {
		fmt.Fprintf(&log, "[%d] call add(%d)\n", i, i)
	}
	for i := range 14 {
		fmt.Fprintf(&log, "[%d] return\n", i)
	}
	log.WriteString("[r] call remove\n[r] return 99\n")
	files := t.TempDir()
	path := filepath.Join(files, "run.log")
	if err := os.WriteFile(path, []byte(log.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	profiles := []string{filepath.Join(files, "cpu.out"), filepath.Join(files, "mem.out")}
	interrupt(t, []string{"check", "--cpuprofile", profiles[0], "--memprofile", profiles[1], "--ref", "./examples/queue", "--timeout", "0", path},
		300*time.Millisecond, t.TempDir(), "adtinfer: interrupted\n")
	for _, p := range profiles { // they are written all the same
		if data, err := os.ReadFile(p); err != nil || !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
			t.Errorf("profile %s: %d bytes, %v", p, len(data), err)
		}
	}
}

// interrupt sends the signal so long after the start of the child process. Nothing
// may be left in files, and no process.
func interrupt(t *testing.T, args []string, after time.Duration, files, want string) {
	temp := t.TempDir()
	cmd := exec.Command("adtinfer", args...)
	cmd.Dir = projectRoot(t)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after < 0 {
		waitFor(t, "the build", func() bool { made, _ := os.ReadDir(temp); return len(made) > 0 })
	} else {
		waitFor(t, "the child process", func() bool { return len(running(temp)) > 0 })
	}
	time.Sleep(after)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	cmd.Wait()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v to end", d)
	}
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	doing, end, _ := strings.Cut(want, "cross-checking ...")
	if got := stderr.String(); !strings.HasPrefix(got, doing) || !strings.HasSuffix(got, end) {
		t.Errorf("standard error is %q, want %q", got, want)
	}
	for _, dir := range []string{files, temp} {
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	waitFor(t, "the end of the child process", func() bool { return len(running(temp)) == 0 })
}

// running lists the processes whose program lies in a directory. Where there is
// no /proc, it waits for the program instead, and finds none later.
func running(dir string) []string {
	exes, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil || len(exes) == 0 {
		found, _ := filepath.Glob(filepath.Join(dir, "adtinfer-*", "*"))
		return found
	}
	var in []string
	for _, exe := range exes {
		if target, err := os.Readlink(exe); err == nil && strings.HasPrefix(target, dir) {
			in = append(in, target)
		}
	}
	return in
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 1500 {
		if ok() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

// A pipe that nobody reads keeps nobody from interrupting, whether it is opened
// or written.
func TestInterruptPipe(t *testing.T) {
	dir := t.TempDir()
	pipe, log := filepath.Join(dir, "pipe"), filepath.Join(dir, "run.log")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no pipes with names here:", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := files.Write(ctx, pipe, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("opening: %v", err)
	}
	if err := os.WriteFile(log, []byte("[1] call add("+strings.Repeat("x", 1<<20)+")\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("adtinfer", "convert", "--to", "text", log, pipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Read(make([]byte, 1)); err != nil { // open on both sides, and soon full
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("writing: exit code %d, want %d", code, exitInterrupted)
	}
}

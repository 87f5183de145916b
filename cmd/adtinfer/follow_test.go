package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
)

// following starts check on a log, "-" for standard input, with the given theory.
func following(t *testing.T, args ...string) (cmd *exec.Cmd, stdout *bytes.Buffer) {
	t.Helper()
	theory := filepath.Join(projectRoot(t), "examples/queue/queue.theory.yaml")
	cmd = exec.Command("adtinfer", append([]string{"check", "--theory", theory}, args...)...)
	stdout = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, os.Stderr
	return cmd, stdout
}

// A file that grows is followed to its first violation.
func TestFollowGrowingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.log")
	log, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	fmt.Fprint(log, "[1] call add(1)\n[1] re")
	cmd, stdout := following(t, "--follow", "--explain=false", path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for i := 2; i < 50; i++ { // lines arrive in parts
		fmt.Fprintf(log, "turn\n[%d] call add(%d)\n[%d] re", i, i, i)
	}
	fmt.Fprint(log, "turn\n[50] call remove\n[50] return 2\n[51] call ad")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitViolation {
		t.Errorf("%v, want exit code %d", err, exitViolation)
	}
	if want := "violation in the first 100 of 100 events: "; !strings.Contains(stdout.String(), want) {
		t.Errorf("got %s want %s", stdout, want)
	}
}

// Ctrl-C ends with what was established.
func TestFollowInterrupted(t *testing.T) {
	cmd, stdout := following(t, "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	for i := range 20_000 { // more than a pipe holds: once it is written, the program reads
		fmt.Fprintf(&log, "[%d] call add(%d)\n[%d] return\n", i, i, i)
	}
	if _, err := in.Write(log.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if want := regexp.MustCompile(`^standard input: linearizable \(interrupted after \d+ events\)\n`); !want.Match(stdout.Bytes()) {
		t.Errorf("got %s want %s", stdout, want)
	}
}

// Ctrl-C ends commands that wait for more on standard input, and no file is left.
func TestStandardInputInterrupted(t *testing.T) {
	theory := filepath.Join(projectRoot(t), "examples/queue/queue.theory.yaml")
	for _, args := range [][]string{
		{"convert", "-", "out.bin"},
		{"check", "--theory", theory, "--witness", "evidence", "-"},
		{"verify", "--theory", theory, "-", "evidence"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("adtinfer", args...)
			cmd.Dir = t.TempDir()
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for i := range 20_000 { // more than a pipe holds
				fmt.Fprintf(in, "[%d] call add(%d)\n[%d] return\n", i, i, i)
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || stderr.String() != "adtinfer: interrupted\n" {
				t.Errorf("exit code %d, want %d; %s", code, exitInterrupted, &stderr)
			}
			if left, _ := os.ReadDir(cmd.Dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// What is read ahead comes in order and at the end is counted.
func TestInput(t *testing.T) {
	text := strings.Repeat("0123456789", 100_000)
	in := &input{ctx: context.Background(), src: strings.NewReader(text)}
	got, err := io.ReadAll(in)
	if err != nil || string(got) != text || in.behind() != 0 {
		t.Errorf("%d bytes, %v, %d behind", len(got), err, in.behind())
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	in = &input{ctx: ctx, src: r}
	cancel()
	if _, err := in.Read(make([]byte, 1)); err != context.Canceled {
		t.Errorf("after the end of the context: %v", err)
	}
}

// A file that becomes shorter is not the one that was followed.
func TestInputShorter(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "x.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := &input{ctx: context.Background(), src: strings.NewReader("[1] call add(1)\n"), file: f}
	if _, err := io.ReadAll(in); err == nil || !strings.Contains(err.Error(), "the file shrank") {
		t.Error(err)
	}
}

// A file whose name another one takes, as when logs are rotated, is followed on, and that is said once.
func TestInputMoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	old, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var said bytes.Buffer
	in := &input{ctx: t.Context(), name: "x.log", src: f, file: f, warnings: &said}
	pause := func() {
		t.Helper()
		if err := in.pause(); err != nil {
			t.Fatal(err)
		}
	}
	pause()
	if err := os.Rename(path, path+".1"); err != nil {
		t.Skip(err) // of an open file, where that is not allowed
	}
	pause()
	if said.Len() > 0 {
		t.Errorf("of a file that is gone: %s", &said)
	}
	if err := os.WriteFile(path, []byte("[1] call add(1)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	pause()
	pause()
	if want := "warning: x.log is another file now, which is not read; the one that had the name before is followed on\n"; said.String() != want {
		t.Errorf("got %q, want %q", &said, want)
	}
	fmt.Fprint(old, "[1] call add(2)\n")
	got := make([]byte, 64)
	if n, err := in.Read(got); err != nil || string(got[:n]) != "[1] call add(2)\n" {
		t.Errorf("%q, %v", got[:n], err)
	}
}

// No meter without a terminal.
func TestMeter(t *testing.T) {
	var b bytes.Buffer
	meter(streams{err: &b}.watched(), &check.Progress{}, &input{})()
	if b.Len() > 0 {
		t.Errorf("it shows %q", b.String())
	}
}

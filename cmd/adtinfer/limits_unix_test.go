//go:build unix

package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestLimits: whatever check makes of a large log, and however that is packed, it takes hardly more memory and time than
// it may; the page or the message says so.
func TestLimits(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	if testing.Short() {
		t.Skip("the race detector takes memory of its own")
	}
	t.Parallel()
	dir, theory := t.TempDir(), filepath.Join(projectRoot(t), "examples/queue/queue.theory.yaml")
	largeLogs(t, dir, 200_000)
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, tt := range []struct {
		name  string
		args  []string
		code  int
		says  string // on standard output or standard error
		takes time.Duration
	}{
		{"page", []string{"--memory", "40MB", "-f", "html", "-o", in("run.html"), in("run.log")}, 0, "run.html: The log, of 200,000 operations, is not shown: the limit of 40MB of memory was reached.", 0},
		{"page in time", []string{"--timeout", "600ms", "-f", "html", "-o", in("late.html"), in("run.log")}, -1, "the time limit was reached", 600 * time.Millisecond},
		{"witness", []string{"--memory", "40MB", "--witness", in("w"), in("run.log")}, 3, "no evidence: the limit of 40MB of memory was reached", 0},
		{"zip", []string{"--memory", "24MB", in("run.zip")}, 3, "run.zip/run.log: inconclusive (the limit of 24MB of memory was reached", 0},
		{"gzip", []string{"--memory", "24MB", in("run.log.gz")}, 3, "run.log.gz: inconclusive (the limit of 24MB of memory was reached", 0},
		{"tar", []string{"--memory", "24MB", in("run.tar.gz")}, 3, "an entry of a tar archive may have at most", 0},
		{"Jepsen", []string{"--memory", "24MB", in("run.edn")}, 3, "run.edn: inconclusive (the limit of 24MB of memory was reached", 0},
		{"a model on a pipe", []string{"--memory", "24MB", "--model", "queue", "-"}, 3, "standard input: inconclusive (the limit of 24MB of memory was reached", 0},
		{"a stream", []string{"--memory", "24MB", "-"}, 3, "standard input: inconclusive (the limit of 24MB of memory was reached after", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"check"}, tt.args...)
			if tt.name != "a model on a pipe" {
				args = append(args, "--theory", theory)
			}
			cmd := exec.Command("adtinfer", args...)
			var b bytes.Buffer
			cmd.Stdout, cmd.Stderr = &b, &b
			cmd.Stdin = piped(t, in("run.log"))
			if tt.name == "a stream" {
				cmd.Stdin = growing(t, 400_000)
			}
			start := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			peak := peakOf(cmd.Process.Pid)
			err := cmd.Wait()
			took := time.Since(start)
			if code := cmd.ProcessState.ExitCode(); tt.code >= 0 && (code != tt.code || !strings.Contains(b.String(), tt.says)) {
				t.Errorf("exit code %d, %v:\n%s", code, err, b.String())
			}
			if peak := <-peak; tt.takes == 0 && peak > 72 {
				t.Errorf("took %d MB of memory", peak)
			} else {
				t.Log(took, peak, "MB")
			}
			if tt.takes > 0 && took > 4*tt.takes+2*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// peakOf is the largest resident set of a process, in MB, once it has ended. What wait says of that would be the set of
// the process from which it was forked, if that is larger.
func peakOf(pid int) <-chan int {
	peak := make(chan int, 1)
	go func() {
		most := 0
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, after, ok := strings.Cut(string(status), "VmHWM:")
			if err != nil || !ok {
				peak <- most >> 10
				return
			}
			var kb int
			fmt.Sscan(after, &kb)
			most = max(most, kb)
			time.Sleep(2 * time.Millisecond)
		}
	}()
	return peak
}

// piped is a file as a pipe.
func piped(t *testing.T, path string) io.Reader {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return io.MultiReader(f)
}

// growing is a log in which so many values are added and none is removed.
func growing(t *testing.T, values int) io.Reader {
	r, w := io.Pipe()
	t.Cleanup(func() { r.Close() })
	go func() {
		b := bufio.NewWriter(w)
		for i := range values {
			fmt.Fprintf(b, "[x%d] call add(v%d)\n[x%d] return\n", i, i*7919, i)
		}
		b.Flush()
		w.Close()
	}()
	return r
}

// largeLogs writes a log with so many operations, as it is and packed.
func largeLogs(t *testing.T, dir string, ops int) {
	t.Helper()
	var text, edn bytes.Buffer
	for i := 0; i < ops; i += 2 {
		fmt.Fprintf(&text, "[%d] call add(%d)\n[%d] call remove\n[%d] return\n[%d] return %d\n", i, i, i+1, i, i+1, i)
		fmt.Fprintf(&edn, "{:process 0, :type :invoke, :f :add, :value %d}\n{:process 1, :type :invoke, :f :remove, :value nil}\n{:process 0, :type :ok, :f :add, :value %d}\n{:process 1, :type :ok, :f :remove, :value %d}\n", i, i, i)
	}
	var zipped, gzipped, tarred bytes.Buffer
	z := zip.NewWriter(&zipped)
	w, err := z.Create("run.log")
	write := func(w io.Writer, data []byte) {
		if err == nil {
			_, err = w.Write(data)
		}
	}
	write(w, text.Bytes())
	g, _ := gzip.NewWriterLevel(&gzipped, gzip.BestSpeed)
	write(g, text.Bytes())
	tz, _ := gzip.NewWriterLevel(&tarred, gzip.BestSpeed)
	tw := tar.NewWriter(tz)
	if err == nil {
		err = tw.WriteHeader(&tar.Header{Name: "run.log", Mode: 0o600, Size: int64(text.Len())})
	}
	write(tw, text.Bytes())
	for _, c := range []io.Closer{z, g, tw, tz} {
		if err == nil {
			err = c.Close()
		}
	}
	for name, data := range map[string]*bytes.Buffer{"run.log": &text, "run.edn": &edn, "run.zip": &zipped, "run.log.gz": &gzipped, "run.tar.gz": &tarred} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data.Bytes(), 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

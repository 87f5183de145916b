//go:build unix

package reference_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestLoadEndsDescendants starts processes from a reference and ends it.
func TestLoadEndsDescendants(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip(err)
	}
	p, err := load(t, extract(t, "module.txtar"), "children", reference.Options{})
	if err == nil { // trying it took too long
		_, err = p.Replay(context.Background(), [][]reference.Call{program(t, p, "start")})
	}
	var f *reference.Fault // it answers differently: with process numbers
	if !errors.As(err, &f) || f.Reason != driver.Differs && f.Reason != driver.Elapses {
		t.Fatalf("got %T: %v", err, err)
	}
	last := regexp.MustCompile(`then value ([0-9]+)`).FindStringSubmatch(f.Detail)
	if last == nil {
		t.Fatal(f.Detail)
	}
	pid, _ := strconv.Atoi(last[1])
	for deadline := time.Now().Add(time.Minute); running(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// running reports whether a process is there and is no zombie that nobody reaps.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}

// TestLoadSilentChild stops the child as a whole: it cannot even say that it hangs.
func TestLoadSilentChild(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "children", reference.Options{
		Timeout: 100 * time.Millisecond, Skip: []string{"Start"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Replay(context.Background(), [][]reference.Call{{}, program(t, p, "stop; leave")})
	want := &reference.Fault{Reason: driver.Hangs, Sequence: "Stop()", At: 0, Detail: "the process fell silent"}
	var f *reference.Fault
	if !errors.As(err, &f) {
		t.Fatalf("got %T: %v", err, err)
	}
	if d := cmp.Diff(want, f); d != "" {
		t.Error(d)
	}
}

// TestLoadHeldUp stops the child once: what it was asked, another answers.
func TestLoadHeldUp(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "children", reference.Options{
		Timeout: 100 * time.Millisecond, Skip: []string{"Start"}, Env: append(os.Environ(), "ADTINFER_TEST_STOPPED="+filepath.Join(t.TempDir(), "stopped"))})
	if err != nil {
		t.Fatal(err)
	}
	answers, err := p.Replay(context.Background(), [][]reference.Call{{}, program(t, p, "stopOnce; stopOnce")})
	if err != nil || len(answers) != 2 || len(answers[1]) != 2 {
		t.Errorf("got %v: %v", answers, err)
	}
}

// TestLoadFromModuleProxy loads a package by import path that the user's module
// does not require, from a proxy of our own.
func TestLoadFromModuleProxy(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	proxy, user := t.TempDir(), t.TempDir()
	const mod = "module example.com/far\n\ngo 1.20\n"
	files := map[string]string{
		"go.mod":       mod,
		"cell/cell.go": "package cell\n\ntype Cell struct{ v int }\n\nfunc (c *Cell) Set(v int) { c.v = v }\nfunc (c *Cell) Get() int { return c.v }\n",
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range files {
		w, err := z.Create("example.com/far@v1.0.0/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	dir := filepath.Join(proxy, "example.com", "far", "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": mod, "v1.0.0.zip": archive.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opts := reference.Options{Env: append(os.Environ(), "GOPROXY=file://"+proxy, "GOSUMDB=off",
		"GOMODCACHE="+filepath.Join(user, "mod"), "GOFLAGS="+os.Getenv("GOFLAGS")+" -modcacherw")}
	for _, ref := range []string{"example.com/far/cell", "example.com/far/cell@v1.0.0#Cell"} {
		p, err := load(t, user, ref, opts)
		if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath != "example.com/far/cell" {
			t.Errorf("import path %s", p.ImportPath)
		}
		if d := cmp.Diff([]string{"none", "value 2"}, show(t, p, program(t, p, "set 2; get")...)); d != "" {
			t.Error(d)
		}
	}
	_, err := load(t, user, "example.com/nowhere/cell", opts)
	if err == nil || !contains(err.Error(), "reference: example.com/nowhere/cell: no such directory, and no such package\n") {
		t.Error(err)
	}
}

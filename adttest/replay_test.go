package adttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// TestChild is what the tests below run as users do, in a process of its own.
func TestChild(t *testing.T) {
	if os.Getenv("ADTTEST_CHILD") == "" {
		t.Skip("runs as a child")
	}
	c := Config{New: newGives, Theory: queueTheory, Budget: patience, Shrink: 500 * time.Millisecond, Dir: os.Getenv("ADTTEST_CHILD")}
	if os.Getenv("ADTTEST_CHILD_RIGHT") != "" {
		c.New, c.Budget = newPlain, 0
	}
	for _, name := range []string{"a", "b c", awkward} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Run(t, c)
		})
	}
}

// awkward is a name with what means something to a regular expression or a shell.
const awkward = "x+(1|2)/[$HOME]'s \x07*"

// child runs TestChild and returns what it prints.
func child(t *testing.T, dir string, args, env []string) (output string, passed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), "ADTTEST_CHILD="+dir), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// TestReplay fails, and fails again from its seed and from its log, each time
// with the same text.
func TestReplay(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dir := t.TempDir()
	out, passed := child(t, dir, []string{"-test.run=^TestChild$/^a$"}, nil)
	if passed {
		t.Fatalf("it passes:\n%s", out)
	}
	m := regexp.MustCompile(`(?m)^ *replay  (ADTTEST_REPLAY=(\S+)) go test -run '(\S+)' (\S+)$`).FindStringSubmatch(out)
	seed := regexp.MustCompile(`seed (\d+)`).FindStringSubmatch(out)
	if m == nil || seed == nil {
		t.Fatalf("no command to replay it:\n%s", out)
	}
	if m[3] != "^TestChild$/^a$" || m[4] != "github.com/adtinfer/adtinfer/adttest" || m[2] != filepath.Join(dir, "TestChild", "a", "seed-"+seed[1]+".jsonl") {
		t.Errorf("the command is %s", m[0])
	}
	for _, env := range []string{m[1], "ADTTEST_SEED=" + seed[1]} {
		want := ""
		for range 5 {
			out, passed := child(t, dir, []string{"-test.run=" + m[3]}, []string{env})
			if passed || !strings.Contains(out, "does not refine queue") || !strings.Contains(out, "nothing was run") {
				t.Fatalf("%s:\n%s", env, out)
			}
			out = regexp.MustCompile(`\d+\.\d+s`).ReplaceAllString(out, "")
			if want == "" {
				want = out
			}
			if out != want {
				t.Errorf("%s: first\n%s\nthen\n%s", env, want, out)
			}
		}
	}
	out, passed = child(t, dir, []string{"-test.v", "-test.short", "-test.run=^TestChild$/^a$"}, []string{"ADTTEST_CHILD_RIGHT=1"})
	if !passed || !strings.Contains(out, "queue holds") {
		t.Errorf("the right one, with what was saved:\n%s", out)
	}
}

// TestAwkwardName gives the replay command of a test to a shell, which finds the
// test again, and the log.
func TestAwkwardName(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "it's $here")
	out, passed := child(t, dir, []string{"-test.run=^TestChild$/^x"}, nil)
	m := regexp.MustCompile(`(?m)^ *replay  (ADTTEST_REPLAY=.*) go test (-run .*) github.com/\S+$`).FindStringSubmatch(out)
	if passed || m == nil {
		t.Fatalf("no command:\n%s", out)
	}
	cmd := exec.Command("sh", "-c", m[1]+" exec "+wording.Word(os.Args[0])+" "+strings.Replace(m[2], "-run", "-test.v -test.run", 1))
	cmd.Env = append(os.Environ(), "ADTTEST_CHILD="+dir)
	again, err := cmd.CombinedOutput()
	if n := strings.Count(string(again), "nothing was run"); err == nil || n != 1 {
		t.Errorf("%v, %d replays by %s:\n%s", err, n, m[0], again)
	}
}

// TestGoTest runs tests in parallel, more than once, and briefly.
func TestGoTest(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	start := time.Now()
	out, passed := child(t, t.TempDir(), []string{"-test.v", "-test.short", "-test.count=2", "-test.run=^TestChild$"}, []string{"ADTTEST_CHILD_RIGHT=1"})
	if n := strings.Count(out, "queue holds"); !passed || n != 6 {
		t.Errorf("%d of 6 runs:\n%s", n, out)
	}
	if strings.Contains(out, "/b_c") != true {
		t.Errorf("no second test:\n%s", out)
	}
	if d := time.Since(start); d > patience {
		t.Errorf("-short took %v", d)
	}
	out, _ = child(t, t.TempDir(), []string{"-test.v", "-test.run=^TestChild$/^a$"}, []string{"ADTTEST_CHILD_RIGHT=1", "ADTTEST_BUDGET=50ms", "ADTTEST_SEED=7"})
	if !strings.Contains(out, "(seed 7)") {
		t.Errorf("ADTTEST_SEED=7:\n%s", out)
	}
}

func TestPackageOf(t *testing.T) {
	for function, want := range map[string]string{
		"github.com/a/b.TestX":            "github.com/a/b",
		"github.com/a/b_test.TestX.func1": "github.com/a/b",
		"gopkg.in/yaml%2ev3.(*T).Test":    "gopkg.in/yaml.v3",
		"main.TestX":                      "main",
	} {
		if got := packageOf(function); got != want {
			t.Errorf("package of %s: %s, want %s", function, got, want)
		}
	}
	var inside string
	t.Run("sub", func(t *testing.T) { inside = func() string { return func() string { return testFunction() }() }() })
	if packageOf(inside) != "github.com/adtinfer/adtinfer/adttest" || !strings.Contains(inside, "TestPackageOf.func1") {
		t.Errorf("the function of this test is %s", inside)
	}
}

// A saved log is read as it says, and one that is cut off is refused.
func TestReadSavedLog(t *testing.T) {
	r, err := newRun(t.Context(), Config{New: newPlain, Theory: queueTheory}, environment{}, nobody("", ""))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "seed-1.jsonl")
	const log = `{"object":"queue"}
{"op":1,"event":"call","method":"add","args":["nil"],"process":"thread 1"}
{"op":1,"event":"return","process":"thread 1"}
{"op":2,"event":"call","method":"remove","process":"thread 2"}
{"op":2,"event":"return","rets":["nil"],"process":"thread 2"}
{"op":3,"event":"call","method":"remove","process":"thread 2"}
{"op":3,"event":"return","rets":[null],"process":"thread 2"}
`
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := r.readLog(path)
	if err != nil || e.String() != "add(nil); remove => nil; remove => nil" || e.Ops[1].Outcome != history.Some || e.Ops[2].Outcome != history.Nil {
		t.Errorf("read %v, %v", e, err)
	}
	if err := os.WriteFile(path, []byte(log+"{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.readLog(path); err == nil || !strings.Contains(err.Error(), "seed-1.jsonl:8:") {
		t.Errorf("a log that is cut off: %v", err)
	}
}

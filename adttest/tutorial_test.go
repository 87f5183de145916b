package adttest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/google/go-cmp/cmp"
)

// TestTutorial does what docs/tutorial.md says, in a copy of the module: it puts
// Go code into the file that its first line names, runs the commands, and
// compares what they print. A line "..." there stands for any lines.
func TestTutorial(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	text, err := os.ReadFile("../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := moduleCopy(t)
	for _, m := range regexp.MustCompile("(?ms)^```(console|go)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if m[1] == "go" {
			writeGo(t, dir, m[2])
			continue
		}
		for _, c := range regexp.MustCompile(`(?m)^\$ `).Split(m[2], -1)[1:] {
			command, want, _ := strings.Cut(c, "\n")
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "ADTTEST_SEED=", "ADTTEST_REPLAY=", "ADTTEST_BUDGET=", "NO_COLOR=1")
			out, _ := cmd.CombinedOutput()
			out = slow.ReplaceAll(out, nil)
			if !shows(want, string(out)) {
				t.Errorf("$ %s (-the document +the command):\n%s", command, cmp.Diff(want, string(out)))
			}
			t.Logf("$ %s\n%s", command, out)
		}
	}
}

// slow is what is said of an inference that takes long, as it does on a busy machine.
var slow = regexp.MustCompile(`(?m)^Test\w+: adttest: infer.*\n`)

// shows reports whether output is as a document has it, where a line "..." stands
// for any lines, and "..." elsewhere for any part of a line. Numbers differ, and
// lines behind "..." may begin with more.
func shows(shown, output string) bool {
	var parts []string
	for i, p := range strings.Split("\n"+shown, "\n...\n") {
		p = strings.ReplaceAll(regexp.QuoteMeta(p), `\.\.\.`, `[^\n]*`)
		if p = regexp.MustCompile(`\b\d+\b`).ReplaceAllString(p, `\d+`); i > 0 && p != "" {
			p = `[^\n]*` + p
		}
		parts = append(parts, p)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, `\n(.*\n)?`) + `$`).MatchString("\n" + output)
}

func TestShows(t *testing.T) {
	for _, tt := range []struct {
		shown, output string
		want          bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nc\n", false},
		{"a\n", "a\nb\n", false},
		{"a (...)\n", "a (1.5s)\n", true},
		{"a (...)\n", "a\n", false},
		{"in round 7\n", "in round 123\n", true},
		{"in round 7\n", "in round x\n", false},
		{"a\n...\nb\n", "a\nb\n", true},
		{"a\n...\nb\n", "a\nx\n  3 b\n", true},
		{"a\n...\nb\n", "a\nx\nc\n", false},
		{"a\n...\n", "a\nx\n", true},
		{"...\nb\n", "a\n", false},
	} {
		if got := shows(tt.shown, tt.output); got != tt.want {
			t.Errorf("shows(%q, %q) = %v", tt.shown, tt.output, got)
		}
	}
}

func writeGo(t *testing.T, dir, code string) {
	t.Helper()
	first, _, _ := strings.Cut(code, "\n")
	path := filepath.Join(dir, strings.TrimPrefix(first, "// "))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
}

// moduleCopy copies the module's code without its tests.
func moduleCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != ".." && strings.HasPrefix(name, ".") || name == "testdata" || name == "docs" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(dir, strings.TrimPrefix(path, "..")), 0o777)
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, strings.TrimPrefix(path, "..")), data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

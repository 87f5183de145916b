package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestDocs runs the commands of adtinfer in the documents' console blocks, from
// top to bottom in a copy of the examples, and compares what they print with
// what the document says. A line "..." there stands for any lines. Go code and logs
// whose first line is a comment with a path are put into that file.
func TestDocs(t *testing.T) {
	if !*update {
		testsize.NeedsLong(t)
	}
	t.Run("README.md", func(t *testing.T) {
		t.Parallel()
		runDocument(t, t.TempDir(), "-ldflags=-w", filepath.Join(projectRoot(t), "README.md"))
	})
	for _, doc := range []string{"docs/infer.md", "docs/check.md", "docs/concepts.md", "docs/explore.md", "docs/policies.md"} {
		t.Run(doc, func(t *testing.T) {
			t.Parallel()
			runDocument(t, exampleCopy(t), withoutPaths, filepath.Join(projectRoot(t), doc))
		})
	}
}

// runDocument runs the blocks of a document in a directory, with flags for the go command.
func runDocument(t *testing.T, dir, flags, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fresh := blocks.ReplaceAllStringFunc(string(text), func(b string) string { return runBlock(t, dir, flags, b) })
	if *update && fresh != string(text) {
		if err := os.WriteFile(path, []byte(fresh), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// blocks are fenced code blocks: language, contents.
var blocks = regexp.MustCompile("(?ms)^```(console|go|log)\n(.*?)^```$")

// runBlock runs a block and returns it with the output that it should show.
func runBlock(t *testing.T, dir, flags, block string) string {
	m := blocks.FindStringSubmatch(block)
	if m[1] != "console" {
		writeBlock(t, dir, m[2])
		return block
	}
	var shown strings.Builder
	for _, c := range regexp.MustCompile(`(?m)^\$ `).Split(m[2], -1)[1:] {
		command, want, _ := strings.Cut(c, "\n")
		got, ok := runCommand(dir, flags, strings.Replace(command, "=../adtinfer", "="+projectRoot(t), 1)) // the clone
		switch {
		case strings.HasPrefix(command, "go ") && strings.Contains(got, "failed]"): // to build, or for want of a module
			t.Errorf("$ %s\n%s", command, got)
			got = want
		case !ok:
			got = want
		case matches(want, got):
			got = want
		case !*update:
			t.Errorf("$ %s (-the document +the command):\n%s", command, cmp.Diff(want, got))
		}
		shown.WriteString("$ " + command + "\n" + got)
	}
	return "```console\n" + shown.String() + "```"
}

// writeBlock puts code or a log into the file that its first line names.
func writeBlock(t *testing.T, dir, code string) {
	first, _, _ := strings.Cut(code, "\n")
	name := strings.TrimPrefix(strings.TrimPrefix(first, "// "), "# ")
	if name == first || !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".log") {
		return
	}
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runCommand runs a command if it is one of adtinfer, is about the module of the
// directory or its tests, or removes files.
func runCommand(dir, flags, command string) (output string, ok bool) {
	command = strings.TrimPrefix(command, "mkdir bank && cd bank && ")
	args := strings.Fields(strings.Replace(command, "go run ./cmd/adtinfer", "adtinfer", 1))
	switch args[0] {
	case "adtinfer", "go":
	case "rm":
		for _, name := range args[1:] {
			os.Remove(filepath.Join(dir, name))
		}
		return "", true
	default:
		return "", false
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS="+flags)
	out, _ := cmd.CombinedOutput()
	return string(out), true
}

// matches reports whether output is as shown, where "..." stands for any lines.
func matches(shown, output string) bool {
	var parts []string
	for _, p := range strings.Split("\n"+shown, "\n...\n") {
		parts = append(parts, regexp.QuoteMeta(p))
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, `\n(.*\n)?`) + `$`).MatchString("\n" + output)
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		shown, output string
		want          bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nc\n", false},
		{"a\n...\nb\n", "a\nb\n", true},
		{"a\n...\nb\n", "a\nx\ny\nb\n", true},
		{"...\nb\n", "x\nb\n", true},
		{"a\n...\n", "a\nx\n", true},
		{"a\n...\n", "b\nx\n", false},
	} {
		if got := matches(tt.shown, tt.output); got != tt.want {
			t.Errorf("matches(%q, %q) = %v", tt.shown, tt.output, got)
		}
	}
}

// withoutPaths are flags by which what one copy has compiled is known in the next one. (In
// scripts not: adtinfer test shows lines of code, which it finds by their paths.)
const withoutPaths = "-trimpath -ldflags=-w"

// exampleCopy copies the module as far as references need it, so that commands
// may write beside them.
func exampleCopy(t *testing.T) string {
	t.Helper()
	root, dir := projectRoot(t), t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"examples", "history", "internal", "reference"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestLinks follows the documents' links to other files.
func TestLinks(t *testing.T) {
	root := projectRoot(t)
	docs := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/logs/README.md"}
	more, _ := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	records, _ := filepath.Glob(filepath.Join(root, "docs", "decisions", "*.md"))
	experiments, _ := filepath.Glob(filepath.Join(root, "docs", "experiments", "*.md"))
	for _, path := range slices.Concat(more, records, experiments) {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, rel)
	}
	code, link := regexp.MustCompile("`[^`\n]*`"), regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, doc := range docs {
		text, err := os.ReadFile(filepath.Join(root, doc))
		if err != nil {
			t.Error(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(doc), m[1])); err != nil {
				t.Errorf("%s: link to %s: %v", doc, m[1], err)
			}
		}
	}
}

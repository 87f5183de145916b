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
	"golang.org/x/tools/go/packages"
	"gopkg.in/yaml.v3"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// workflow is what the tests look at in a workflow, or in an action, whose steps are
// those of Runs.
type workflow struct {
	On   any
	Jobs map[string]struct {
		RunsOn string `yaml:"runs-on"`
		Steps  []step
	}
	Inputs map[string]struct {
		Description string
		Required    bool
		Default     string
	}
	Runs struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, Uses, Run, Shell string
	With, Env              map[string]string
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	f, err := os.Open(filepath.Join(projectRoot(t), path))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := yaml.NewDecoder(f).Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestWorkflows: the steps of the workflows and of the action use things that exist.
func TestWorkflows(t *testing.T) {
	root := projectRoot(t)
	files, _ := filepath.Glob(filepath.Join(root, ".github", "*", "*.yml"))
	actions, _ := filepath.Glob(filepath.Join(root, ".github", "*", "*", "*.yml"))
	if len(files) < 2 || len(actions) < 1 {
		t.Fatalf("found %v %v", files, actions)
	}
	for _, path := range slices.Concat(files, actions) {
		rel, _ := filepath.Rel(root, path)
		var w workflow
		readYAML(t, rel, &w)
		steps := w.Runs.Steps
		for name, job := range w.Jobs {
			if job.RunsOn == "" || len(job.Steps) == 0 {
				t.Errorf("%s: job %s runs nowhere, or does nothing", rel, name)
			}
			steps = append(steps, job.Steps...)
		}
		if len(steps) == 0 {
			t.Errorf("%s has no steps", rel)
		}
		for _, s := range steps {
			checkStep(t, root, rel, s)
		}
	}
}

func checkStep(t *testing.T, root, file string, s step) {
	local, own := strings.CutPrefix(s.Uses, "./")
	switch {
	case (s.Uses == "") == (s.Run == ""):
		t.Errorf("%s: step %+v either uses something or runs something", file, s)
	case own:
		if _, err := os.Stat(filepath.Join(root, local, "action.yml")); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	case s.Uses != "" && !regexp.MustCompile(`^[\w-]+(/[\w-]+)+@v\d+$`).MatchString(s.Uses):
		t.Errorf("%s: %s names no version of an action", file, s.Uses)
	}
	for _, line := range strings.Split(s.Run, "\n") {
		words := strings.Fields(line)
		if len(words) > 1 && words[0] == "go" {
			checkPaths(t, root, file, words)
		}
		if len(words) == 1 && strings.Contains(words[0], "/") && !strings.Contains(words[0], "=") {
			if info, err := os.Stat(filepath.Join(root, words[0])); err != nil || info.Mode()&0o111 == 0 {
				t.Errorf("%s: %s cannot be run: %v", file, words[0], err)
			}
		}
	}
}

// checkPaths: the packages and files that a go command names exist.
func checkPaths(t *testing.T, root, file string, words []string) {
	for _, w := range words {
		if strings.HasPrefix(w, "./") || strings.HasPrefix(w, "examples/") {
			if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(w, "..."))); err != nil {
				t.Errorf("%s: %q: %v", file, strings.Join(words, " "), err)
			}
		}
	}
}

// TestAction runs what the composite action runs, as the runner does: names with
// blanks, patterns of the shell, a theory whose name would be a command.
func TestAction(t *testing.T) {
	testsize.NeedsLong(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	root, work, temp := projectRoot(t), t.TempDir(), t.TempDir()
	const theory = "$(touch pwned) queue.theory.yaml"
	for name, from := range map[string]string{theory: "examples/queue/queue.theory.yaml", "two words.log": "examples/logs/lanes.log",
		"run-1.log": "examples/logs/mutex.log", "run-2.log": "examples/logs/peek-twice.log"} {
		data, err := os.ReadFile(filepath.Join(root, from))
		if err == nil {
			err = os.WriteFile(filepath.Join(work, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var action workflow
	readYAML(t, ".github/actions/check/action.yml", &action)
	for _, name := range []string{"theory", "logs", "version"} {
		if in, ok := action.Inputs[name]; !ok || in.Description == "" || in.Required == (name == "version") {
			t.Errorf("input %s: %+v", name, in)
		}
	}
	run := func(inputs map[string]string) (string, int) {
		summary, path := filepath.Join(temp, "summary.md"), filepath.Join(temp, "path")
		os.Remove(summary)
		var out []byte
		var code int
		for _, s := range action.Runs.Steps {
			if s.Run == "" {
				continue
			}
			added, _ := os.ReadFile(path)
			cmd := exec.Command(bash, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", s.Run)
			cmd.Dir = work
			cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_PATH="+path, "GITHUB_WORKSPACE="+work, "GITHUB_STEP_SUMMARY="+summary,
				"GITHUB_ACTION_PATH="+filepath.Join(root, ".github/actions/check"), "PATH="+strings.TrimSpace(string(added))+string(os.PathListSeparator)+os.Getenv("PATH"))
			for k, v := range s.Env {
				name := strings.TrimSuffix(strings.TrimPrefix(v, "${{ inputs."), " }}")
				cmd.Env = append(cmd.Env, k+"="+inputs[name])
			}
			got, err := cmd.CombinedOutput()
			out, code = append(out, got...), cmd.ProcessState.ExitCode()
			if err != nil {
				break
			}
		}
		return string(out), code
	}
	if out, code := run(map[string]string{"theory": theory, "logs": "two words.log\nrun-1*\n"}); code != exitHolds || !strings.Contains(out, "2 logs: 0 violations\n") {
		t.Errorf("good logs: exit code %d\n%s", code, out)
	}
	out, code := run(map[string]string{"theory": theory, "logs": "run-*.log\ntwo words.log\n"})
	if code != exitViolation || !strings.Contains(out, "\n::error file=run-2.log,line=9,") && !strings.HasPrefix(out, "::error file=run-2.log,line=9,") || !strings.Contains(out, "3 logs: 1 violation\n") {
		t.Errorf("a violation: exit code %d\n%s", code, out)
	}
	if md, err := os.ReadFile(filepath.Join(temp, "summary.md")); err != nil || !strings.Contains(string(md), "| run-2.log | 9 |") {
		t.Errorf("summary %q, %v", md, err)
	}
	if _, err := os.Stat(filepath.Join(work, "pwned")); err == nil {
		t.Error("an input was run as a command")
	}
	if out, code := run(map[string]string{"theory": "none.yaml", "logs": "run-1.log"}); code != exitUsage {
		t.Errorf("no theory: exit code %d\n%s", code, out)
	}
}

// TestHooks runs the command of each hook of pre-commit on a reference.
func TestHooks(t *testing.T) {
	testsize.NeedsLong(t)
	var hooks []struct {
		ID, Name, Entry, Language string
		PassFilenames             *bool `yaml:"pass_filenames"`
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) == 0 {
		t.Fatal("there are no hooks")
	}
	for _, h := range hooks {
		words, ok := strings.CutPrefix(strings.TrimPrefix(h.Entry, "go tool "), "adtinfer ")
		if !ok || h.ID == "" || h.Name == "" || h.Language == "" || h.PassFilenames == nil || *h.PassFilenames {
			t.Errorf("hook %+v", h)
		}
		cmd := exec.Command("adtinfer", append(strings.Fields(words), "./examples/register")...)
		cmd.Dir = projectRoot(t)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "are up to date") {
			t.Errorf("%s: %v\n%s", h.Entry, err, out)
		}
	}
}

// TestRelease builds what is released, as the configuration says, for all systems and
// machines; each takes a minute, so that without ADTINFER_NIGHTLY it looks at the types
// only, where integers are short. CI's other jobs build on Windows and macOS.
func TestRelease(t *testing.T) {
	testsize.NeedsLong(t)
	var c struct {
		Version int
		Builds  []struct {
			Main         string
			Env          []string
			Flags        []string
			Ldflags      []string
			Goos, Goarch []string
			Ignore       []struct{ Goos, Goarch string }
		}
		Archives []struct{ Files []string }
	}
	readYAML(t, ".goreleaser.yaml", &c)
	if c.Version != 2 || len(c.Builds) != 1 || len(c.Archives) != 1 {
		t.Fatalf("%+v", c)
	}
	for _, name := range c.Archives[0].Files {
		if _, err := os.Stat(filepath.Join(projectRoot(t), name)); err != nil {
			t.Error(err)
		}
	}
	b, platforms := c.Builds[0], []string{}
	for _, system := range b.Goos {
		for _, machine := range b.Goarch {
			if !slices.Contains(b.Ignore, struct{ Goos, Goarch string }{system, machine}) {
				platforms = append(platforms, system+"/"+machine)
			}
		}
	}
	want := []string{"linux/amd64", "linux/arm64", "linux/386", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
	if diff := cmp.Diff(want, platforms); diff != "" {
		t.Errorf("platforms, -want +got:\n%s", diff)
	}
	for _, p := range platforms {
		system, machine, _ := strings.Cut(p, "/")
		switch {
		case !testsize.Nightly() && machine != "386":
			continue
		case !testsize.Nightly():
			checkTypes(t, b.Main, slices.Concat(os.Environ(), b.Env, []string{"GOOS=" + system, "GOARCH=" + machine}))
			continue
		}
		args := slices.Concat([]string{"build", "-o", filepath.Join(t.TempDir(), "adtinfer")}, b.Flags, []string{"-ldflags=" + strings.Join(b.Ldflags, " "), b.Main})
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = projectRoot(t), slices.Concat(os.Environ(), b.Env, []string{"GOOS=" + system, "GOARCH=" + machine})
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", p, err, out)
		}
	}
}

// checkTypes finds what does not compile on a machine, such as constants that are too
// large for its integers.
func checkTypes(t *testing.T, name string, env []string) {
	c := packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: projectRoot(t), Env: env}
	found, err := packages.Load(&c, name)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	packages.Visit(found, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Errorf("%v: %v", env[len(env)-2:], err)
		}
	})
}

// TestDockerfile: what is copied into the container exists, and so does what is built.
func TestDockerfile(t *testing.T) {
	root := projectRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	built := ""
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) < 2:
		case words[0] == "COPY" && !strings.HasPrefix(words[1], "--from="):
			for _, w := range words[1 : len(words)-1] {
				if _, err := os.Stat(filepath.Join(root, w)); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		case words[0] == "RUN" && strings.Contains(line, "go build"):
			built = words[slices.Index(words, "-o")+1]
			checkPaths(t, root, "Dockerfile", words)
		case words[0] == "COPY" && words[2] != built:
			t.Errorf("%s: built is %s", line, built)
		}
	}
	if built == "" {
		t.Error("nothing is built")
	}
}

// TestCIDoc: the examples of docs/ci.md are YAML, and their commands have flags that exist.
func TestCIDoc(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(projectRoot(t), "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(found) < 4 {
		t.Fatalf("%d examples", len(found))
	}
	for _, m := range found {
		var any any
		if err := yaml.Unmarshal([]byte(m[1]), &any); err != nil {
			t.Errorf("%v in\n%s", err, m[1])
		}
	}
	commands := regexp.MustCompile(`adtinfer ((?:check|infer) [^>\x60'|\n]*)`).FindAllStringSubmatch(string(text), -1)
	if len(commands) < 5 {
		t.Fatalf("%d commands", len(commands))
	}
	for _, m := range commands {
		words := strings.Fields(m[1])
		c, args, err := newRoot(streams{err: &strings.Builder{}}.watched()).Find(words)
		if err == nil {
			err = c.ParseFlags(args)
		}
		if err != nil {
			t.Errorf("adtinfer %s: %v", m[1], err)
		}
	}
}

package schedule

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/schedule/internal/patch"
)

// ErrUnsupported: this Go, operating system or machine is one whose programs cannot be scheduled. What wraps it says why.
var ErrUnsupported = errors.New("schedules are not supported here")

// A Toolchain is an installed Go with a changed copy of parts of its standard library beside it.
type Toolchain struct {
	Version string // as in "go1.26.0"
	machine string // that programs are for
	goroot  string
	overlay string // what the go command reads with -overlay
}

// oldest is the first Go whose bubbles (testing/synctest) can be scheduled.
const oldest = "go1.25"

// NewToolchain prepares the Go that the go command uses in a folder. The changed files stand in the folder of the user's
// cache; nothing is written outside of it.
func NewToolchain(ctx context.Context, dir string) (*Toolchain, error) {
	env, err := goEnv(ctx, dir, "GOVERSION", "GOROOT", "GOOS", "GOARCH", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	version, goroot := env[0], env[1]
	if env[2] != "linux" || env[3] != "amd64" && env[3] != "arm64" {
		return nil, fmt.Errorf("%w: linux on amd64 or arm64 is needed, and this is %s on %s", ErrUnsupported, env[2], env[3])
	}
	if len(version) < len(oldest) || version[:len(oldest)] < oldest {
		return nil, fmt.Errorf("%w: they need %s or newer, and the go command here is %s", ErrUnsupported, oldest, version)
	}
	changed, err := patch.Files(goroot, env[3])
	var missing *patch.Missing
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("%w: %s (%s): adttest falls back to free schedules", ErrUnsupported, missing, version)
	}
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("schedules: no folder for the changed files of Go: %w", err)
	}
	t := &Toolchain{Version: version, machine: env[2] + "/" + env[3], goroot: goroot}
	home := filepath.Join(cache, "adtinfer", "schedule", version+"-"+digest(goroot, changed))
	if rel, err := filepath.Rel(env[4], goroot); err == nil && filepath.IsLocal(rel) {
		t.goroot = filepath.Join(home, "goroot") // the go command takes no overlay for files of the module cache
	}
	t.overlay = filepath.Join(home, "overlay.json")
	if _, err := os.Stat(t.overlay); err == nil {
		return t, nil
	}
	if err := t.write(home, goroot, changed); err != nil {
		return nil, fmt.Errorf("schedules: cannot keep the changed files of Go (XDG_CACHE_HOME names another folder for them): %w", err)
	}
	return t, nil
}

// digest names a set of changed files.
func digest(goroot string, changed map[string]string) string {
	h := sha256.New()
	fmt.Fprintln(h, goroot)
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(changed[name]), changed[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// write makes the folder of changed files whole, or not at all.
func (t *Toolchain) write(home, goroot string, changed map[string]string) error {
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(home), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	replace := map[string]string{}
	for name, text := range changed {
		flat := strings.ReplaceAll(name, "/", "__")
		if err := os.WriteFile(filepath.Join(tmp, flat), []byte(text), 0o644); err != nil {
			return err
		}
		replace[filepath.Join(t.goroot, "src", filepath.FromSlash(name))] = filepath.Join(home, flat)
	}
	if t.goroot != goroot {
		if err := mirror(goroot, filepath.Join(tmp, "goroot")); err != nil {
			return err
		}
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), b, 0o644); err != nil {
		return err
	}
	if err := os.Rename(tmp, home); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := os.Stat(t.overlay); there != nil {
			return err
		}
	}
	return nil
}

// mirror makes a GOROOT of symbolic links.
func mirror(goroot, to string) error {
	entries, err := os.ReadDir(goroot)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(goroot, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// goEnv asks the go command for variables.
func goEnv(ctx context.Context, dir string, names ...string) ([]string, error) {
	out, err := command(ctx, "go", dir, nil, append([]string{"env"}, names...)...)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(names) {
		return nil, fmt.Errorf("go env answered %d lines for %d variables", len(lines), len(names))
	}
	return lines, nil
}

// run runs the toolchain's own go command: the one on the path may be of another version, which had it fetched.
func (t *Toolchain) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	env := []string{"GOROOT=" + t.goroot, "GODEBUG=" + godebug(), "GOTOOLCHAIN=local"}
	name := filepath.Join(t.goroot, "bin", "go")
	if _, err := os.Stat(name); err != nil {
		name = "go"
	}
	return command(ctx, name, dir, env, args...)
}

// command runs a go command and returns what it printed.
func command(ctx context.Context, name, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("there is no go command: schedules are of programs that it builds")
	case errors.As(err, &exit) && ctx.Err() == nil:
		return out, fmt.Errorf("go %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	case err != nil:
		return out, err
	}
	return out, nil
}

// output runs a program and returns what it printed on standard output.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return out, fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(string(exit.Stderr)+string(out)))
	}
	return out, err
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

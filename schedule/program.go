package schedule

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Program is the compiled tests of one package.
type Program struct {
	Package string // its import path
	Dir     string // where its tests run
	Race    bool   // built with the race detector
	Sum     string // of the sources: what tells programs apart in replay strings
	Version string // of Go
	machine string // that it is for, as linux/amd64
	binary  string
	own     []string // packages whose operations are gates, as the linker writes them
}

// BuildOptions say how test programs are built.
type BuildOptions struct {
	Race  bool              // with the race detector, which needs cgo
	Args  []string          // further flags of go test, as -tags
	Out   string            // the folder for the programs; "": the user's cache, where a program is found again as long as its sources are the same
	Files map[string]string // text of further files, by path, as if they stood there
	Deps  bool              // plain accesses and atomics of packages outside of the main module are gates, too
}

// errNoTests: the packages have no tests.
var errNoTests = errors.New("no test files")

// Build compiles the test programs of packages, one at a time. The go command keeps what it compiled: what did not change
// is not compiled again.
func (t *Toolchain) Build(ctx context.Context, dir string, patterns []string, o BuildOptions) ([]*Program, error) {
	if len(o.Files) > 0 {
		own, err := t.with(o)
		if err != nil {
			return nil, err
		}
		t, o.Args = own, append(slices.Clone(o.Args), "-overlay", own.overlay)
	}
	roots, err := t.list(ctx, dir, o.Args, patterns...)
	if err != nil {
		return nil, err
	}
	var programs []*Program
	for i, root := range roots {
		if len(root.tests()) == 0 {
			continue
		}
		deps, err := t.list(ctx, dir, append([]string{"-deps", "-test"}, o.Args...), root.path)
		if err != nil {
			return nil, err
		}
		p := &Program{Package: root.path, Dir: root.dir, Race: o.Race, Version: t.Version, machine: t.machine}
		if p.Sum, err = summed(deps, t.overlay, fmt.Sprint(o.Race, o.Args, o.Deps)); err != nil {
			return nil, err
		}
		own, err := t.gated(ctx, dir, p, deps, o.Args)
		if err != nil {
			return nil, err
		}
		if p.binary, err = t.place(o, p, i); err != nil {
			return nil, err
		}
		if _, err := os.Stat(p.binary); err != nil {
			if err := t.compile(ctx, dir, p, own, o); err != nil {
				return nil, err
			}
		}
		programs = append(programs, p)
	}
	if len(programs) == 0 {
		return nil, fmt.Errorf("%s: %w", strings.Join(patterns, " "), errNoTests)
	}
	return programs, nil
}

// with is a toolchain whose overlay has further files.
func (t *Toolchain) with(o BuildOptions) (*Toolchain, error) {
	text, err := os.ReadFile(t.overlay)
	if err != nil {
		return nil, fmt.Errorf("schedules: %w", err)
	}
	var all struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("schedules: %s: %w", t.overlay, err)
	}
	for path, text := range o.Files {
		file := filepath.Join(o.Out, fmt.Sprintf("%d-%s", len(all.Replace), filepath.Base(path)))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		all.Replace[path] = file
	}
	if text, err = json.Marshal(all); err != nil {
		return nil, err
	}
	own := *t
	own.overlay = filepath.Join(o.Out, "overlay.json")
	return &own, os.WriteFile(own.overlay, text, 0o600)
}

// mostPrograms is how many programs stay in the user's cache.
const mostPrograms = 20

// place is where a program goes. Of those in the user's cache the oldest go.
func (t *Toolchain) place(o BuildOptions, p *Program, number int) (string, error) {
	if o.Out != "" {
		return filepath.Join(o.Out, fmt.Sprintf("%s-%d.test", filepath.Base(p.Package), number)), nil
	}
	dir := filepath.Join(filepath.Dir(filepath.Dir(t.overlay)), "programs")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("schedules: %w", err)
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("schedules: %w", err)
	}
	age := func(e os.DirEntry) int64 {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(old, func(a, b os.DirEntry) int { return cmp.Compare(age(b), age(a)) })
	for _, e := range old[min(mostPrograms, len(old)):] {
		_ = os.Remove(filepath.Join(dir, e.Name())) // another process may have been faster
	}
	return filepath.Join(dir, fmt.Sprintf("%s-%s.test", filepath.Base(p.Package), p.Sum)), nil
}

// compile makes a program: whole, or not at all.
func (t *Toolchain) compile(ctx context.Context, dir string, p *Program, own []listed, o BuildOptions) error {
	tmp := fmt.Sprintf("%s.%d", p.binary, os.Getpid())
	defer os.Remove(tmp)
	args := []string{"test", "-c", "-vet=off", "-overlay", t.overlay, "-o", tmp}
	if o.Race {
		args = append(args, "-race")
	} else {
		// Without -race at link time this makes plain accesses and atomics calls, which the changed runtime has as gates.
		for _, d := range own {
			if d.main || o.Deps || d.path == p.Package {
				args = append(args, "-gcflags="+d.path+"=-race")
			}
		}
	}
	if _, err := t.run(ctx, dir, append(append(args, o.Args...), p.Package)...); err != nil {
		return fmt.Errorf("%s does not compile: %w", p.Package, err)
	}
	return os.Rename(tmp, p.binary)
}

// godebug is GODEBUG with the timers that bubbles need.
func godebug() string {
	return strings.TrimPrefix(os.Getenv("GODEBUG")+",asynctimerchan=0", ",")
}

// listed is a package that the go command knows.
type listed struct {
	path, dir      string
	standard, main bool // of the standard library; of the main module
	files          string
}

func (l *listed) tests() []string {
	return slices.DeleteFunc(strings.Fields(l.files), func(f string) bool { return !strings.HasSuffix(f, "_test.go") })
}

func (t *Toolchain) list(ctx context.Context, dir string, flags []string, patterns ...string) ([]listed, error) {
	const sep = "\x1f"
	format := strings.Join([]string{"{{.ImportPath}}", "{{.Dir}}", "{{.Standard}}", "{{with .Module}}{{.Main}}{{end}}",
		`{{join .GoFiles " "}} {{join .CgoFiles " "}} {{join .SFiles " "}} {{join .EmbedFiles " "}} {{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}`}, sep)
	args := append(append([]string{"list"}, flags...), "-f", format)
	out, err := t.run(ctx, dir, append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), sep)
		path, _, _ := strings.Cut(f[0], " ") // "p [q.test]" is p, compiled for a test
		all = append(all, listed{path: path, dir: f[1], standard: f[2] == "true", main: f[3] == "true", files: f[4]})
	}
	return all, nil
}

// adttest makes its schedules itself: nothing that it consists of has gates, but for one function.
const (
	adttest     = "github.com/adtinfer/adtinfer/adttest"
	adttestGate = adttest + ".between"
)

// gated are the packages whose operations are gates: those outside of the standard library and of adttest.
func (t *Toolchain) gated(ctx context.Context, dir string, p *Program, deps []listed, args []string) (own []listed, err error) {
	out := map[string]bool{}
	if slices.ContainsFunc(deps, func(d listed) bool { return d.path == adttest }) {
		except, err := t.list(ctx, dir, append([]string{"-deps"}, args...), adttest)
		if err != nil {
			return nil, err
		}
		for _, d := range except {
			out[d.path] = true
		}
		p.own = append(p.own, adttestGate)
	}
	for _, d := range deps {
		if !d.standard && !out[d.path] && !strings.HasSuffix(d.path, ".test") {
			own, out[d.path] = append(own, d), true
			p.own = append(p.own, symbol(d.path))
		}
	}
	return own, nil
}

// summed is a digest of the sources of packages, and of what else a program depends on.
func summed(deps []listed, more ...string) (string, error) {
	h := sha256.New()
	for _, d := range deps {
		if d.standard || strings.HasSuffix(d.path, ".test") {
			continue
		}
		for f := range strings.FieldsSeq(d.files) {
			if !filepath.IsAbs(f) {
				f = filepath.Join(d.dir, f)
			}
			text, err := os.ReadFile(f)
			if os.IsNotExist(err) {
				continue // made by cgo
			}
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s %d\n", filepath.Base(f), len(text))
			h.Write(text)
		}
	}
	fmt.Fprint(h, more)
	return fmt.Sprintf("%x", h.Sum(nil)[:4]), nil
}

// symbol is a package's path as the linker writes it: dots of the last element are escaped.
func symbol(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(path[slash:], ".", "%2e")
}

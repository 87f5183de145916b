package schedule

import (
	"context"
	"crypto/sha256"
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
	binary  string
	own     []string // packages whose operations are gates, as the linker writes them
}

// BuildOptions say how test programs are built.
type BuildOptions struct {
	Race bool     // with the race detector, which needs cgo
	Args []string // further flags of go test, as -tags
	Out  string   // the folder for the programs
}

// ErrNoTests: the packages have no tests.
var ErrNoTests = errors.New("no test files")

// Build compiles the test programs of packages, one at a time. The go command keeps what it compiled: what did not change
// is not compiled again.
func (t *Toolchain) Build(ctx context.Context, dir string, patterns []string, o BuildOptions) ([]*Program, error) {
	const sep = "\x1f"
	format := strings.Join([]string{"{{.ImportPath}}", "{{.Dir}}", "{{.Standard}}", `{{join .GoFiles " "}} {{join .CgoFiles " "}} {{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}`, "{{.ForTest}}"}, sep)
	list := append(append([]string{"list"}, o.Args...), "-f", format)
	roots, err := t.list(ctx, dir, append(list, patterns...))
	if err != nil {
		return nil, err
	}
	modules, err := command(ctx, dir, t.env(), "list", "-m")
	if err != nil {
		return nil, err
	}
	var programs []*Program
	for _, root := range roots {
		if len(root.tests()) == 0 {
			continue
		}
		deps, err := t.list(ctx, dir, append(append([]string{"list", "-deps", "-test"}, o.Args...), "-f", format, root.path))
		if err != nil {
			return nil, err
		}
		p := &Program{Package: root.path, Dir: root.dir, Race: o.Race, Version: t.Version}
		if p.own, p.Sum, err = summed(deps); err != nil {
			return nil, err
		}
		p.binary = filepath.Join(o.Out, fmt.Sprintf("%s-%d.test", filepath.Base(root.path), len(programs)))
		args := []string{"test", "-c", "-vet=off", "-overlay", t.overlay, "-o", p.binary}
		if o.Race {
			p.binary += ".race"
			args = []string{"test", "-c", "-vet=off", "-overlay", t.overlay, "-race", "-o", p.binary}
		} else {
			// Without -race at link time this makes plain accesses and atomics calls, which the changed runtime has as gates.
			for m := range strings.FieldsSeq(string(modules)) {
				args = append(args, "-gcflags="+m+"/...=-race")
			}
		}
		if _, err := command(ctx, dir, t.env(), append(append(args, o.Args...), root.path)...); err != nil {
			return nil, fmt.Errorf("%s does not compile: %w", root.path, err)
		}
		programs = append(programs, p)
	}
	if len(programs) == 0 {
		return nil, fmt.Errorf("%s: %w", strings.Join(patterns, " "), ErrNoTests)
	}
	return programs, nil
}

func (t *Toolchain) env() []string {
	return []string{"GOROOT=" + t.goroot, "GODEBUG=" + godebug(), "GOTOOLCHAIN=local"}
}

// godebug is GODEBUG with the timers that bubbles need.
func godebug() string {
	return strings.TrimPrefix(os.Getenv("GODEBUG")+",asynctimerchan=0", ",")
}

// listed is a package that the go command knows.
type listed struct {
	path, dir string
	standard  bool
	files     string
}

func (l *listed) tests() []string {
	return slices.DeleteFunc(strings.Fields(l.files), func(f string) bool { return !strings.HasSuffix(f, "_test.go") })
}

func (t *Toolchain) list(ctx context.Context, dir string, args []string) ([]listed, error) {
	out, err := command(ctx, dir, t.env(), args...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x1f")
		path, _, _ := strings.Cut(f[0], " ") // "p [q.test]" is p, compiled for a test
		all = append(all, listed{path: path, dir: f[1], standard: f[2] == "true", files: f[3]})
	}
	return all, nil
}

// summed returns the packages outside of the standard library, and a digest of their sources.
func summed(deps []listed) (own []string, sum string, err error) {
	h := sha256.New()
	for _, d := range deps {
		if d.standard || strings.HasSuffix(d.path, ".test") {
			continue
		}
		if name := symbol(d.path); !slices.Contains(own, name) {
			own = append(own, name)
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
				return nil, "", err
			}
			fmt.Fprintf(h, "%s %d\n", filepath.Base(f), len(text))
			h.Write(text)
		}
	}
	return own, fmt.Sprintf("%x", h.Sum(nil)[:4]), nil
}

// symbol is a package's path as the linker writes it: dots of the last element are escaped.
func symbol(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(path[slash:], ".", "%2e")
}

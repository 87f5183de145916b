package origin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Source is the source of a package, as it is now.
type Source struct {
	Package string // its import path
	Dir     string
	Module  string // the path of its module; "" if it is in none of the user's
	ModFile string // go.mod of that module
	Hash    string // of its files, and of those of the packages that it imports from modules that have no version
	Go      string // the version of the go command
	Build   string // what else its program depends on: versions of modules, and how the go command builds

	newest time.Time // when the last of its files was written
	local  []listed  // the packages whose files are in the hash
	tests  bool
}

// Unchanged reports whether the files are still those in the hash, and no others came.
func (s *Source) Unchanged() bool {
	now := Source{local: s.local, tests: s.tests}
	for _, p := range s.local {
		if info, err := os.Stat(p.Dir); err != nil || info.ModTime() != p.changed {
			return false
		}
	}
	return now.hash() == nil && now.Hash == s.Hash
}

// listed is what go list says of a package.
type listed struct {
	Dir, ImportPath string
	Module          *module

	GoFiles, CgoFiles, IgnoredGoFiles, IgnoredOtherFiles, EmbedFiles       []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SysoFiles []string
	SwigCXXFiles                                                           []string

	changed time.Time // its directory
}

type module struct {
	Path, Version, GoMod string
	Main                 bool
	Replace              *module
}

// local reports whether the package's files may change without its version: it is
// of the user's module, or of one that is replaced by a directory.
func (p *listed) local() bool {
	m := p.Module
	for m != nil && m.Replace != nil {
		m = m.Replace
	}
	return m != nil && m.Version == ""
}

// files are the package's files, whatever the platform: names below Dir. Of the
// packages that are made for tests these count.
func (p *listed) files(tests bool) []string {
	all := slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.IgnoredOtherFiles, p.EmbedFiles,
		p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles)
	all = slices.DeleteFunc(all, func(name string) bool {
		return filepath.IsAbs(name) || !tests && strings.HasSuffix(name, "_test.go") // absolute: the main function of tests
	})
	slices.Sort(all)
	return slices.Compact(all)
}

const listFields = "-json=Dir,ImportPath,Module,GoFiles,CgoFiles,IgnoredGoFiles,IgnoredOtherFiles,EmbedFiles," +
	"CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles"

// Of is the source of the package in a directory. Nothing is downloaded for it.
func Of(ctx context.Context, dir string) (*Source, error) { return packages(ctx, dir, ".", false) }

// packages is the source of a package, by its path as seen from a directory; with
// that of its tests, if they are asked for. The error says that there is none, or is
// the go command's.
func packages(ctx context.Context, dir, pkg string, tests bool) (*Source, error) {
	args := []string{"list", "-deps", "-e", listFields, "--", pkg}
	if tests {
		args = slices.Insert(args, 1, "-test")
	}
	out, err := goCommand(ctx, dir, args...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var p listed
		err := d.Decode(&p)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("origin: go list: %w", err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, errNone
	}
	if !tests {
		all = withoutOurs(all)
	}
	p := &all[len(all)-1] // after what it imports
	if p.Dir == "" || len(p.files(tests)) == 0 && !tests {
		return nil, errNone
	}
	s := &Source{Package: p.ImportPath, Dir: p.Dir}
	if p.Module != nil && p.Module.Main {
		s.Module, s.ModFile = p.Module.Path, p.Module.GoMod
	}
	s.tests = tests
	for i := range all {
		if p := &all[i]; p.local() {
			if info, err := os.Stat(p.Dir); err == nil {
				p.changed = info.ModTime()
			}
			s.local = append(s.local, *p)
		}
	}
	if err := s.hash(); err != nil {
		return nil, err
	}
	env, err := goCommand(ctx, dir, append([]string{"env", "GOVERSION"}, buildVariables...)...)
	s.Go, s.Build, _ = strings.Cut(strings.TrimSpace(env), "\n")
	s.Build += "\n" + strings.Join(versions(all), "\n")
	return s, err
}

// buildVariables are those of the go command's environment on which programs depend, beside
// the machine and the version.
var buildVariables = []string{"GOFLAGS", "GOEXPERIMENT", "GODEBUG", "CGO_ENABLED", "CGO_CFLAGS", "CGO_LDFLAGS", "GOAMD64", "GOARM64"}

// versions are those of the modules of packages that are not local.
func versions(all []listed) (of []string) {
	for i := range all {
		for m := all[i].Module; m != nil; m = m.Replace {
			if m.Version != "" && !all[i].local() {
				of = append(of, m.Path+" "+m.Version)
			}
		}
	}
	slices.Sort(of)
	return slices.Compact(of)
}

// withoutOurs leaves out packages of adtinfer, which a reference imports to say what
// it is: what it does is nothing of theirs. References within adtinfer's own module,
// which are examples and for tests, stay.
func withoutOurs(all []listed) []listed {
	last := len(all) - 1
	return append(slices.DeleteFunc(slices.Clone(all[:last]), func(p listed) bool {
		rest, ours := strings.CutPrefix(p.ImportPath, "github.com/adtinfer/adtinfer/")
		return ours && !strings.HasPrefix(rest, "examples/") && !strings.Contains(rest, "testdata/")
	}), all[last])
}

// errNone is the error of a package that does not exist.
var errNone = errors.New("origin: there is no such package")

// hash makes the hash of the local packages' files, by import path and name. A line
// of Go ends as its author's editor has it: that is no difference.
func (s *Source) hash() error {
	slices.SortFunc(s.local, func(p, q listed) int { return strings.Compare(p.ImportPath, q.ImportPath) })
	h := sha256.New()
	for i := range s.local {
		p := &s.local[i]
		for _, name := range p.files(s.tests) {
			file := filepath.Join(p.Dir, name)
			text, err := os.ReadFile(file)
			if err != nil {
				return fmt.Errorf("origin: %w", err)
			}
			if info, err := os.Stat(file); err == nil {
				s.newest = newest(s.newest, info.ModTime())
			}
			if strings.HasSuffix(name, ".go") {
				text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
			}
			fmt.Fprintf(h, "%q %d\n", path.Join(p.ImportPath, filepath.ToSlash(name)), len(text))
			h.Write(text)
		}
	}
	s.Hash = "sha256:" + hex.EncodeToString(h.Sum(nil))
	return nil
}

// Offline is an environment in which the go command downloads nothing.
func Offline(env []string) []string {
	env = slices.Clone(env)
	for i, kv := range env {
		if flags, ok := strings.CutPrefix(kv, "GOFLAGS="); ok { // -mod=mod would change go.mod
			keep := slices.DeleteFunc(strings.Fields(flags), func(f string) bool { return strings.TrimLeft(f, "-") == "mod=mod" })
			env[i] = "GOFLAGS=" + strings.Join(keep, " ")
		}
	}
	return append(env, "GOPROXY=off", "GONOPROXY=none", "GOVCS=*:off")
}

// goCommand runs the go command for this machine, in a directory. Its failure is an
// error with its text.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	temp, err := os.MkdirTemp("", "adtinfer-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp) // with what an interrupted go command leaves
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(Offline(os.Environ()), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "PWD="+dir, "GOTMPDIR="+temp)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		if said := strings.TrimSpace(stderr.String()); said != "" {
			err = fmt.Errorf("%w\n%s", err, said)
		}
		return "", fmt.Errorf("origin: go %s: %w", args[0], err)
	}
	return string(out), nil
}

package reference

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// build lays the driver over the user's tree and has the go command build it.
// The program it returns is our own copy.
func (l *loader) build(ctx context.Context, p *listed, s *selection) (string, error) {
	o := overlay{temp: filepath.Join(l.temp, "overlay"), Replace: map[string]string{}}
	libDir, libPath := p.host, p.hostPath
	if p.Module != nil && p.Module.Main { // compiled once for all packages of the module
		libDir, libPath = p.Module.Dir, p.Module.Path
	}
	lib, run := driverDir(libDir), driverDir(p.host)
	driverPath := libPath + "/" + lib
	target := "./" + run + "/run"
	args := []string{"build", "-buildvcs=false"}
	o.addDriver(filepath.Join(libDir, lib), driverPath, s.isSpec)
	if s.inside {
		target = "."
		args = []string{"test", "-c", "-vet=off", "-buildvcs=false"}
		for _, f := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			o.Replace[filepath.Join(p.Dir, f)] = ""
		}
		o.add(filepath.Join(p.Dir, "adtinfer_driver_test.go"), s.testFile(p, driverPath))
		if s.made != nil {
			o.add(filepath.Join(p.Dir, "adtinfer_new_test.go"), s.made.file(p, true, driverPath))
		}
	} else {
		o.add(filepath.Join(p.host, run, "run", "main.go"), s.mainFile(p, driverPath))
		if s.made != nil {
			o.add(filepath.Join(p.host, run, "run", "new.go"), s.made.file(p, false, driverPath))
		}
	}
	plain := maps.Clone(o.Replace)
	if !p.Standard {
		clocked := s.chance.Rewritten(driverPath + "/clock")
		for _, file := range slices.Sorted(maps.Keys(clocked)) {
			o.add(file, clocked[file])
		}
	}
	args = append(args, "-overlay", o.file())
	exe, err := l.overlaid(ctx, p, s, &o, args, target)
	if err != nil && len(o.Replace) > len(plain) && ctx.Err() == nil { // are the clocks to blame?
		o.Replace = plain
		return l.overlaid(ctx, p, s, &o, args, target)
	}
	return exe, err
}

// overlaid writes the overlay and builds the program.
func (l *loader) overlaid(ctx context.Context, p *listed, s *selection, o *overlay, args []string, target string) (string, error) {
	if err := o.write(); err != nil {
		return "", fmt.Errorf("reference: %w", err)
	}
	return l.compile(ctx, p, s, args, target)
}

// driverDir is the name of a directory that does not exist under host.
func driverDir(host string) string {
	name := "adtinferdriver"
	for {
		if _, err := os.Lstat(filepath.Join(host, name)); err != nil {
			return name
		}
		name += "x"
	}
}

// compile runs go build (or go test -c). The program is first built at a place
// that stays, where the go command finds its own last work and need not link
// again; whether that is up to date is its decision. If another process is at
// that place, ours is built from scratch.
func (l *loader) compile(ctx context.Context, p *listed, s *selection, args []string, target string) (string, error) {
	own := filepath.Join(l.temp, "driver.exe")
	lasting, unlock := lastingPlace(p.Dir, s.expression("ref.")+args[0], l.New)
	defer unlock()
	out := own
	if lasting != "" {
		out = lasting
	}
	if _, err := l.goCommand(ctx, p.host, append(args, "-o", out, target)...); err != nil {
		return "", l.buildError(err, s)
	}
	if out == own {
		return own, nil
	}
	if os.Link(lasting, own) == nil {
		return own, nil
	}
	return own, copyFile(own, lasting)
}

// buildError says which part failed: the user's package or our way of using it.
func (l *loader) buildError(err error, s *selection) error {
	var e *LoadError
	if !errors.As(err, &e) {
		return err
	}
	if given := s.inNew(l, e.Output); given != nil {
		return given
	}
	e.Msg = "it does not compile"
	if ours := overlaid().FindAllStringSubmatch(e.Output, -1); ours != nil && s.typeArgs != "" {
		e.Msg = fmt.Sprintf("%s cannot be instantiated with %s: %s", s.name, s.typeArgs, ours[0][1])
		e.Output, e.Hint = "", "choose another type argument"
	}
	return e
}

// overlaid is an error in a file of ours, about which the user knows nothing.
var overlaid = wording.Regexp(`(?m)^.*adtinfer-\d+[/\\]overlay[/\\]\d+\.go:\d+:\d+: (.*)$`)

// lastingPlace is a path for a program under the user's cache directory, locked
// for this process; "" if there is none to be had.
func lastingPlace(parts ...string) (path string, unlock func()) {
	none := func() {}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", none
	}
	dir := filepath.Join(cache, "adtinfer", "drivers")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", none
	}
	prune(dir)
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	path = filepath.Join(dir, fmt.Sprintf("%x.exe", sum[:12]))
	lock := path + ".lock"
	if fi, err := os.Stat(lock); err == nil && time.Since(fi.ModTime()) > 10*time.Minute {
		os.Remove(lock) // of a process that was killed
	}
	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return "", none
	}
	f.Close()
	return path, func() { os.Remove(lock) }
}

// mostPrograms is how many programs of the last days are kept, of some 5 MB each.
const mostPrograms = 200

// prune removes programs that were built a month ago, and the oldest of too many, but for those that may be
// in use.
func prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var all []fs.FileInfo
	for _, e := range entries {
		if fi, err := e.Info(); err == nil {
			all = append(all, fi)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for i, fi := range all {
		if age := time.Since(fi.ModTime()); age > 30*24*time.Hour || i >= mostPrograms && age > time.Hour {
			os.Remove(filepath.Join(dir, fi.Name()))
		}
	}
}

// overlay is the go command's -overlay file with the files it speaks of.
type overlay struct {
	Replace map[string]string
	temp    string
	files   []string // contents, by number
}

// add lays a text over a path.
func (o *overlay) add(path, text string) {
	o.Replace[path] = filepath.Join(o.temp, fmt.Sprintf("%d.go", len(o.files)))
	o.files = append(o.files, text)
}

// addDriver lays the driver's source over a directory, whose import path is path; where a
// Spec brings it along, the clock alone.
func (o *overlay) addDriver(dir, path string, clockAlone bool) {
	ours := reflect.TypeFor[driver.Object]().PkgPath()
	err := fs.WalkDir(driver.Source, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == "source.go" || strings.HasSuffix(name, "_test.go") || clockAlone && !strings.HasPrefix(name, "clock/") {
			return err
		}
		text, err := driver.Source.ReadFile(name)
		o.add(filepath.Join(dir, filepath.FromSlash(name)), strings.ReplaceAll(string(text), `"`+ours+"/", `"`+path+"/"))
		return err
	})
	if err != nil {
		panic(err) // embedded
	}
}

func (o *overlay) file() string { return filepath.Join(o.temp, "overlay.json") }

func (o *overlay) write() error {
	for i, text := range o.files {
		if err := writeFile(filepath.Join(o.temp, fmt.Sprintf("%d.go", i)), text); err != nil {
			return err
		}
	}
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return writeFile(o.file(), string(b))
}

// writeFile writes a file and makes the directory for it.
func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// copyFile copies a program.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return fmt.Errorf("reference: %w", err)
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	return nil
}

// mainFile is the program around an importable package. Language and library
// are old on purpose: the user's go.mod decides what may be used.
func (s *selection) mainFile(p *listed, driverPath string) string {
	return fmt.Sprintf(`package main

import (
	"fmt"
	"os"

%s)

func main() {
%s}
`, s.imports(p, driverPath), s.body("ref."))
}

// testFile is the program inside a package that cannot be imported: its own test.
func (s *selection) testFile(p *listed, driverPath string) string {
	return fmt.Sprintf(`package %s

import (
	"fmt"
	"os"
	"testing"

%s)

func TestMain(*testing.M) {
%s}
`, p.Name, s.driverImport(driverPath), s.body(""))
}

// imports are those of the program around an importable package.
func (s *selection) imports(p *listed, driverPath string) string {
	if s.made != nil && s.typeList("") == "" && s.errorList("", "%s %s") == "" { // another file imports the package
		return s.driverImport(driverPath)
	}
	return fmt.Sprintf("\tref %q\n", p.ImportPath) + s.driverImport(driverPath)
}

// driverImport is needed without a Spec; with one, the user's package brings
// our code along.
func (s *selection) driverImport(path string) string {
	if s.isSpec {
		return ""
	}
	return fmt.Sprintf("\tadtinferdriver %q\n", path)
}

// typeList lists what interfaces may be given, as nil pointers.
func (s *selection) typeList(qualifier string) string {
	var b strings.Builder
	for _, name := range s.plain {
		if s.inside || token.IsExported(name) {
			fmt.Fprintf(&b, "(*%s%s)(nil), ", qualifier, name)
		}
	}
	return b.String()
}

// errorList lists the errors that variables of the package hold, each by a line.
func (s *selection) errorList(qualifier, line string) string {
	var b strings.Builder
	for _, name := range s.errors {
		if own := wording.ErrorOfVariable(name); own != "" && (s.inside || token.IsExported(name)) {
			fmt.Fprintf(&b, line, own, qualifier+name)
		}
	}
	return b.String()
}

// body talks on the real standard input and output and keeps the package away
// from both.
func (s *selection) body(qualifier string) string {
	spec, serve := "", "spec.Serve(in, out)"
	if s.isSpec {
		spec = fmt.Sprintf(`	spec, errs := %s, map[string]error{}
	add := func(name string, value interface{}) {
		errs[name], _ = value.(error)
	}
%s	for name, err := range spec.Errors {
		add(name, err)
	}
	spec.Errors = errs
`, s.expression(qualifier), s.errorList(qualifier, "\tadd(%q, %s)\n"))
	} else {
		serve = fmt.Sprintf("adtinferdriver.Serve(adtinferdriver.Object{New: %s, Called: %q, Zero: %v, Types: []interface{}{%s}, Errors: []adtinferdriver.NamedError{%s}}, in, out)",
			s.expression(qualifier), s.call(), s.made == nil && s.ctor == "", s.typeList(qualifier), s.errorList(qualifier, "{Name: %q, Value: %s}, "))
	}
	return spec + fmt.Sprintf(`	in, out := os.Stdin, os.Stdout
	os.Stdin, _ = os.Open(os.DevNull)
	os.Stdout = os.Stderr
	if err := %s; err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
`, serve)
}

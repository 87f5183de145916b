package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/adtinfer/adtinfer/explore/internal/standard"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// listed is a package as the go command lists it.
type listed = packages.Package

// list asks the go command for the package and all that it imports. Build tags,
// GOFLAGS, vendoring and go.work are its business.
func (l *loader) list(ctx context.Context) (*listed, error) {
	cfg := &packages.Config{
		Context: ctx,
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:     l.Dir,
		Env:     append(os.Environ(), append(l.Env, "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)...),
	}
	if len(l.Tags) > 0 {
		cfg.BuildFlags = []string{"-tags=" + strings.Join(l.Tags, ",")}
	}
	list := func(patterns []string) ([]*listed, error) {
		all, err := packages.Load(cfg, patterns...)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, l.goFailed(err.Error())
		}
		return all, nil
	}
	all, err := list([]string{l.pattern})
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fail("%s is %d packages, not one", l.said, len(all))
	}
	p := all[0]
	if p.Module != nil {
		l.root = p.Module.Dir
	}
	if err := l.listProblems(p); err != nil {
		return nil, err
	}
	l.Dir = filepath.Dir(p.GoFiles[0])
	if err := l.counts(p, list); err != nil {
		return nil, err
	}
	return p, l.layOver(p, list)
}

// counter is the package by which callbacks count their calls.
const counter = "sync/atomic"

// counts sees to it that the counter is loaded if callbacks are given.
func (l *loader) counts(p *listed, list func(patterns []string) ([]*listed, error)) error {
	known := !l.Callbacks
	packages.Visit([]*listed{p}, nil, func(q *listed) { known = known || q.PkgPath == counter })
	if known {
		return nil
	}
	all, err := list([]string{counter})
	if err == nil {
		p.Imports[counter] = all[0]
	}
	return err
}

// goFailed rewords what the go command said.
func (l *loader) goFailed(text string) error {
	switch {
	case strings.Contains(text, "go.mod file not found"), strings.Contains(text, "cannot find main module"), strings.Contains(text, "outside main module"):
		return fail("%s is in no Go module; run `go mod init example.com/name` there", l.said)
	case strings.Contains(text, "executable file not found"):
		return fail("the go command, which finds packages, is not on the PATH")
	}
	return fail("%s cannot be listed: %s", l.said, strings.TrimSpace(text))
}

// listProblems are what the go command found wrong with the package or with one that
// it imports.
func (l *loader) listProblems(p *listed) error {
	var list []Problem
	packages.Visit([]*listed{p}, nil, func(q *listed) {
		for _, e := range q.Errors {
			list = append(list, l.listProblem(p, e))
		}
	})
	if len(list) > 0 {
		return problems(list)
	}
	if len(p.GoFiles) == 0 {
		return fail("there are no Go files in %s", l.said)
	}
	if isStandard(p) && l.pattern == "." { // as without modules
		return l.goFailed("go.mod file not found")
	}
	if isStandard(p) && (standard.Replaces(p.PkgPath) || isClosed(p.PkgPath)) {
		return fail("%s is a part of the standard library that the explorer knows in its own way; write a package with a type whose methods use it", p.PkgPath)
	}
	return nil
}

func (l *loader) listProblem(p *listed, e packages.Error) Problem {
	switch {
	case p.Module == nil && (strings.Contains(e.Msg, "go.mod") || strings.Contains(e.Msg, "main module") || strings.Contains(e.Msg, "directory prefix")):
		return Problem{What: l.goFailed("go.mod file not found").Error()}
	case l.pattern != "." && len(p.GoFiles) == 0:
		return Problem{What: fmt.Sprintf("%s is no folder, and no package that can be found from here; run `go get %s` if it should be one", l.said, l.said)}
	case strings.Contains(e.Msg, "no Go files in"), strings.Contains(e.Msg, "no non-test Go files"):
		return Problem{What: "there are no Go files in " + l.said}
	case strings.Contains(e.Msg, "build constraints exclude all Go files"):
		return Problem{What: fmt.Sprintf("all Go files in %s are left out by build constraints; give their tags", l.said)}
	}
	pos := l.position(e.Pos)
	pos.What = e.Msg
	return pos
}

var fileLineCol = wording.Regexp(`^(.*?):(\d+)(?::(\d+))?$`)

// position reads file:line:col.
func (l *loader) position(text string) Problem {
	m := fileLineCol().FindStringSubmatch(text)
	if m == nil {
		return Problem{}
	}
	line, _ := strconv.Atoi(m[2]) // digits
	col, _ := strconv.Atoi(m[3])  // digits, or nothing
	if !filepath.IsAbs(m[1]) {
		m[1] = filepath.Join(l.Dir, m[1])
	}
	return Problem{File: relative(l.root, m[1]), Line: line, Col: col}
}

// isStandard reports whether a package is one of the standard library.
func isStandard(p *listed) bool { return p.Module == nil }

// closed are the packages, with those below them, of whose functions only
// signatures are loaded, unless they are replaced.
var closed = []string{
	"runtime", "reflect", "syscall", "os", "net", "crypto", "vendor", "go", "testing", "plugin", "debug", "database", "html", "image", "log",
	"encoding/json", "encoding/gob", "encoding/xml", "text/template",
	"internal/runtime", "internal/cpu", "internal/poll", "internal/reflectlite", "internal/syscall",
	"github.com/adtinfer/adtinfer/reference", "github.com/adtinfer/adtinfer/record/refine",
}

// reach finds the packages that run when this one does: those that it imports by way of
// packages whose code is loaded.
func reach(p *listed, all map[*listed]bool) {
	if all[p] || isClosed(p.PkgPath) {
		return
	}
	all[p] = true
	for _, d := range p.Imports {
		reach(d, all)
	}
}

// isClosed reports whether a package is loaded without the bodies of its functions.
func isClosed(pkg string) bool {
	return !standard.Replaces(pkg) && slices.ContainsFunc(closed, func(c string) bool { return pkg == c || strings.HasPrefix(pkg, c+"/") })
}

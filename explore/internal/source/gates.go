package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Gates is the source of a package with a gate before each of some synchronization operations, so
// that a test decides which goroutine goes on.
type Gates struct {
	Dir      string
	Files    map[string]string // changed files, by path
	Wrappers string            // the file with the functions New and Ops
	New      string
	Ops      []string
	Without  map[Problem]bool // places before which no gate fits
}

// place is where a call is: relative to the root, the line, the column of its parenthesis.
type place struct {
	file      string
	line, col int
}

// Gate puts gates before calls at places: file, line, column of the opening parenthesis. A
// gate is gate(number, x) around what the method is called of, or the first argument of a function, or the
// last argument; a call that is deferred becomes deferred(number, f).
func (p *Package) Gate(gate, deferred string, at map[Problem]int) *Gates {
	g := &Gates{Files: map[string]string{}, Without: map[Problem]bool{}, Wrappers: p.wrappers, New: p.New.Name()}
	for _, op := range p.Ops {
		g.Ops = append(g.Ops, op.Func.Name())
	}
	left := map[place]int{}
	for x, n := range at {
		left[place{x.File, x.Line, x.Col}] = n
	}
	for _, f := range p.files {
		name := p.fset.Position(f.Package).Filename
		g.Dir = filepath.Dir(name)
		var edits []edit
		ast.Inspect(f, func(n ast.Node) bool {
			d, isDefer := n.(*ast.DeferStmt)
			call, ok := n.(*ast.CallExpr)
			if isDefer {
				call = d.Call
			}
			if !ok && !isDefer {
				return true
			}
			for _, pos := range []token.Pos{call.Lparen, n.Pos()} {
				to := p.fset.Position(pos)
				k := place{relative(p.Root, to.Filename), to.Line, to.Column}
				number, ok := left[k]
				if !ok {
					continue
				}
				if e := p.gated(call, isDefer, fmt.Sprintf("%s(%d, ", gate, number), fmt.Sprintf("%s(%d, ", deferred, number)); e != nil {
					delete(left, k)
					edits = append(edits, e...)
					return !isDefer
				}
			}
			return true
		})
		if len(edits) > 0 {
			g.Files[name] = apply(p.texts[name], p.fset.File(f.Package), edits)
		}
	}
	for k := range left {
		g.Without[Problem{File: k.file, Line: k.line, Col: k.col}] = true
	}
	return g
}

// edit puts a text in place of some.
type edit struct {
	from, to token.Pos
	text     string
}

// gated changes a call.
func (p *Package) gated(call *ast.CallExpr, isDefer bool, gate, deferred string) []edit {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if isDefer {
		if len(call.Args) > 0 {
			return nil
		}
		return []edit{{call.Pos(), call.Pos(), deferred}, {call.Lparen, call.End(), ")"}}
	}
	if x := p.lastCalling(call.Args); x != nil { // what is called there comes before
		return []edit{{x.Pos(), x.Pos(), gate}, {x.End(), x.End(), ")"}}
	}
	x := ast.Expr(sel.X)
	if p.info.Selections[sel] == nil { // a function of a package
		if len(call.Args) == 0 {
			return nil
		}
		x = call.Args[0]
		return []edit{{x.Pos(), x.Pos(), gate}, {x.End(), x.End(), ")"}}
	}
	if _, pointer := p.info.TypeOf(x).Underlying().(*types.Pointer); !pointer {
		gate += "&"
	}
	return []edit{{x.Pos(), x.Pos(), gate}, {x.End(), x.End(), ")"}}
}

// lastCalling is the last argument that is no constant, if one of them calls something.
func (p *Package) lastCalling(args []ast.Expr) (last ast.Expr) {
	calls := false
	for _, x := range args {
		if t := p.info.Types[x]; t.Value == nil && !t.IsNil() {
			last = x
		}
		ast.Inspect(x, func(n ast.Node) bool {
			_, is := n.(*ast.CallExpr)
			calls = calls || is
			return true
		})
	}
	if !calls {
		return nil
	}
	return last
}

// apply makes edits in a text.
func apply(text []byte, f *token.File, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return int(a.from - b.from) })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		from := f.Offset(e.from)
		b.Write(text[at:from])
		b.WriteString(e.text)
		at = f.Offset(e.to)
	}
	b.Write(text[at:])
	return b.String()
}

package source

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Finding is something that is wrong.
type Finding struct {
	File string   `json:"file"` // relative to the module's folder
	Line int      `json:"line"`
	Col  int      `json:"column"`
	What string   `json:"what"`
	Path []string `json:"path,omitempty"` // the places that lead there, as file:line, from the operation's call on
}

// Report is what Check has looked at, and found.
type Report struct {
	Operations []string  `json:"operations"` // the methods that are recorded
	Findings   []Finding `json:"findings"`
}

// String is one line.
func (f Finding) String() string {
	s := fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Col, f.What)
	if len(f.Path) == 0 {
		return s
	}
	places := make([]string, len(f.Path))
	for i, p := range f.Path {
		places[i] = strings.TrimPrefix(p, f.File+":")
	}
	return s + " (by lines " + strings.Join(places, ", ") + ")"
}

// Check looks at the functions of a package, and lists what is wrong by place.
func Check(p *Package) *Report {
	c := newChecker(p)
	for _, fn := range c.roots() {
		c.walk(fn)
	}
	r := &Report{Operations: slices.Sorted(maps.Keys(c.operations)), Findings: slices.AppendSeq([]Finding{}, maps.Values(c.found))}
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col, strings.Compare(a.What, b.What))
	})
	return r
}

// checker checks one package.
type checker struct {
	p         *Package
	own       []*ssa.Function // of the package, in the order of the source
	relevant  map[*ssa.Function]bool
	constant  map[field]bool // written by constructors alone
	view      *view
	observers map[string]bool
	frames    map[frameKey]*frame
	found     map[string]Finding

	operations map[string]bool // that were looked at
}

func newChecker(p *Package) *checker {
	c := &checker{p: p, frames: map[frameKey]*frame{}, found: map[string]Finding{}, observers: map[string]bool{}, operations: map[string]bool{}}
	c.own = functions(p)
	c.constant = constants(c.own)
	c.view = viewOf(c.own)
	for _, fn := range c.own {
		for _, name := range observersIn(fn) {
			c.observers[name] = true
		}
	}
	c.relevant = c.relevance()
	return c
}

// functions are those of the package, with closures and instances of generic ones.
func functions(p *Package) (list []*ssa.Function) {
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || seen[fn] || !isOwn(fn, p.Path) {
			return
		}
		seen[fn] = true
		Build(fn)
		if fn.Blocks == nil {
			return
		}
		list = append(list, fn)
		for _, a := range fn.AnonFuncs {
			visit(a)
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if callee, ok := (*op).(*ssa.Function); ok {
						visit(callee)
					}
				}
			}
		}
	}
	for _, fn := range declared(p) {
		visit(fn)
	}
	for _, fn := range list { // a generic function stands for its instances, if it has none
		if o := fn.Origin(); o != nil {
			seen[o] = false
		}
	}
	list = slices.DeleteFunc(list, func(fn *ssa.Function) bool { return !seen[fn] })
	slices.SortStableFunc(list, func(a, b *ssa.Function) int {
		x, y := p.Prog.Fset.Position(a.Pos()), p.Prog.Fset.Position(b.Pos())
		return cmp.Or(strings.Compare(x.Filename, y.Filename), x.Offset-y.Offset, strings.Compare(a.String(), b.String()))
	})
	return list
}

// declared are the functions and methods that the package declares.
func declared(p *Package) (list []*ssa.Function) {
	for _, pkg := range p.Packages {
		if pkg.Pkg.Path() != p.Path {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			switch m := pkg.Members[name].(type) {
			case *ssa.Function:
				list = append(list, m)
			case *ssa.Type:
				list = append(list, methodsOf(p.Prog, m)...)
			}
		}
	}
	return list
}

// isOwn reports whether the package declares a function.
func isOwn(fn *ssa.Function, path string) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return pathOf(fn) == path && (fn.Synthetic == "" || fn.Origin() != nil || fn.Name() == "init")
}

// relevance finds the functions whose code matters here, or that of functions they call.
func (c *checker) relevance() map[*ssa.Function]bool {
	yes := map[*ssa.Function]bool{}
	for changed := true; changed; {
		changed = false
		for _, fn := range c.own {
			if !yes[fn] && c.matters(fn, yes) {
				yes[fn], changed = true, true
			}
		}
	}
	return yes
}

func (c *checker) matters(fn *ssa.Function, yes map[*ssa.Function]bool) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok {
				com := call.Common()
				if handleMethod(com) != "" || lockMethod(com) != "" {
					return true
				}
				switch com.Value.(type) {
				case *ssa.Parameter, *ssa.FreeVar:
					if !com.IsInvoke() {
						return true
					}
				}
			}
			if c.view.writtenBy(in) != (field{}) {
				return true
			}
			for _, op := range in.Operands(nil) {
				if callee, ok := (*op).(*ssa.Function); ok && yes[callee] {
					return true
				}
			}
		}
	}
	return false
}

// roots are the functions that paths begin in: who may be called from elsewhere, and who is
// never called.
func (c *checker) roots() (list []*ssa.Function) {
	called := map[*ssa.Function]bool{}
	for _, fn := range c.own {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if callee, ok := (*op).(*ssa.Function); ok {
						called[callee] = true
					}
				}
			}
		}
	}
	for _, fn := range c.own {
		if c.relevant[fn] && fn.Parent() == nil && c.records(fn, map[*ssa.Function]bool{}) && (token.IsExported(fn.Name()) || !called[fn]) {
			list = append(list, fn)
		}
	}
	return list
}

// records reports whether a function, or one that it calls, records something.
func (c *checker) records(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	return c.some(fn, seen, func(method string) bool { return method != "" })
}

// some reports whether a function, or one that it names, records with a method for which ok is true.
func (c *checker) some(fn *ssa.Function, seen map[*ssa.Function]bool, ok func(method string) bool) bool {
	if seen[fn] || !c.relevant[fn] {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, is := in.(ssa.CallInstruction); is && ok(handleMethod(call.Common())) {
				return true
			}
			for _, op := range in.Operands(nil) {
				if callee, is := (*op).(*ssa.Function); is && c.some(callee, seen, ok) {
					return true
				}
			}
		}
	}
	return false
}

// report notes a finding, unless a shorter path has led to it.
func (c *checker) report(pos token.Pos, n *node, format string, args ...any) {
	f := Finding{What: fmt.Sprintf(format, args...)}
	f.File, f.Line, f.Col = c.position(pos)
	f.Path = c.path(n, fmt.Sprint(f.File, ":", f.Line))
	key := fmt.Sprint(f.File, ":", f.Line, ":", f.Col, f.What)
	if old, ok := c.found[key]; !ok || len(f.Path) < len(old.Path) {
		c.found[key] = f
	}
}

func (c *checker) position(pos token.Pos) (file string, line, col int) {
	p := c.p.Prog.Fset.Position(pos)
	if rel, err := filepath.Rel(c.p.Root, p.Filename); err == nil && filepath.IsLocal(rel) {
		p.Filename = filepath.ToSlash(rel)
	}
	return p.Filename, p.Line, p.Column
}

// at is a position in a message about another one: its line.
func (c *checker) at(pos token.Pos) string {
	file, line, _ := c.position(pos)
	return fmt.Sprint(file, ":", line)
}

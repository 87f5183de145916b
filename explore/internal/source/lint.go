package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// linter finds what is suspicious about directives.
type linter struct {
	*policy
	pkg   *Package
	calls map[*ssa.Function]bool // of the functions that begin a directive
	at    map[token.Position]*bodyDirective
	built map[token.Position]bool // the functions that operations reach
	seen  map[*bodyDirective]bool // whose code is there
	done  map[*ssa.Function]bool  // of the package, that operations reach
}

// lintOf notes it all.
func (g *ghosts) lintOf(pkg *Package) {
	l := &linter{policy: g.p, pkg: pkg, calls: map[*ssa.Function]bool{}, at: map[token.Position]*bodyDirective{}, built: map[token.Position]bool{}, seen: map[*bodyDirective]bool{}, done: map[*ssa.Function]bool{}}
	for fn, what := range pkg.Policy.Ghosts {
		l.calls[fn] = what.begins()
	}
	for _, d := range l.bodies {
		at := d.place(d.off)
		at.Offset = 0
		l.at[at] = d
	}
	for _, op := range pkg.Ops {
		l.visit(op.Func)
	}
	l.unreached()
	l.states()
	l.received()
	l.turnsOut()
	for i := range l.ops {
		l.paths(i)
	}
	pkg.Policy.Lint = sorted(l.lint)
}

// where is a position whose offset in the changed text does not count.
func (l *linter) where(pos token.Pos) token.Position {
	p := l.l.fset.Position(pos)
	p.Offset = 0
	return p
}

// visit reads the code of a function of the package, and of those it uses.
func (l *linter) visit(fn *ssa.Function) {
	if l.done[fn] || !l.ours(fn) {
		return
	}
	l.done[fn] = true
	Build(fn)
	l.built[l.where(fn.Pos())] = true
	for _, f := range fn.AnonFuncs {
		l.visit(f)
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if d := l.directive(in); d != nil {
				l.seen[d] = true
			}
			for _, x := range in.Operands(nil) {
				if f, ok := (*x).(*ssa.Function); ok {
					l.visit(f)
				}
			}
		}
	}
}

// ours reports whether a function is one of the package.
func (l *linter) ours(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg == l.pkg.Packages[len(l.pkg.Packages)-1]
}

// directive is the one that begins at an instruction, if one does.
func (l *linter) directive(in ssa.Instruction) *bodyDirective {
	if call, ok := in.(*ssa.Call); ok && l.calls[call.Common().StaticCallee()] {
		return l.at[l.where(call.Pos())]
	}
	return nil
}

// unreached finds directives that no operation comes to, or not those that they speak of.
func (l *linter) unreached() {
	for _, d := range l.bodies {
		ops := l.reachedBy(d.comment.fn)
		switch {
		case len(ops) == 0 && l.others[d.comment.fn]:
			continue
		case len(ops) == 0:
			l.remark(&d.comment, 0, "no operation calls %s, so nothing reaches this directive", d.comment.fn.Name.Name)
			continue
		case !d.dead && !l.seen[d] && l.built[l.where(d.comment.fn.Name.Pos())] && !l.leftOut(&d.Statement):
			l.remark(&d.comment, 0, "nothing reaches this directive")
			continue
		}
		for _, a := range d.Acts {
			op := l.op(a.Name.Text)
			if a.Kind != Announce || a.Owner.Text != "" || op < 0 || slices.Contains(ops, op) {
				continue
			}
			var names []string
			for _, i := range ops {
				names = append(names, l.ops[i].name)
			}
			l.remark(&d.comment, a.At, "%s does not come here, only %s: its announcement is skipped", a.Name.Text, list(names, "and"))
		}
	}
}

// leftOut reports whether a statement is only about operations that are left out.
func (p *policy) leftOut(s *Statement) bool {
	all := false
	for _, a := range s.Acts {
		if a.Kind == Announce && a.Owner.Text == "" {
			if !p.skipped(a.Name.Text) {
				return false
			}
			all = true
		}
	}
	return all
}

// statements are those of the bodies and of the rules.
func (p *policy) statements(visit func(c *comment, s *Statement)) {
	for _, d := range p.bodies {
		visit(&d.comment, &d.Statement)
	}
	for _, d := range p.rules {
		visit(&d.comment, &d.Statement)
	}
}

// states finds those that no operation enters.
func (l *linter) states() {
	entered := map[string]bool{l.policy.states[0]: true}
	l.statements(func(c *comment, s *Statement) {
		for _, a := range s.Acts {
			if a.Kind == Goto {
				entered[a.Name.Text] = true
			}
		}
	})
	l.statements(func(c *comment, s *Statement) {
		if s.State.Text != "" && !entered[s.State.Text] {
			l.remark(c, s.State.Off, "no operation enters state %s: a goto is missing", s.State.Text)
		}
	})
}

// received finds rules for messages that nobody sends, and those that act once more after their
// operation has announced itself.
func (l *linter) received() {
	for _, d := range l.rules {
		if _, m := l.messageNamed(d.Message.Text); !m.sent {
			l.remark(&d.comment, d.Message.Off, "nobody broadcasts %s", d.Message.Text)
		}
		if d.State.Text == "" && l.announced(&d.Statement, d.op, false) && slices.ContainsFunc(l.bodies, func(b *bodyDirective) bool { return l.announced(&b.Statement, d.op, false) }) {
			l.remark(&d.comment, d.Message.Off, "%s announces itself, too, and receives this also after that: say in which state, as in start", l.ops[d.op].name)
		}
	}
}

// announced reports whether a statement announces an operation; also for partners, if asked for.
func (p *policy) announced(s *Statement, op int, partners bool) bool {
	return slices.ContainsFunc(s.Acts, func(a Act) bool {
		return a.Kind == Announce && a.Name.Text == p.ops[op].name && (partners || a.Owner.Text == "")
	})
}

// turnsOut finds guesses that are never wrong.
func (l *linter) turnsOut() {
	out := map[string]bool{}
	l.statements(func(c *comment, s *Statement) {
		for _, a := range s.Acts {
			out[a.Name.Text] = out[a.Name.Text] || a.Kind == Assume
		}
	})
	l.statements(func(c *comment, s *Statement) {
		for _, a := range s.Acts {
			if a.Kind == Guess && !out[a.Name.Text] {
				l.remark(c, a.At, "the guess %s never turns out: an assume is missing", a.Name.Text)
			}
		}
	})
}

// paths finds operations that can return without a directive that announces them, unless others
// announce them.
func (l *linter) paths(op int) {
	others := false
	for _, d := range l.rules {
		others = others || l.announced(&d.Statement, op, true)
	}
	for _, d := range l.bodies {
		others = others || l.announced(&d.Statement, op, true) && !l.announced(&d.Statement, op, false)
	}
	if others {
		return
	}
	may := l.mayAnnounce(op)
	for fn := range l.done {
		decl := l.ops[op].decl
		if decl == nil || l.where(fn.Pos()) != l.where(decl.Name.Pos()) {
			continue
		}
		if at, is := l.silentReturn(fn, op, may); is {
			l.silentAt(op, decl, at)
		}
	}
}

// mayAnnounce are the functions with a directive that announces an operation, and those that use one.
func (l *linter) mayAnnounce(op int) map[*ssa.Function]bool {
	may := map[*ssa.Function]bool{}
	for more := true; more; {
		more = false
		for fn := range l.done {
			if !may[fn] && l.announcesOrUses(fn, op, may) {
				may[fn], more = true, true
			}
		}
	}
	return may
}

func (l *linter) announcesOrUses(fn *ssa.Function, op int, may map[*ssa.Function]bool) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if d := l.directive(in); d != nil && l.announced(&d.Statement, op, false) {
				return true
			}
			for _, x := range in.Operands(nil) {
				if f, ok := (*x).(*ssa.Function); ok && may[f] {
					return true
				}
			}
		}
	}
	return false
}

// silentAt notes that an operation may return without an announcement.
func (l *linter) silentAt(op int, decl *ast.FuncDecl, at token.Pos) {
	if !at.IsValid() {
		at = decl.Body.Rbrace
	}
	l.lint = append(l.lint, l.l.problem(l.l.fset.Position(at), l.ops[op].name+" may return here before a directive has announced it"))
}

// silentReturn is a return to which a path leads without a directive that announces an operation, and
// without a function that may have one.
func (l *linter) silentReturn(fn *ssa.Function, op int, may map[*ssa.Function]bool) (at token.Pos, is bool) {
	done := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if done[b] {
			return
		}
		done[b] = true
		for _, in := range b.Instrs {
			if d := l.directive(in); d != nil && l.announced(&d.Statement, op, false) {
				return
			}
			for _, x := range in.Operands(nil) {
				if f, ok := (*x).(*ssa.Function); ok && may[f] {
					return
				}
			}
			if r, ok := in.(*ssa.Return); ok {
				if !is || r.Pos() < at {
					at = r.Pos()
				}
				is = true
			}
		}
		for _, next := range b.Succs {
			visit(next)
		}
	}
	if len(fn.Blocks) > 0 {
		visit(fn.Blocks[0])
	}
	return at, is
}

// reaches finds, for each operation, the functions that it may call: those that they name, and
// methods of the names of interface methods. Likewise what is called by operations that are left out
// and by those of other types.
func (p *policy) reaches() {
	decls := map[token.Pos]*ast.FuncDecl{}
	byName := map[string][]*ast.FuncDecl{}
	for _, f := range p.l.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				decls[fn.Name.Pos()] = fn
				if fn.Recv != nil {
					byName[fn.Name.Name] = append(byName[fn.Name.Name], fn)
				}
			}
		}
	}
	var visit func(fn *ast.FuncDecl, reached map[*ast.FuncDecl]bool)
	visit = func(fn *ast.FuncDecl, reached map[*ast.FuncDecl]bool) {
		if fn == nil || reached[fn] {
			return
		}
		reached[fn] = true
		ast.Inspect(fn, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			f, ok := p.l.info.Uses[id].(*types.Func)
			if !ok {
				return true
			}
			visit(decls[f.Origin().Pos()], reached)
			if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				for _, m := range byName[f.Name()] {
					visit(m, reached)
				}
			}
			return true
		})
	}
	for _, op := range p.ops {
		reached := map[*ast.FuncDecl]bool{}
		visit(op.decl, reached)
		if op.decl == nil { // a function literal, or a function elsewhere
			for _, fn := range decls {
				reached[fn] = true
			}
		}
		p.reached = append(p.reached, reached)
	}
	p.others = map[*ast.FuncDecl]bool{}
	for _, fn := range decls {
		if name, _ := receiver(fn); fn.Name.IsExported() && p.elsewhere(name) || p.skipped(fn.Name.Name) || p.skipped(lowerCamel(fn.Name.Name)) {
			visit(fn, p.others)
		}
	}
}

// reachedBy are the operations that may call a function.
func (p *policy) reachedBy(fn *ast.FuncDecl) (ops []int) {
	for i, reached := range p.reached {
		if reached[fn] {
			ops = append(ops, i)
		}
	}
	return ops
}

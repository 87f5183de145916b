package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// policyOp is an operation as directives name it.
type policyOp struct {
	operation
	decl *ast.FuncDecl // nil if it is declared elsewhere
	fn   *types.Func
	skip int // of the function's parameters that are the object
	// params and results are those that an announcement has, with type parameters.
	params, results []types.Type
}

// operations finds the declarations of the operations.
func (p *policy) operations() {
	p.marked = len(p.l.declarations().ops) > 0
	decls := map[token.Pos]*ast.FuncDecl{}
	for _, f := range p.l.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				decls[fn.Name.Pos()] = fn
			}
		}
	}
	for _, o := range p.c.ops {
		op := policyOp{operation: o, params: o.params, results: o.resultTypes()}
		if fn := p.l.declared(p.c, o); fn != nil {
			op.decl = decls[fn.Origin().Pos()]
		}
		if op.decl != nil {
			op.fn = p.l.info.Defs[op.decl.Name].(*types.Func)
			if op.decl.Recv == nil && o.object != "" {
				op.skip = 1
			}
			op.asDeclared()
		}
		p.ops = append(p.ops, op)
	}
}

// resultTypes are those that an answer has.
func (o *operation) resultTypes() (list []types.Type) {
	if o.results == nil {
		return nil
	}
	for i := range o.results.Len() {
		list = append(list, o.results.At(i).Type())
	}
	return list
}

// declared is the function of an operation, nil if it is none of a name.
func (l *loader) declared(c *choice, o operation) *types.Func {
	name := o.fun
	if o.user {
		name = o.goName
		if l.pkg.Scope().Lookup(name) != nil {
			o.method = false
		} else {
			o.method = true
		}
	}
	if !o.method {
		fn, _ := l.pkg.Scope().Lookup(name).(*types.Func)
		return fn
	}
	if sel := types.NewMethodSet(c.object).Lookup(l.pkg, name); sel != nil {
		return sel.Obj().(*types.Func)
	}
	return nil
}

// asDeclared replaces the types of an instance by those of the declaration.
func (op *policyOp) asDeclared() {
	sig := op.fn.Signature()
	op.params, op.results = nil, nil
	for i := op.skip; i < sig.Params().Len() && len(op.params) < len(op.operation.params); i++ {
		t := sig.Params().At(i).Type()
		if i == op.skip && op.context {
			continue
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
		op.params = append(op.params, t)
	}
	for i := range op.resultTypes() {
		op.results = append(op.results, sig.Results().At(i).Type())
	}
}

// typeParams are those of the method's receiver, or of the function.
func (op *policyOp) typeParams() *types.TypeParamList {
	if op.fn == nil {
		return nil
	}
	if t := op.fn.Signature().RecvTypeParams(); t.Len() > 0 {
		return t
	}
	return op.fn.Signature().TypeParams()
}

func (p *policy) opNames() (names []string) {
	for _, op := range p.ops {
		names = append(names, op.name)
	}
	return names
}

// op is the number of an operation, -1 if there is none of the name.
func (p *policy) op(name string) int { return slices.Index(p.opNames(), name) }

// skipped reports whether a name is that of an operation that is left out: as asked, or for its types.
func (p *policy) skipped(name string) bool {
	if p.c.object != nil && !p.marked {
		set := types.NewMethodSet(p.c.object)
		for i := range set.Len() {
			if m := set.At(i).Obj(); m.Exported() && lowerCamel(m.Name()) == name && p.op(name) < 0 {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.c.skip, func(s string) bool { return s == name || lowerCamel(s) == name })
}

// state is the number of a state.
func (p *policy) state(name string) int {
	if i := slices.Index(p.states, name); i >= 0 {
		return i
	}
	p.states = append(p.states, name)
	return len(p.states) - 1
}

// messageNamed is one that is received, and its number.
func (p *policy) messageNamed(name string) (int, *message) {
	i := slices.IndexFunc(p.messages, func(m *message) bool { return m.name == name })
	if i < 0 {
		return -1, nil
	}
	return i, p.messages[i]
}

// resolve finds what the directives name.
func (p *policy) resolve() {
	p.statements(func(c *comment, s *Statement) {
		for _, a := range s.Acts {
			if a.Kind == Guess {
				p.guess(c, a)
			}
		}
	})
	for _, d := range p.rules {
		p.message(d)
	}
	for _, d := range p.rules {
		p.statement(&d.comment, &d.Statement, d.op)
	}
	for _, d := range p.bodies {
		p.statement(&d.comment, &d.Statement, -1)
	}
	p.prophecies()
}

// statement checks what a statement names. One of a rule says nothing about other operations.
func (p *policy) statement(c *comment, s *Statement, rule int) {
	if s.State.Text != "" {
		p.state(s.State.Text)
	}
	for _, a := range s.Acts {
		switch a.Kind {
		case Announce:
			p.announcement(c, a, rule)
		case Broadcast:
			_, m := p.messageNamed(a.Name.Text)
			switch {
			case m == nil:
				p.remark(c, a.Name.Off, "nobody receives %s%s", a.Name.Text, wording.Hint(a.Name.Text, p.messageNames()))
			case len(m.types) != len(a.Args):
				p.wrong(c, a.At, "%s has %s, not %d, as %s receives it", m.name, count(len(m.types), "argument"), len(a.Args), p.ops[m.from.op].name)
				m.sent = true
			default:
				m.sent = true
			}
		case Goto:
			p.state(a.Name.Text)
		case Assume:
			if !slices.Contains(p.guesses, a.Name.Text) {
				p.wrong(c, a.Name.Off, "%s is no guess%s", a.Name.Text, wording.Hint(a.Name.Text, p.guesses))
			}
		}
	}
}

func (p *policy) messageNames() (names []string) {
	for _, m := range p.messages {
		names = append(names, m.name)
	}
	return names
}

// announcement checks one.
func (p *policy) announcement(c *comment, a Act, rule int) {
	i := p.op(a.Name.Text)
	switch {
	case i < 0 && p.skipped(a.Name.Text):
		return
	case i < 0:
		p.wrong(c, a.At, "%s is no operation%s (operations are %s)", a.Name.Text, wording.Hint(a.Name.Text, p.opNames()), list(p.opNames(), "and"))
		return
	}
	op := &p.ops[i]
	switch {
	case rule >= 0 && i != rule && a.Owner.Text == "":
		p.wrong(c, a.At, "%s receives this message, so it announces itself, not %s", p.ops[rule].name, op.name)
	case len(a.Args) != len(op.params):
		p.wrong(c, a.At, "%s has %s, not %d", op.name, count(len(op.params), "argument"), len(a.Args))
	case len(a.Results) != len(op.results) && len(a.Results) == 0:
		p.wrong(c, a.At, "%s has %s, which must follow: %s(...) = %s", op.name, count(len(op.results), "result"), op.name, strings.TrimSuffix(strings.Repeat("RESULT, ", len(op.results)), ", "))
	case len(a.Results) != len(op.results):
		p.wrong(c, a.Results[0].Off, "%s has %s, not %d", op.name, count(len(op.results), "result"), len(a.Results))
	}
}

// message notes which message a rule receives.
func (p *policy) message(d *ruleDirective) {
	op := &p.ops[d.op]
	m := &message{name: d.Message.Text, from: d}
	names := map[string]bool{}
	for _, field := range fieldsOf(op.decl) {
		for _, n := range field.Names {
			names[n.Name] = true
		}
	}
	for _, x := range d.Params {
		if x.Name.Text != "_" && names[x.Name.Text] {
			p.wrong(&d.comment, x.Name.Off, "%s is already the name of a parameter or of the receiver: take another", x.Name.Text)
		}
		names[x.Name.Text] = true
		t, inst := p.messageType(d, x.Type)
		if t == nil {
			return
		}
		m.types, m.inst = append(m.types, t), append(m.inst, inst)
	}
	_, first := p.messageNamed(m.name)
	if first == nil {
		p.messages = append(p.messages, m)
		return
	}
	if !slices.EqualFunc(m.inst, first.inst, types.Identical) {
		p.wrong(&d.comment, d.Message.Off, "%s receives %s%s, and %s receives %s%s", op.name, m.name, p.l.tuple(m.inst), p.ops[first.from.op].name, m.name, p.l.tuple(first.inst))
	}
}

// fieldsOf are the receiver and the parameters of a function.
func fieldsOf(fn *ast.FuncDecl) (all []*ast.Field) {
	if fn.Recv != nil {
		all = append(all, fn.Recv.List...)
	}
	return append(all, fn.Type.Params.List...)
}

// tuple writes types.
func (l *loader) tuple(ts []types.Type) string { return "(" + l.names(ts) + ")" }

// messageType is a type in a rule: with the type parameters of the operation, and with the type
// arguments of the object. It is nil if it is none.
func (p *policy) messageType(d *ruleDirective, typ Piece) (t, inst types.Type) {
	at := p.ops[d.op].decl.Body.Lbrace + 1
	tv, err := types.Eval(p.l.fset, p.l.pkg, at, typ.Text)
	if err == nil && tv.IsType() {
		t = tv.Type
		tv, err = types.Eval(p.l.fset, p.l.pkg, at, p.instantiated(d.op, typ.Text))
	}
	if err != nil || !tv.IsType() {
		p.wrong(&d.comment, typ.Off, "%s is no type", typ.Text)
		return nil, nil
	}
	return t, tv.Type
}

// instantiated is a text of an operation's scope with the type arguments of the object.
func (p *policy) instantiated(op int, text string) string {
	args := p.typeArgs(op)
	e, err := parser.ParseExpr(text)
	if len(args) == 0 || err != nil {
		return text
	}
	var idents []*ast.Ident
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			idents = append(idents, n)
		}
		return true
	})
	for _, id := range slices.Backward(idents) {
		if t := args[id.Name]; t != nil {
			text = text[:id.Pos()-1] + p.l.typeName(t) + text[id.End()-1:]
		}
	}
	return text
}

// typeArgs are the type arguments of the object by the names that an operation has for them.
func (p *policy) typeArgs(op int) map[string]types.Type {
	params := p.ops[op].typeParams()
	args := p.objectArgs()
	if params.Len() != len(args) {
		return nil
	}
	by := map[string]types.Type{}
	for i, a := range args {
		by[params.At(i).Obj().Name()] = a
	}
	return by
}

// objectArgs are the type arguments of the object.
func (p *policy) objectArgs() (args []types.Type) {
	t := p.c.object
	if t == nil {
		return nil
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		for i := range n.TypeArgs().Len() {
			args = append(args, n.TypeArgs().At(i))
		}
	}
	return args
}

// count is a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}

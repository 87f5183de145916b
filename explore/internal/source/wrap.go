package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// background is an empty context in the text of a wrapper.
const background = "ctx"

// wrappers is the file that calls the constructor and the operations.
type wrappers struct {
	file    *ast.File
	text    string
	newName string
	opNames []string
}

// wrapperFile is its name in positions that are nobody's. It has no folder, so that
// the positions in Options.New have none either.
const wrapperFile = "explore"

// writer writes the text of that file.
type writer struct {
	l       *loader
	prefix  string // of our names
	imports map[string]string
	body    strings.Builder
	fails   bool // a callback returns an error
}

func (l *loader) writer() *writer {
	return &writer{l: l, prefix: l.prefix, imports: map[string]string{}}
}

// ownPrefix is what no name of the package begins with.
func (l *loader) ownPrefix() string {
	prefix := "adtinfer"
	for slices.ContainsFunc(l.pkg.Scope().Names(), func(n string) bool { return strings.HasPrefix(n, prefix) }) {
		prefix += "_"
	}
	return prefix
}

// typ is a type in the text.
func (w *writer) typ(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == w.l.pkg.Path() {
			return ""
		}
		return w.pkg(p.Path(), p.Name())
	})
}

// pkg is the name of an imported package in the text.
func (w *writer) pkg(path, name string) string {
	for n, p := range w.imports {
		if p == path && strings.HasPrefix(n, w.prefix) {
			return n
		}
	}
	n := fmt.Sprint(w.prefix, len(w.imports), name)
	w.imports[n] = path
	return n
}

// user adds what text of the user imports, and reports whether it speaks of ctx.
func (w *writer) user(text string) (ctx bool) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false // it was parsed before
	}
	imports := w.l.imports()
	ast.Inspect(e, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			if ok && w.l.pkg.Scope().Lookup(x.Name) == nil && imports[x.Name] != "" {
				w.imports[x.Name] = imports[x.Name]
			}
		}
		if x, ok := n.(*ast.Ident); ok && x.Name == background && w.l.pkg.Scope().Lookup(x.Name) == nil {
			ctx = true
		}
		return true
	})
	return ctx
}

// imports are the packages that the files import, by name.
func (l *loader) imports() map[string]string { return l.importsOf(l.files...) }

func (l *loader) importsOf(files ...*ast.File) map[string]string {
	all := map[string]string{}
	for _, f := range files {
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, "`\"")
			name := path[strings.LastIndexByte(path, '/')+1:]
			if p := l.listed.Imports[path]; p != nil {
				name = p.Name
			}
			if i.Name != nil {
				name = i.Name.Name
			}
			all[name] = path
		}
	}
	return all
}

// line is a comment after which positions are those of the user's text.
func line(p token.Position) string {
	if p.Line == 0 {
		return ""
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", p.Filename, p.Line, max(1, p.Column))
}

// background writes what a call needs that takes ctx.
func (w *writer) background(needed bool) {
	if needed {
		fmt.Fprintf(&w.body, "\tctx := %s.Background()\n", w.pkg("context", "context"))
	}
}

// makes writes the constructor.
func (w *writer) makes(c *choice) {
	object, o, err := "*struct{}", w.prefix+"Object", w.prefix+"Err"
	if c.object != nil {
		object = w.typ(c.object)
	}
	fmt.Fprintf(&w.body, "func %sNew() %s {\n", w.prefix, object)
	w.background(c.expr != "" && w.user(c.expr))
	switch {
	case c.object == nil && c.expr != "":
		fmt.Fprintf(&w.body, "\t%s%s\n", line(c.at), c.expr)
	case c.object != nil && c.fails:
		fmt.Fprintf(&w.body, "\t%s, %s := %s%s\n\tif %s != nil {\n\t\tpanic(%s)\n\t}\n", o, err, line(c.at), c.expr, err, err)
	case c.object != nil:
		fmt.Fprintf(&w.body, "\t%s := %s%s\n", o, line(c.at), c.expr)
	}
	switch {
	case c.object == nil:
		fmt.Fprintf(&w.body, "\treturn new(struct{})\n}\n\n")
	case types.Identical(c.object, c.result):
		fmt.Fprintf(&w.body, "\treturn %s\n}\n\n", o)
	default:
		fmt.Fprintf(&w.body, "\treturn &%s\n}\n\n", o)
	}
}

// calls writes the function of an operation.
func (w *writer) calls(c *choice, o operation, name string) {
	object, self := "*struct{}", w.prefix+"Object"
	if c.object != nil {
		object = w.typ(c.object)
	}
	params, args, results, ret := self+" "+object, "", "", ""
	add := func(arg string) {
		if args != "" {
			args += ", "
		}
		args += arg
	}
	if o.object != "" {
		add(fmt.Sprintf(o.object, self))
	}
	if o.context {
		add(w.pkg("context", "context") + ".Background()")
	}
	counts, said := "", []string{}
	for i, p := range o.params {
		arg := fmt.Sprint(w.prefix, "Arg", i)
		if o.choices[i] == nil {
			params += ", " + arg + " " + w.typ(p)
			add(arg)
			continue
		}
		ran := fmt.Sprint(w.prefix, "Ran", i)
		params += ", " + arg + " uint8"
		counts += "\tvar " + ran + " int64\n"
		said = append(said, fmt.Sprintf("int(%s.LoadInt64(&%s))", w.pkg(counter, "atomic"), ran))
		add(w.callback(p, o.choices[i], arg, ran))
	}
	var all, names []string
	for range said {
		all = append(all, "int")
	}
	for i := range o.results.Len() {
		all = append(all, w.typ(o.results.At(i).Type()))
		names = append(names, fmt.Sprint(w.prefix, "Out", i))
	}
	if len(all) > 0 {
		results = " (" + strings.Join(all, ", ") + ")"
	}
	end := ""
	switch {
	case len(said) > 0:
		if end = "\n\treturn " + strings.Join(append(said, names...), ", "); len(names) > 0 {
			ret = strings.Join(names, ", ") + " := "
		}
	case len(names) > 0:
		ret = "return "
	}
	fun := line(o.at) + o.fun
	if o.method {
		fun = self + "." + fun
	}
	if o.user {
		w.user(o.fun)
	}
	fmt.Fprintf(&w.body, "func %s(%s)%s {\n%s\t%s%s(%s)%s\n}\n\n", name, params, results, counts, ret, fun, args, end)
}

// parse makes the file.
func (w *writer) parse() (*ast.File, error) {
	return parser.ParseFile(w.l.fset, wrapperFile, w.text(), parser.SkipObjectResolution)
}

// text is its text.
func (w *writer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", w.l.pkg.Name())
	for _, n := range slices.Sorted(maps.Keys(w.imports)) {
		fmt.Fprintf(&b, "\t%s %q\n", n, w.imports[n])
	}
	b.WriteString(")\n\n")
	b.WriteString(w.body.String())
	return b.String()
}

// wrap makes the wrappers, and checks them. An operation whose types cannot be written
// is left out.
func (l *loader) wrap(c *choice) (*wrappers, error) {
	w := l.writer()
	names := &wrappers{newName: w.prefix + "New"}
	w.makes(c)
	for i, o := range c.ops {
		names.opNames = append(names.opNames, fmt.Sprint(w.prefix, "Op", i))
		w.calls(c, o, names.opNames[i])
	}
	w.failed()
	f, err := w.parse()
	if err != nil {
		return nil, fmt.Errorf("explore: the wrappers of %s: %w", l.pkg.Path(), err)
	}
	names.file, names.text = f, w.text()
	errs := l.checkRoot(f)
	if len(errs) == 0 {
		return names, nil
	}
	bad := map[string]string{}
	for _, e := range errs {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= e.Pos && e.Pos < fn.End() {
				bad[fn.Name.Name] = e.Msg
			}
		}
	}
	var left []operation
	for i, o := range c.ops {
		if msg := bad[names.opNames[i]]; msg != "" {
			c.note(bare(o.goName), msg)
		} else {
			left = append(left, o)
		}
	}
	if len(left) == len(c.ops) {
		return nil, problems(l.problemsOf(errs))
	}
	c.ops = left
	if err := l.someOperations(c); err != nil {
		return nil, err
	}
	return l.wrap(c)
}

// probe finds the type of what Options.New makes, and whether an error comes with it.
func (l *loader) probe(m *maker) error {
	w := l.writer()
	name := w.prefix + "Probe"
	fmt.Fprintf(&w.body, "func %sAny(...interface{}) {}\n\nfunc %s() {\n", w.prefix, name)
	w.background(w.user(m.expr))
	fmt.Fprintf(&w.body, "\t%sAny(%s%s)\n}\n", w.prefix, line(m.at), m.expr)
	f, err := w.parse()
	if err != nil {
		return l.noExpression(err)
	}
	if errs := l.checkRoot(f); len(errs) > 0 {
		list := l.problemsOf(errs)
		for i := range list {
			if list[i].File == newFile {
				list[i].What += ", in the expression --new " + l.New
			}
		}
		return problems(list)
	}
	var arg ast.Expr
	ast.Inspect(f.Decls[len(f.Decls)-1], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && arg == nil {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == w.prefix+"Any" {
				arg = call.Args[0]
			}
		}
		return true
	})
	m.result = l.info.TypeOf(arg)
	if t, ok := m.result.(*types.Tuple); ok {
		if t.Len() != 2 || !isError(t.At(1).Type()) {
			return fail("--new %s makes no object: it must give one, perhaps with an error", l.New)
		}
		m.result, m.fails = t.At(0).Type(), true
	}
	return nil
}

// source is the user's text of an expression.
func (l *loader) source(e ast.Expr) string {
	p, q := l.fset.PositionFor(e.Pos(), false), l.fset.PositionFor(e.End(), false)
	return string(l.texts[p.Filename][p.Offset:q.Offset])
}

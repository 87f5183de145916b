package reference

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// declarations is what a package declares, as far as syntax tells: enough to
// choose a reference before anything is compiled.
type declarations struct {
	specs []specDecl
	types map[string]*typeDecl
	order []string // names of types, in order
	ctors []ctorDecl
	more  []ctorDecl // other exported functions that return a type of the package

	errors  []string          // variables that hold errors
	top     map[string]bool   // all names of the package's scope
	imports map[string]string // paths of the packages that its files import, by name
}

// specDecl is a variable, or a function without parameters, of type Spec.
type specDecl struct {
	name   string
	isFunc bool
}

// typeDecl is a type and what is known of its methods.
type typeDecl struct {
	name        string
	params      []typeParam
	expr        ast.Expr // the right-hand side
	methods     int      // exported, not counting text methods
	isInterface bool
	embeds      bool // may have methods of embedded fields
}

// typeParam is a type parameter with its constraint.
type typeParam struct {
	name       string
	constraint ast.Expr
}

// ctorDecl is a function New... with the type that it returns.
type ctorDecl struct {
	name   string
	of     string // type of this package, or ""
	fn     *ast.FuncDecl
	tparam []typeParam
}

// parse reads a package's files. An error is one of syntax.
func parse(p *listed) (*declarations, error) {
	d := &declarations{types: map[string]*typeDecl{}, top: map[string]bool{}, imports: map[string]string{}}
	var files []*ast.File
	fset := token.NewFileSet()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	for _, f := range files {
		d.addNames(f)
		d.addTypes(f)
	}
	for _, f := range files {
		d.addFuncs(f)
	}
	for _, f := range files {
		d.addSpecVars(f)
	}
	return d, nil
}

// addNames notes the names that a file declares and those of its imports.
func (d *declarations) addNames(f *ast.File) {
	for _, i := range f.Imports {
		path := strings.Trim(i.Path.Value, "`\"")
		name := path[strings.LastIndexByte(path, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		d.imports[name] = path
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				d.top[decl.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range decl.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					d.top[s.Name.Name] = true
				case *ast.ValueSpec:
					for i, n := range s.Names {
						d.top[n.Name] = true
						if isErrorValue(decl.Tok, s, i) {
							d.errors = append(d.errors, n.Name)
						}
					}
				}
			}
		}
	}
}

// isErrorValue reports whether a declaration's variable or constant most likely holds an error.
func isErrorValue(tok token.Token, s *ast.ValueSpec, i int) bool {
	if t, ok := s.Type.(*ast.Ident); ok && t.Name == "error" {
		return true
	}
	var call *ast.CallExpr
	if i < len(s.Values) {
		call, _ = s.Values[i].(*ast.CallExpr)
	}
	if wording.IsError(s.Names[i].Name) && (tok == token.VAR || call != nil) {
		return true
	}
	if call == nil {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (f.Sel.Name == "New" && isName(f.X, "errors") || f.Sel.Name == "Errorf" && isName(f.X, "fmt"))
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func (d *declarations) addTypes(f *ast.File) {
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			s := s.(*ast.TypeSpec)
			t := &typeDecl{name: s.Name.Name, expr: s.Type, params: typeParams(s.TypeParams)}
			switch e := s.Type.(type) {
			case *ast.InterfaceType:
				t.isInterface = true
			case *ast.StructType:
				t.embeds = slices.ContainsFunc(e.Fields.List, func(f *ast.Field) bool { return len(f.Names) == 0 })
			}
			t.embeds = t.embeds || s.Assign.IsValid()
			d.types[t.name] = t
			d.order = append(d.order, t.name)
		}
	}
}

func typeParams(list *ast.FieldList) (ps []typeParam) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			ps = append(ps, typeParam{n.Name, f.Type})
		}
	}
	return ps
}

func (d *declarations) addFuncs(f *ast.File) {
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		switch {
		case !ok:
		case fn.Recv != nil:
			t := d.types[origin.LocalType(fn.Recv.List[0].Type)]
			if t != nil && fn.Name.IsExported() && !isTextMethod(fn.Name.Name) {
				t.methods++
			}
		default:
			d.addFunc(f, fn)
		}
	}
}

func (d *declarations) addFunc(f *ast.File, fn *ast.FuncDecl) {
	params, results := fn.Type.Params.NumFields(), fn.Type.Results
	if params == 0 && results.NumFields() == 1 && isSpecType(f, results.List[0].Type) {
		d.specs = append(d.specs, specDecl{fn.Name.Name, true})
		return
	}
	if results == nil {
		return
	}
	n := results.NumFields()
	if !strings.HasPrefix(strings.ToLower(fn.Name.Name), "new") {
		if of := origin.LocalType(results.List[0].Type); d.types[of] != nil && fn.Name.IsExported() && n <= 2 {
			d.more = append(d.more, ctorDecl{fn.Name.Name, of, fn, typeParams(fn.Type.TypeParams)})
		}
		return
	}
	if n == 1 || n == 2 && isIdent(results.List[len(results.List)-1].Type, "error") {
		of := origin.LocalType(results.List[0].Type)
		if d.types[of] == nil {
			of = ""
		}
		d.ctors = append(d.ctors, ctorDecl{fn.Name.Name, of, fn, typeParams(fn.Type.TypeParams)})
	}
}

// isTextMethod names the methods that print an object rather than use it.
func isTextMethod(name string) bool {
	switch name {
	case "String", "GoString", "Error", "Unwrap", "Is", "As":
		return true
	}
	return false
}

// specPath is the import path of this package.
const specPath = "github.com/adtinfer/adtinfer/reference"

// isSpecType reports whether a type is reference.Spec, or a pointer to it, under
// the name that the file imports it by.
func isSpecType(f *ast.File, e ast.Expr) bool {
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	name := ""
	for _, i := range f.Imports {
		if strings.Trim(i.Path.Value, "`\"") == specPath {
			name = "reference"
			if i.Name != nil {
				name = i.Name.Name
			}
		}
	}
	switch x := e.(type) {
	case *ast.SelectorExpr:
		return name != "" && isIdent(x.X, name) && x.Sel.Name == "Spec"
	case *ast.Ident:
		return name == "." && x.Name == "Spec"
	}
	return false
}

func isIdent(e ast.Expr, name string) bool {
	i, ok := e.(*ast.Ident)
	return ok && i.Name == name
}

// addSpecVars finds variables whose declared type, literal or function call says
// that they are Specs.
func (d *declarations) addSpecVars(f *ast.File) {
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for i, n := range v.Names {
				if v.Type != nil && isSpecType(f, v.Type) ||
					v.Type == nil && i < len(v.Values) && d.isSpecValue(f, n.Name, v.Values[i]) {
					d.specs = append(d.specs, specDecl{n.Name, false})
				}
			}
		}
	}
}

// isSpecValue reports whether a variable's value is a Spec. What a call returns
// cannot always be seen from here; then the name Spec decides.
func (d *declarations) isSpecValue(f *ast.File, name string, e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	switch x := e.(type) {
	case *ast.CompositeLit:
		return x.Type != nil && isSpecType(f, x.Type)
	case *ast.CallExpr:
		return name == "Spec" || slices.ContainsFunc(d.specs, func(s specDecl) bool { return s.isFunc && isIdent(x.Fun, s.name) })
	}
	return false
}

// typeArguments chooses arguments for type parameters: those of the options, or
// int, or the first other basic type that the constraint admits.
func (l *loader) typeArguments(d *declarations, name string, params []typeParam) (string, error) {
	given := splitArgs(l.TypeArg)
	switch {
	case len(params) == 0 && len(given) > 0:
		return "", l.fail("%s has no type parameters", name)
	case len(params) == 0:
		return "", nil
	case len(given) > 1 && len(given) != len(params):
		return "", l.fail("%s has %d type parameters, not %d", name, len(params), len(given))
	}
	args := make([]string, len(params))
	for i, p := range params {
		switch {
		case len(given) == 1:
			args[i] = given[0]
		case len(given) > 1:
			args[i] = given[i]
		default:
			args[i] = d.basicFor(p.constraint)
		}
		if args[i] == "" {
			e := l.fail("no integer or string fits type parameter %s of %s", p.name, name)
			e.Hint = "give a type argument"
			return "", e
		}
	}
	return strings.Join(args, ", "), nil
}

func splitArgs(s string) (args []string) {
	for _, a := range strings.Split(s, ",") {
		if a = strings.TrimSpace(a); a != "" {
			args = append(args, a)
		}
	}
	return args
}

// basics are the basic types of values, the preferred ones first.
var basics = []string{"int", "string", "int64", "uint", "uint64", "int32", "uint32", "int16", "uint16", "uint8", "int8"}

// basicFor is the preferred basic type that satisfies a constraint.
func (d *declarations) basicFor(constraint ast.Expr) string {
	for _, basic := range basics {
		if d.admits(constraint, basic, 0) {
			return basic
		}
	}
	return ""
}

// admits reports whether a constraint admits a basic type. Constraints of other
// packages go by their names.
func (d *declarations) admits(e ast.Expr, basic string, depth int) bool {
	if depth > 20 { // a constraint that refers to itself does not compile anyway
		return false
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return d.admits(x.X, basic, depth+1)
	case *ast.UnaryExpr:
		return x.Op == token.TILDE && d.admits(x.X, basic, depth+1)
	case *ast.BinaryExpr:
		return d.admits(x.X, basic, depth+1) || d.admits(x.Y, basic, depth+1)
	case *ast.InterfaceType:
		for _, f := range x.Methods.List {
			if len(f.Names) > 0 || !d.admits(f.Type, basic, depth+1) {
				return false
			}
		}
		return true
	case *ast.Ident:
		if t := d.types[x.Name]; t != nil {
			return t.isInterface && d.admits(t.expr, basic, depth+1)
		}
		return x.Name == basic || x.Name == "any" || x.Name == "comparable"
	case *ast.SelectorExpr:
		return foreignAdmits(x.Sel.Name, basic)
	}
	return false
}

// foreignAdmits knows cmp.Ordered and the names of package constraints.
func foreignAdmits(name, basic string) bool {
	unsigned := strings.HasPrefix(basic, "uint")
	switch name {
	case "Ordered":
		return true
	case "Integer":
		return basic != "string"
	case "Signed":
		return basic != "string" && !unsigned
	case "Unsigned":
		return unsigned
	}
	return false
}

// plain lists the types that can have values: they have no parameters, and
// one sees that they are no interfaces.
func (d *declarations) plain() (names []string) {
	for _, name := range d.order {
		t := d.types[name]
		if len(t.params) > 0 || t.isInterface {
			continue
		}
		switch e := t.expr.(type) {
		case *ast.StructType, *ast.ArrayType, *ast.MapType:
			names = append(names, name)
		case *ast.Ident:
			if d.types[e.Name] == nil && slices.Contains(basics, e.Name) {
				names = append(names, name)
			}
		}
	}
	return names
}

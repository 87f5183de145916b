package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

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

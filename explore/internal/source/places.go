package source

import (
	"go/ast"
	"go/token"
	"slices"
)

// Preceding is the statement before a place between statements; nil if that is the first. It is not ok
// for another place.
func Preceding(body *ast.BlockStmt, at token.Pos) (last ast.Stmt, ok bool) {
	var inner, outer ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || at < n.Pos() || n.End() <= at {
			return false
		}
		inner, outer = n, inner
		return true
	})
	switch outer.(type) {
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		if b, ok := inner.(*ast.BlockStmt); ok { // between clauses: it belongs to the one before
			inner = lastBefore(b.List, at)
		}
	}
	switch n := inner.(type) {
	case *ast.BlockStmt:
		return lastBefore(n.List, at), true
	case *ast.CaseClause:
		return lastBefore(n.Body, at), at > n.Colon
	case *ast.CommClause:
		return lastBefore(n.Body, at), at > n.Colon
	}
	return nil, false
}

// lastBefore is the last statement that ends before a place.
func lastBefore(list []ast.Stmt, at token.Pos) (last ast.Stmt) {
	for _, s := range list {
		if s.End() <= at {
			last = s
		}
	}
	return last
}

// Terminates reports whether nothing behind a statement is reached: what Go's specification calls
// terminating, and jumps.
func Terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return ends(s.List)
	case *ast.IfStmt:
		return s.Else != nil && ends(s.Body.List) && Terminates(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !breaks(s.Body)
	case *ast.LabeledStmt:
		return Terminates(s.Stmt)
	case *ast.SwitchStmt:
		return clausesEnd(s.Body)
	case *ast.TypeSwitchStmt:
		return clausesEnd(s.Body)
	case *ast.SelectStmt:
		return !breaks(s.Body) && !slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return !ends(c.(*ast.CommClause).Body) })
	}
	return false
}

func ends(list []ast.Stmt) bool { return len(list) > 0 && Terminates(list[len(list)-1]) }

// clausesEnd reports whether a switch is left by none of its cases.
func clausesEnd(body *ast.BlockStmt) bool {
	def := false
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		def = def || c.List == nil
		if !ends(c.Body) {
			return false
		}
	}
	return def && !breaks(body)
}

// breaks reports whether a statement may be left by break; any with a label counts.
func breaks(body *ast.BlockStmt) (found bool) {
	var visit func(n ast.Node, inner bool)
	visit = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if m != n && !inner {
					visit(m, true)
					return false
				}
			case *ast.BranchStmt:
				found = found || m.Tok == token.BREAK && (m.Label != nil || !inner)
			}
			return true
		})
	}
	visit(body, false)
	return found
}

// Around is the function whose body is around a place; nil if there is none.
func Around(f *ast.File, at token.Pos) *ast.FuncDecl {
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && fn.Body.Lbrace <= at && at < fn.Body.Rbrace {
			return fn
		}
	}
	return nil
}

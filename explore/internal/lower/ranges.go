package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// unevaluated finds what go/ssa evaluates and Go does not: the expression of a range clause whose value nobody
// asks for, if it is an array or points to one, and calls and receives nothing. So code that ranges over
// an array by index alone reads none of its elements.
func unevaluated(fn *ssa.Function) map[ssa.Instruction]bool {
	within := ranges(fn.Syntax())
	if len(within) == 0 {
		return nil
	}
	dead := map[ssa.Instruction]bool{}
	for found := true; found; {
		found = false
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if !dead[in] && reads(in) && within.has(in.Pos()) && unused(in, dead) {
					dead[in], found = true, true
				}
			}
		}
	}
	return dead
}

// spans are where expressions are.
type spans []ast.Expr

func (s spans) has(pos token.Pos) bool {
	for _, e := range s {
		if e.Pos() <= pos && pos < e.End() {
			return true
		}
	}
	return false
}

// ranges are the expressions of a function's range clauses that may not be evaluated.
func ranges(syntax ast.Node) (all spans) {
	if syntax == nil {
		return nil
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.RangeStmt); ok && s.Value == nil && !calls(s.X) {
			all = append(all, s.X)
		}
		return true
	})
	return all
}

// calls reports whether an expression calls a function or receives from a channel.
func calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// reads reports whether an instruction is a part of such an expression.
func reads(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.MUL
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index:
		return true
	}
	return false
}

// unused reports whether nothing but what is dead uses a value. The last one is an array, or points to one.
func unused(in ssa.Instruction, dead map[ssa.Instruction]bool) bool {
	v := in.(ssa.Value)
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug && !dead[r] {
			return false
		}
	}
	if len(*v.Referrers()) > 0 {
		return true
	}
	t := v.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	_, array := t.(*types.Array)
	return array
}

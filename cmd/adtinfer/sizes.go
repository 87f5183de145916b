package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"

	"github.com/adtinfer/adtinfer/reference"
)

// integers are the integers that an expression is written with, in order.
func integers(expr string) (all []*ast.BasicLit) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.INT {
			all = append(all, l)
		}
		return true
	})
	return all
}

// sizes are the numbers with which an expression makes objects: one of them may be a
// capacity.
func sizes(expr string) (all []int) {
	for _, l := range integers(expr) {
		n, err := strconv.ParseInt(l.Value, 0, 32)
		if err != nil {
			n = 0
		}
		all = append(all, int(n))
	}
	return all
}

// sized is the reference that another number in place of the i-th makes.
func (o *inferOptions) sized(ctx context.Context, i, n int) (reference.Implementation, error) {
	load := o.load
	at := integers(load.New)[i]
	load.New = load.New[:at.Pos()-1] + strconv.Itoa(n) + load.New[at.End()-1:]
	load.Warn = func(string) {}
	pkg, err := reference.Load(ctx, o.ref, load)
	if err != nil {
		return nil, err
	}
	return pkg, nil
}

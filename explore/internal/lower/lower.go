// Package lower compiles SSA form to package ir. What a program may use beyond the
// language is listed in package standard: functions that are instructions or natives, and
// packages that are replaced by Go source of our own.
//
// Functions are compiled as they are reached from the constructor and the operations;
// methods, if an interface is made of their type and somebody calls them; initialisers,
// as far as they matter for variables that are reached. Then copies and dead code are
// dropped, small functions put in the place of their calls, and registers shared.
//
//	Compile   compiles a package
//	Refusal   something in the code that cannot be explored, with its place
package lower

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// Refusal is something in the code that cannot be explored.
type Refusal struct {
	Pos  ir.Position
	What string
}

// Error says what, and where.
func (r Refusal) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", r.Pos.File, r.Pos.Line, r.Pos.Col, r.What)
}

// noSource ends what is said of functions in assembly.
const noSource = ", which has no Go source"

// Assembly reports whether it is a function that is not written in Go.
func (r Refusal) Assembly() bool { return strings.HasSuffix(r.What, noSource) }

// Compile compiles what the constructor and the operations of a package reach.
// Refusals are sorted by their place; without any the program is complete, except
// that what the standard library reaches only for errors may be Fail instructions.
func Compile(p *source.Package) (*ir.Program, []Refusal) {
	return compile(p, (*compiler).optimize)
}

func compile(p *source.Package, optimize func(*compiler)) (*ir.Program, []Refusal) {
	c := newCompiler(p)
	c.addRuntimeError()
	c.prog.New = c.function(p.New)
	c.prog.NewResults = c.forms(resultTypes(p.New.Signature))
	for _, op := range p.Ops {
		own := ir.Operation{
			Method: op.Method, GoName: op.GoName, Func: c.function(op.Func), Params: c.forms(op.Params), Results: c.forms(op.Results), Doc: docOf(op.Func),
		}
		for i := range op.Choices {
			own.Params[i].Choices = op.Choices[i]
		}
		for i := range op.Ran {
			own.Results[i].Counts = true
		}
		c.prog.Ops = append(c.prog.Ops, own)
	}
	c.policy(p.Policy)
	for c.drain(); c.addMethods() || c.addInits(); {
		c.drain()
	}
	c.finish()
	optimize(c)
	return c.prog, c.sortedRefusals()
}

// compiler compiles one program. Functions wait in work until they are compiled.
type compiler struct {
	src          *source.Package
	prog         *ir.Program
	shapes       *typeutil.Map // types to *shape
	layouts      map[layoutKey]int
	byType       *typeutil.Map // types to the numbers of their layouts
	consts       map[string]int32
	positions    map[ir.Position]int32
	funcs        map[*ssa.Function]int
	closures     map[*ssa.Function]int // the globals that are their closures
	globals      map[*ssa.Global]int
	dynamic      *typeutil.Map // types to their numbers in prog.Types
	made         []bool        // by dynamic type: values of it become interfaces
	dynamicTypes []types.Type  // by number
	interfaces   *typeutil.Map // types to their numbers in prog.Interfaces
	methods      map[string][]signature
	called       map[int]bool // methods that are called
	partsNumber  int          // see partsMethod
	inits        initState
	work         []*ssa.Function
	unitsOf      map[int][]int32 // by function: where the registers of each value begin
	refusals     map[Refusal]bool
}

func newCompiler(p *source.Package) *compiler {
	return &compiler{
		src: p,
		prog: &ir.Program{
			Strings: ir.NewStrings(), Types: []*ir.Type{{Name: "nil", Comparable: true}}, Layouts: []*ir.Layout{{Name: "nothing", Words: []ir.Kind{ir.Data}}},
			Positions: []ir.Position{{}},
		},
		shapes: new(typeutil.Map), layouts: map[layoutKey]int{}, byType: new(typeutil.Map), consts: map[string]int32{}, positions: map[ir.Position]int32{{}: 0},
		funcs: map[*ssa.Function]int{}, closures: map[*ssa.Function]int{}, globals: map[*ssa.Global]int{}, dynamic: new(typeutil.Map), made: []bool{false},
		methods: map[string][]signature{}, dynamicTypes: []types.Type{nil}, interfaces: new(typeutil.Map), called: map[int]bool{}, inits: newInitState(),
		unitsOf: map[int][]int32{}, refusals: map[Refusal]bool{},
	}
}

// function is the number of a function, which is compiled if it has not been.
func (c *compiler) function(fn *ssa.Function) int {
	if n, ok := c.funcs[fn]; ok {
		return n
	}
	n := len(c.prog.Funcs)
	c.funcs[fn] = n
	c.prog.Funcs = append(c.prog.Funcs, nil)
	c.work = append(c.work, fn)
	return n
}

// drain compiles the functions that wait, and those that they reach.
func (c *compiler) drain() {
	for len(c.work) > 0 {
		fn := c.work[0]
		c.work = c.work[1:]
		c.compileOrRefuse(fn, c.funcs[fn])
	}
}

// compileOrRefuse compiles a function; a mistake in here refuses it.
func (c *compiler) compileOrRefuse(fn *ssa.Function, n int) {
	defer func() {
		if r := recover(); r != nil {
			f := c.newFunction(c.funcName(fn), fn.Pos(), false)
			f.notCovered(fmt.Sprintf("%s: internal error: %v", f.out.Name, r))
			f.end(n)
		}
	}()
	c.compile(fn, n)
}

// refuse notes what cannot be explored. Within the standard library it is none: who gets
// there at run time fails.
func (c *compiler) refuse(pos ir.Position, what string) {
	c.refusals[Refusal{pos, what}] = true
}

func (c *compiler) sortedRefusals() []Refusal {
	var list []Refusal
	for r := range c.refusals {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.What, b.What))
	})
	return list
}

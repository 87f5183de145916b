package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// initState is what is known of the packages' initialisation. Of an initialiser only what
// matters for the variables that are reached is compiled; that may reach more.
type initState struct {
	reached map[*ssa.Global]bool
	kept    map[*ssa.Package]int // how many instructions were compiled
	funcs   map[*ssa.Package]int
	direct  map[*ssa.Function]*touched
	aliases aliases
}

func newInitState() initState {
	return initState{map[*ssa.Global]bool{}, map[*ssa.Package]int{}, map[*ssa.Package]int{}, map[*ssa.Function]*touched{}, nil}
}

// reach notes that code uses a global variable.
func (c *compiler) reach(g *ssa.Global) { c.inits.reached[g] = true }

// addInits compiles the initialisers anew that have more to do than before; it reports
// whether there are any.
func (c *compiler) addInits() bool {
	used := map[*ssa.Package]bool{}
	for g := range c.inits.reached {
		used[g.Pkg] = true
	}
	if c.inits.aliases == nil {
		c.findAllAliases()
	}
	added := false
	for _, p := range c.src.Packages {
		standard := c.standardPackage(p)
		if standard && !used[p] {
			continue
		}
		p.Build()
		fn := p.Func("init")
		if fn == nil || fn.Blocks == nil {
			continue
		}
		s := c.slice(fn, standard)
		kept := c.inits.kept[p]
		c.inits.kept[p] = len(s.keep)
		if len(s.keep) == kept {
			continue
		}
		added = true
		f := c.newFunction(c.funcName(fn), fn.Pos(), standard)
		f.initBody(fn, s)
		n, ok := c.inits.funcs[p]
		if !ok {
			n = len(c.prog.Funcs)
			c.inits.funcs[p] = n
			c.prog.Funcs = append(c.prog.Funcs, nil)
		}
		f.end(n)
	}
	return added
}

// finish completes the program: its initialiser calls those of the packages.
func (c *compiler) finish() {
	c.finishMethods()
	f := c.newFunction("init", 0, true)
	for _, p := range c.src.Packages {
		if n, ok := c.inits.funcs[p]; ok {
			f.emit(ir.Instr{Op: ir.Call, To: int32(n)})
		}
	}
	f.emit(ir.Instr{Op: ir.Return})
	c.prog.Init = f.add()
}

// initBody compiles what is kept of an initialiser.
func (f *function) initBody(fn *ssa.Function, s *initSlice) {
	f.findVariables(fn)
	for range fn.Blocks {
		f.blocks = append(f.blocks, f.newLabel())
	}
	for _, b := range fn.Blocks {
		f.bind(f.blocks[b.Index])
		for _, in := range b.Instrs {
			f.notePlace(in)
			switch in := in.(type) {
			case *ssa.If:
				switch {
				case s.keep[in]:
					f.instr(in)
				case isGuard(in): // it has not run yet
					f.jump(f.blocks[b.Succs[1].Index])
				default:
					f.jump(f.blocks[s.after[b.Index]])
				}
			case *ssa.Jump:
				f.keptEdge(b, b.Succs[0], s)
			case *ssa.Return:
				f.emit(ir.Instr{Op: ir.Return})
			default:
				if s.keep[in] {
					f.instr(in)
				}
			}
		}
	}
}

// keptEdge is edge without the phis that are not kept.
func (f *function) keptEdge(from, to *ssa.BasicBlock, s *initSlice) {
	for _, in := range to.Instrs {
		if phi, ok := in.(*ssa.Phi); ok && s.keep[phi] {
			f.edge(from, to)
			return
		}
	}
	f.jump(f.blocks[to.Index])
}

// initSlice is the part of an initialiser that matters.
type initSlice struct {
	c        *compiler
	fn       *ssa.Function
	standard bool
	keep     map[ssa.Instruction]bool
	after    []int   // by block: where all ways from it meet again
	deps     [][]int // by block: the blocks whose branch decides whether it runs
}

// slice finds what of an initialiser matters: stores to variables that are reached, calls
// that may write to them, and whatever these need.
func (c *compiler) slice(fn *ssa.Function, standard bool) *initSlice {
	s := &initSlice{c: c, fn: fn, standard: standard, keep: map[ssa.Instruction]bool{}}
	s.control()
	for changed := true; changed; {
		changed = false
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if !s.keep[in] && s.matters(in) {
					s.mark(in)
					changed = true
				}
			}
		}
	}
	return s
}

// matters reports whether an instruction has an effect on what is kept.
func (s *initSlice) matters(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return s.concerns(in.Addr, map[ssa.Value]bool{})
	case *ssa.MapUpdate:
		return s.concerns(in.Map, map[ssa.Value]bool{})
	case *ssa.Call:
		return s.callMatters(in)
	}
	return false
}

func (s *initSlice) callMatters(in *ssa.Call) bool {
	callee := in.Call.StaticCallee()
	if callee != nil && callee.Name() == "init" && callee.Synthetic != "" { // of a package that is imported
		return false
	}
	for _, a := range in.Call.Args {
		if s.concerns(a, map[ssa.Value]bool{}) {
			return true
		}
	}
	if _, ok := in.Call.Value.(*ssa.Builtin); ok {
		return false
	}
	if callee == nil {
		return !s.standard
	}
	seen := map[*ssa.Function]bool{}
	for _, a := range in.Call.Args { // functions that it is given, and may call
		if fn := functionOf(a); fn != nil && s.c.writesReached(fn, seen) {
			return true
		}
	}
	return s.c.writesReached(callee, seen)
}

// concerns reports whether a value leads to memory that is kept.
func (s *initSlice) concerns(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	if g, ok := v.(*ssa.Global); ok {
		return s.c.reachedGlobal(g, s.standard)
	}
	in, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.Call, *ssa.MakeClosure:
		if s.keep[in] {
			return true
		}
	}
	for _, op := range in.Operands(nil) {
		if *op != nil && s.concerns(*op, seen) {
			return true
		}
	}
	return false
}

// mark keeps an instruction with what it needs.
func (s *initSlice) mark(in ssa.Instruction) {
	if s.keep[in] {
		return
	}
	s.keep[in] = true
	for _, op := range in.Operands(nil) {
		if v, ok := (*op).(ssa.Instruction); ok && *op != nil {
			s.mark(v)
		}
	}
	s.markControl(in.Block().Index)
	if phi, ok := in.(*ssa.Phi); ok {
		for _, p := range phi.Block().Preds {
			if last, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok {
				s.mark(last)
			}
			s.markControl(p.Index)
		}
	}
}

func (s *initSlice) markControl(block int) {
	for _, d := range s.deps[block] {
		b := s.fn.Blocks[d]
		if last, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && !isGuard(last) {
			s.mark(last)
		}
	}
}

// isGuard reports whether a branch asks whether an initialiser has run.
func isGuard(in *ssa.If) bool {
	load, ok := in.Cond.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Name() == "init$guard"
}

// control computes after and deps.
func (s *initSlice) control() {
	n := len(s.fn.Blocks)
	s.after, s.deps = make([]int, n), make([][]int, n)
	order := make([]int, 0, n) // each block after its successors
	seen := make([]bool, n)
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b.Index] = true
		for _, t := range b.Succs {
			if !seen[t.Index] {
				visit(t)
			}
		}
		order = append(order, b.Index)
	}
	visit(s.fn.Blocks[0])
	rank := make([]int, n) // in order
	for i, b := range order {
		rank[b] = i
	}
	for _, b := range order { // there are no loops, so one round will do
		succs := s.fn.Blocks[b].Succs
		s.after[b] = b
		for i, t := range succs {
			if i == 0 {
				s.after[b] = t.Index
				continue
			}
			x, y := s.after[b], t.Index
			for x != y {
				if rank[x] > rank[y] {
					x = s.after[x]
				} else {
					y = s.after[y]
				}
			}
			s.after[b] = x
		}
	}
	for _, b := range order {
		for _, t := range s.fn.Blocks[b].Succs {
			for x := t.Index; x != s.after[b]; x = s.after[x] {
				s.deps[x] = append(s.deps[x], b)
			}
		}
	}
}

package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// ghost emits what a call in a directive does; it reports false for functions of the code.
func (f *function) ghost(fn *ssa.Function, args []ir.Arg, dst int32) bool {
	if f.src.Policy == nil {
		return false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	g, ok := f.src.Policy.Ghosts[fn]
	if !ok {
		return false
	}
	in := ir.Instr{Op: ir.Ghost, M: g.Kind, To: int32(g.Number), Dst: dst, Args: argsOf(args...)}
	switch g.Kind {
	case ir.GhostOwn, ir.GhostOwns, ir.GhostAssume:
		in.A, in.Args = args[0].At, nil
	case ir.GhostAnnounce:
		if g.For {
			in.C, in.A, in.Args = 1, args[0].At, argsOf(args[1:]...)
		}
		for _, t := range f.src.Ops[g.Number].Params {
			in.N += int32(f.words(t))
		}
	case ir.GhostBroadcast:
		if g.After {
			in.C = 1
		}
	}
	f.emit(in)
	return true
}

// policy compiles the rules and invariants.
func (c *compiler) policy(p *source.Policy) {
	if p == nil {
		return
	}
	out := &ir.Policy{States: p.States, Messages: p.Messages, Guesses: p.Guesses}
	c.prog.Policy = out
	for _, r := range p.Rules {
		out.Rules = append(out.Rules, ir.Rule{
			Op: r.Op, State: r.State, Message: r.Message, After: r.After, If: c.function(r.If), Do: c.function(r.Do), Pos: c.position(r.Pos),
		})
	}
	for _, i := range p.Invariants {
		out.Invariants = append(out.Invariants, ir.Invariant{Func: c.function(i.Func), Text: i.Text, Pos: c.position(i.Pos)})
	}
}

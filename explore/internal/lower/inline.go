package lower

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// mostInlined is how many instructions a function may have to be put in the place of its
// calls, mostCode how many the caller may have then.
const (
	mostInlined = 40
	mostCode    = 400
)

// inliner puts small functions in the place of their calls: a call is a frame, and each
// frame is part of states.
type inliner struct {
	c       *compiler
	begun   []bool
	ended   []bool
	forward []int32             // by function: the one that it only calls, with its own parameters
	inside  map[insideKey]int32 // see within
}

// optimize makes all functions shorter, and puts small ones in the place of their calls. Fewer
// registers are smaller states.
func (c *compiler) optimize() {
	n := len(c.prog.Funcs)
	in := &inliner{c, make([]bool, n), make([]bool, n), make([]int32, n), map[insideKey]int32{}}
	for i, f := range c.prog.Funcs {
		simplify(c, f, c.unitsOf[i])
		in.forward[i] = forwards(f)
	}
	for i := range c.prog.Ops {
		c.prog.Ops[i].Func = in.end(c.prog.Ops[i].Func)
	}
	c.prog.New = in.end(c.prog.New)
	if p := c.prog.Policy; p != nil {
		for i := range p.Rules {
			p.Rules[i].If, p.Rules[i].Do = in.end(p.Rules[i].If), in.end(p.Rules[i].Do)
		}
		for i := range p.Invariants {
			p.Invariants[i].Func = in.end(p.Invariants[i].Func)
		}
	}
	for i := range c.prog.Funcs {
		in.visit(i)
	}
	for i, f := range c.prog.Funcs {
		share(f, c.unitsOf[i])
		shorten(f)
		shorten(f) // moves that are gone have left jumps to jumps
		f.Finish()
	}
}

// forwards is the function that another one only calls, with its own parameters, and
// returns what it does; -1 if it does anything else.
func forwards(f *ir.Func) int32 {
	if len(f.Code) != 2 || f.Code[0].Op != ir.Call || f.Code[0].Mode != ir.Now || f.Code[1].Op != ir.Return || f.Captured > 0 {
		return -1
	}
	if call := &f.Code[0]; inOrder(call.Args, 0, int32(f.Params)) && inOrder(f.Code[1].Args, call.Dst, call.N) {
		return call.To
	}
	return -1
}

// inOrder reports whether arguments are n registers, one after the other.
func inOrder(args []ir.Arg, at, n int32) bool {
	for _, a := range args {
		if a.At != at {
			return false
		}
		at, n = at+a.N, n-a.N
	}
	return n == 0
}

// end is the function to which a function leads.
func (in *inliner) end(fn int) int {
	for range 10 {
		if in.forward[fn] < 0 {
			break
		}
		fn = int(in.forward[fn])
	}
	return fn
}

// visit inlines calls within a function, after those within the functions that it calls.
func (in *inliner) visit(n int) {
	if in.begun[n] {
		return
	}
	in.begun[n] = true
	f := in.c.prog.Funcs[n]
	var expand []bool
	size := len(f.Code)
	for i := range f.Code {
		call := &f.Code[i]
		expand = append(expand, false)
		if call.Op != ir.Call {
			continue
		}
		if call.Mode == ir.Now { // a function that is deferred recovers only if it is called at once
			call.To = int32(in.end(int(call.To)))
		}
		in.visit(int(call.To))
		callee := in.c.prog.Funcs[call.To]
		if call.Mode == ir.Now && in.ended[call.To] && inlinable(callee) && size+len(callee.Code) <= mostCode {
			expand[i] = true
			size += len(callee.Code)
		}
	}
	if slices.Contains(expand, true) {
		in.expand(n, expand)
		simplify(in.c, f, in.c.unitsOf[n])
	}
	in.ended[n] = true
}

// inlinable reports whether a function may be put in the place of a call.
func inlinable(f *ir.Func) bool {
	return f.Defers < 0 && len(f.Code) <= mostInlined && !slices.ContainsFunc(f.Code, func(in ir.Instr) bool { return in.Op == ir.Recover })
}

// expand puts functions in the place of calls.
func (in *inliner) expand(n int, calls []bool) {
	f := in.c.prog.Funcs[n]
	var code []ir.Instr
	at := make([]int32, len(f.Code)) // where instructions are now
	own := make([]int, 0, len(f.Code))
	for i, instr := range f.Code {
		at[i] = int32(len(code))
		if calls[i] {
			code = in.body(n, code, instr)
			continue
		}
		own = append(own, len(code))
		code = append(code, instr)
	}
	for _, i := range own {
		switch j := &code[i]; j.Op {
		case ir.Jump:
			j.To = at[j.To]
		case ir.If:
			j.To, j.M = at[j.To], at[j.M]
		}
	}
	if f.Recovers >= 0 {
		f.Recovers = at[f.Recovers]
	}
	f.Code = code
}

// body appends a function's instructions in the place of a call, with registers of their own.
func (in *inliner) body(n int, code []ir.Instr, call ir.Instr) []ir.Instr {
	f, callee := in.c.prog.Funcs[n], in.c.prog.Funcs[call.To]
	base := int32(len(f.Kinds))
	f.Kinds = append(f.Kinds, callee.Kinds...)
	for _, u := range in.c.unitsOf[int(call.To)] {
		in.c.unitsOf[n] = append(in.c.unitsOf[n], base+u)
	}
	param := base
	for _, a := range call.Args {
		code = append(code, ir.Instr{Op: ir.Move, Dst: param, A: a.At, N: a.N, Pos: call.Pos})
		param += a.N
	}
	first := int32(len(code))
	var where []int32 // where the callee's instructions are, relative to first
	var inner []int
	var returns []int
	within := call.Pos
	if callee.Standard && !f.Standard {
		within = in.within(call.Pos, &in.c.prog.Positions[callee.Pos])
	}
	for _, instr := range callee.Code {
		if within != call.Pos {
			instr.Pos = within
		}
		where = append(where, int32(len(code))-first)
		if instr.Op == ir.Return {
			dst := call.Dst
			for _, a := range instr.Args {
				if a.At >= 0 {
					a.At += base
				}
				code = append(code, ir.Instr{Op: ir.Move, Dst: dst, A: a.At, N: a.N, Pos: instr.Pos})
				dst += a.N
			}
			returns = append(returns, len(code))
			code = append(code, ir.Instr{Op: ir.Jump, Pos: instr.Pos})
			continue
		}
		inner = append(inner, len(code))
		code = append(code, renumbered(instr, base))
	}
	for _, i := range inner {
		switch j := &code[i]; j.Op {
		case ir.Jump:
			j.To = first + where[j.To]
		case ir.If:
			j.To, j.M = first+where[j.To], first+where[j.M]
		}
	}
	for _, i := range returns {
		code[i].To = int32(len(code))
	}
	return code
}

// within is the place of what happens in the standard library when it is called
// somewhere.
func (in *inliner) within(pos int32, what *ir.Position) int32 {
	k := insideKey{pos, what.Package()}
	n, ok := in.inside[k]
	if !ok {
		n = int32(len(in.c.prog.Positions))
		p := in.c.prog.Positions[pos]
		p.Within, p.Library = true, k.library
		in.c.prog.Positions = append(in.c.prog.Positions, p)
		in.inside[k] = n
	}
	return n
}

// insideKey is where a library is called, and which one.
type insideKey struct {
	pos     int32
	library string
}

// renumbered is an instruction whose registers begin at base.
func renumbered(in ir.Instr, base int32) ir.Instr {
	in.Args = slices.Clone(in.Args)
	in.Operands(func(at *int32, n int32) {
		if *at >= 0 {
			*at += base
		}
	})
	eachWritten(&in, func(at *int32) { *at += base })
	return in
}

package lower

import (
	"bufio"
	"bytes"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/standard"
)

// site is where a known function is called.
type site struct {
	*function               // that calls it; it has emit, label, jump, branch, regs, constant
	fn        *ssa.Function // the one that is called
	args      []ir.Arg      // one for each parameter, the receiver first
	dst       int32         // the registers of its results, one after the other
}

// lookup is what stands for a function, by its own name or by that which it is linked to.
func (c *compiler) lookup(fn *ssa.Function) (standard.Function, bool) {
	name := fullName(fn)
	f, ok := standard.Lookup(name)
	if !ok && name != "" && !c.standard(fn) && c.bodyless(fn) {
		if to := linkedTo(fn.Name(), c.src.Prog.Fset.Position(fn.Pos()).Filename); to != "" {
			f, ok = standard.Lookup(to)
		}
	}
	if f.Note != "" && !slices.Contains(c.prog.Notes, f.Note) {
		c.prog.Notes = append(c.prog.Notes, f.Note)
	}
	return f, ok
}

// linkedTo is what a go:linkname directive in a file says that a function is.
func linkedTo(name, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if words := strings.Fields(s.Text()); len(words) == 3 && words[0] == "//go:linkname" && words[1] == name {
			return words[2]
		}
	}
	return ""
}

// uncovered says why calls of a function cannot be explored, "" if they can be.
func (c *compiler) uncovered(fn *ssa.Function) string {
	f, _ := c.lookup(fn)
	if f.Refused == "" || f.Late {
		return ""
	}
	return c.refusal(fn, f)
}

func (c *compiler) refusal(fn *ssa.Function, f standard.Function) string {
	return "calls " + c.funcName(fn) + ", which " + f.Refused
}

// intrinsic emits what a function is known to be; it reports false if its source is to be
// compiled.
func (c *compiler) intrinsic(s *site) bool {
	f, ok := c.lookup(s.fn)
	if !ok || f.Source() {
		return false
	}
	n := c.words(s.fn.Signature.Results())
	switch {
	case f.Helped != "" && s.helped(f.Helped, n):
	case f.Parts:
		s.emit(ir.Instr{Op: ir.CallMethod, Dst: s.dst, N: int32(n), A: s.args[0].At, To: int32(c.partsMethod())})
	case f.Late:
		s.fails(c.refusal(s.fn, f))
	case f.Refused != "":
		s.notCovered(c.refusal(s.fn, f))
	case f.Nothing:
		s.move(s.dst, c.zero(n), n)
	case f.Native != nil && f.Loads != nil:
		p, words := s.newRegs(ir.Ptr), s.shape(f.Loads).kinds
		value := s.newRegs(words...)
		s.emit(ir.Instr{Op: ir.Cast, Dst: p, A: s.args[0].At, To: int32(s.layout(f.Loads))})
		s.emit(ir.Instr{Op: ir.Load, Dst: value, A: p, N: int32(len(words))})
		s.native(fullName(s.fn), f.Native, s.dst, n, append([]ir.Arg{{At: value, N: int32(len(words))}}, s.args[1:]...)...)
	case f.Native != nil:
		s.native(fullName(s.fn), f.Native, s.dst, n, s.args...)
	case f.Any != nil:
		s.any(f.Any)
	default:
		for _, in := range f.Code {
			s.instruction(in, n)
		}
	}
	return true
}

// native emits the call of a native.
func (s *site) native(name string, call func(p *ir.Program, args, rets []ir.Word) string, dst int32, results int, args ...ir.Arg) {
	at := slices.IndexFunc(s.prog.Natives, func(n ir.Native) bool { return n.Name == name })
	if at < 0 {
		at = len(s.prog.Natives)
		s.prog.Natives = append(s.prog.Natives, ir.Native{Name: name, Call: call})
	}
	s.emit(ir.Instr{Op: ir.CallNative, Dst: dst, N: int32(results), To: int32(at), Args: argsOf(args...)})
}

// any emits a choice among the results of a function.
func (s *site) any(list func(args []ir.Word) []ir.Word) {
	name, n := fullName(s.fn), s.data()
	s.native("how many of "+name, func(_ *ir.Program, args, rets []ir.Word) string {
		rets[0] = ir.Word(len(list(args)))
		return ""
	}, n, 1, s.args...)
	which := s.data()
	s.emit(ir.Instr{Op: ir.Choose, Dst: which, A: n})
	s.native("one of "+name, func(_ *ir.Program, args, rets []ir.Word) string {
		last := len(args) - 1
		rets[0] = list(args[:last])[args[last]]
		return ""
	}, s.dst, 1, append(s.args[:len(s.args):len(s.args)], ir.Arg{At: which, N: 1})...)
}

// instruction emits an instruction of a table, for a call with n words of results.
func (s *site) instruction(in standard.Instr, n int) {
	operand := func(i int) int32 {
		if i == standard.None {
			return 0
		}
		return s.args[i].At
	}
	out := ir.Instr{Op: in.Op, Dst: s.dst, A: operand(in.A), B: operand(in.B), C: operand(in.C), M: in.M, N: int32(n)}
	if in.B != standard.None {
		out.N = s.args[in.B].N
	}
	switch in.Op {
	case ir.AtomicAdd, ir.AtomicAnd, ir.AtomicOr:
		out.Num = numOf(param(s.fn, in.B))
	case ir.AtomicCAS:
		out.To = int32(s.layout(param(s.fn, in.B)))
	case ir.PoolPut:
		out.To = int32(s.intern(ir.Layout{Name: "values of a pool", Words: []ir.Kind{ir.Iface, ir.Dynamic}, Escapes: true}))
	}
	s.emit(out)
}

// param is the type of a parameter, the receiver first.
func param(fn *ssa.Function, i int) types.Type {
	if recv := fn.Signature.Recv(); recv != nil {
		if i == 0 {
			return recv.Type()
		}
		i--
	}
	return fn.Signature.Params().At(i).Type()
}

// fullName is a function's name as in the tables; "" for those without a package.
func fullName(fn *ssa.Function) string {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Synthetic != "" && fn.Origin() == nil && fn.Pkg == nil {
		return ""
	}
	return obj.Origin().FullName()
}

package ir

import (
	"fmt"
	"slices"
	"strings"
)

// opNames are the names of operations, for readers.
var opNames = [numOps]string{
	Move: "move", Add: "add", Sub: "sub", Mul: "mul", Div: "div", Rem: "rem", And: "and", Or: "or", Xor: "xor", AndNot: "andnot", Shl: "shl", Shr: "shr",
	Neg: "neg", Com: "com", Not: "not", Eq: "eq", Ne: "ne", Lt: "lt", Le: "le", Same: "same", Convert: "convert",
	Len: "len", CharAt: "charat", Substring: "substring", NextRune: "nextrune",
	FieldAddr: "fieldaddr", Cast: "cast", IndexAddr: "indexaddr", Index: "index", Alloc: "alloc", MakeSlice: "makeslice", Slice: "slice", MakeIface: "makeiface",
	Assert: "assert", AssertTo: "assertto", MakeClosure: "makeclosure", CallNative: "callnative", Choose: "choose",
	Jump: "jump", If: "if", Call: "call", CallClosure: "callclosure", CallMethod: "callmethod", Return: "return", RunDefers: "rundefers", Panic: "panic",
	Recover: "recover", Fail: "fail",
	Load: "load", Store: "store", Append: "append", AppendStr: "appendstr", Copy: "copy", CopyStr: "copystr", Clear: "clear", Bytes: "bytes", Text: "text",
	MakeMap: "makemap", MapGet: "mapget", MapSet: "mapset", MapDelete: "mapdelete", MapLen: "maplen", MapClear: "mapclear", MapIter: "mapiter", MapNext: "mapnext",
	AtomicLoad: "atomicload", AtomicStore: "atomicstore", AtomicSwap: "atomicswap", AtomicCAS: "atomiccas", AtomicAdd: "atomicadd", AtomicAnd: "atomicand",
	AtomicOr: "atomicor",
	Lock:     "lock", TryLock: "trylock", Unlock: "unlock", RLock: "rlock", TryRLock: "tryrlock", RUnlock: "runlock", WAnnounce: "wannounce", WLock: "wlock",
	TryWLock: "trywlock", WUnlock: "wunlock", CondEnter: "condenter", CondWait: "condwait", Signal: "signal", WGAdd: "wgadd", WGWait: "wgwait", PoolPut: "poolput", PoolGet: "poolget",
	MakeChan: "makechan", Send: "send", Recv: "recv", Close: "close", ChanLen: "chanlen", Select: "select", Ghost: "ghost",
}

// String is the name of an operation.
func (o Op) String() string {
	if o < numOps {
		return opNames[o]
	}
	return fmt.Sprintf("op%d", o)
}

var numNames = [...]string{"i64", "i8", "i16", "i32", "u8", "u16", "u32", "u64", "f32", "f64", "str", "bool", "opaque"}

// String is the name of a type of numbers.
func (n Num) String() string { return numNames[n] }

// String draws the program, a line for each instruction.
func (p *Program) String() string {
	var b strings.Builder
	for i, g := range p.Globals {
		fmt.Fprintf(&b, "global %d %s: %s", i+1, g.Name, p.Layouts[g.Layout].Name)
		if g.Count > 1 {
			fmt.Fprintf(&b, " x%d", g.Count)
		}
		if g.Init != nil {
			fmt.Fprintf(&b, " = %d", g.Init)
		}
		b.WriteString("\n")
	}
	for i := range p.Funcs {
		b.WriteString(p.Draw(i))
	}
	return b.String()
}

// Draw draws a function: its number and name, how many words it takes and returns, and
// its instructions.
func (p *Program) Draw(number int) string {
	f := p.Funcs[number]
	var b strings.Builder
	fmt.Fprintf(&b, "func %d %s(%d", number, f.Name, f.Params)
	if f.Captured > 0 {
		fmt.Fprintf(&b, "+%d", f.Captured)
	}
	fmt.Fprintf(&b, ") %d, %d registers", f.Results, len(f.Kinds))
	if f.Recovers >= 0 {
		fmt.Fprintf(&b, ", recovers at %d", f.Recovers)
	}
	b.WriteString("\n")
	for i := range f.Code {
		fmt.Fprintf(&b, "%5d  %s\n", i, p.instr(&f.Code[i]))
	}
	return b.String()
}

// operand draws an operand of n words.
func (p *Program) operand(at, n int32) string {
	if at >= 0 {
		if n == 1 {
			return fmt.Sprintf("r%d", at)
		}
		return fmt.Sprintf("r%d:%d", at, n)
	}
	words := p.Consts[^at:]
	if n == 1 {
		return fmt.Sprint(int64(words[0]))
	}
	return strings.ReplaceAll(fmt.Sprint(words[:n]), " ", ",")
}

// instr draws an instruction: what it writes, its name, what it reads, and its other
// fields.
func (p *Program) instr(in *Instr) string {
	var defs, uses, more []string
	in.Defs(func(reg, n int32) { defs = append(defs, p.operand(reg, n)) })
	in.Operands(func(at *int32, n int32) { uses = append(uses, p.operand(*at, n)) })
	add := func(format string, args ...any) { more = append(more, fmt.Sprintf(format, args...)) }
	switch in.Op {
	case Jump:
		add("-> %d", in.To)
	case If:
		add("-> %d else %d", in.To, in.M)
	case Call:
		add("func %d", in.To)
		if p.Funcs[in.To] != nil {
			add("%s", p.Funcs[in.To].Name)
		}
	case MakeClosure:
		add("func %d", in.To)
	case CallMethod:
		add("%s", p.Methods[in.To])
	case CallNative:
		add("%s", p.Natives[in.To].Name)
	case MakeIface, Assert:
		add("%s", p.Types[in.To].Name)
	case AssertTo:
		add("%s", p.Interfaces[in.To].Name)
	case Alloc, Cast, MakeSlice, MakeMap, MakeChan, Append, AppendStr:
		add("%s", p.Layouts[in.To].Name)
	case Fail:
		add("%s", p.Strings.Text(Word(in.To)))
	case FieldAddr:
		add("+%d", in.N)
	}
	if in.Op <= Neg && in.Op >= Add || in.Op >= Eq && in.Op <= Le || in.Op == Convert {
		add("%s", in.Num)
	}
	if in.Mode != Now {
		add("%s", [...]string{"", "go", "defer"}[in.Mode])
	}
	out := in.Op.String()
	if len(defs) > 0 {
		out = strings.Join(defs, " ") + " = " + out
	}
	return strings.Join(slices.Concat([]string{out}, uses, more), " ")
}

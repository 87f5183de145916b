package standard

import (
	"go/types"
	"reflect"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Function is what stands for a function. One of Code, Native, Any, Nothing and Refused
// says how it is compiled; without any, its Go source is.
type Function struct {
	// Code is what is done in its place, by the thread that calls it.
	Code []Instr
	// Native computes the results. With Loads it gets in place of its first argument, a pointer, a value of this type to which
	// that points.
	Native func(p *ir.Program, args, rets []ir.Word) (panics string)
	Loads  types.Type
	// Any lists what the call may give for arguments of one word each: all are explored.
	Any func(args []ir.Word) []ir.Word
	// Helped is a function of the same package that is called instead, with a function more
	// that the compiler makes where it knows the type of what became an interface: swap two
	// elements of a slice, in whose place stands the length; or assign to a variable,
	// for "as". Elsewhere the call is refused.
	Helped string
	// Parts says that it lists what a struct, array, slice or map in an interface consists
	// of, as interfaces; of a map keys and elements in turn.
	Parts bool
	// Nothing says that the call does nothing; results are zero.
	Nothing bool
	// Refused says what it is and what to do instead, as a part of a sentence: "reads
	// the file system; ...".
	Refused string
	// Late says that it is refused only if a run gets there: code has it for what should not happen.
	Late bool
	// like is the type of the Go function that Native calls.
	like reflect.Type
	// Orderless says that it does the same in whatever order it goes through maps: one
	// order is explored.
	Orderless bool
	// Note says what of it is not modelled, for the verdict and the docs.
	Note string
}

// Source reports whether the Go source of the function is compiled.
func (f *Function) Source() bool {
	return f.Code == nil && f.Native == nil && f.Any == nil && !f.Nothing && !f.Parts && f.Refused == ""
}

// Instr is an instruction whose operands are parameters, counted from 0 with
// the receiver first, or None. The compiler knows the numbers of words: N of an instruction is
// that of operand B if it has one, else that of the result; To of AtomicCAS is the layout of
// operand B, Num the type of operand B if it is a number. The result of the function is that of the instruction.
type Instr struct {
	Op      ir.Op
	A, B, C int
	M       int32
}

// None is the operand that an instruction does not have.
const None = -1

// Lookup tells what stands for a function, which is named as go/ssa does: sync.OnceFunc,
// (*sync.Mutex).Lock, and of generic ones the origin: (*sync/atomic.Pointer[T]).Load.
// A function without a body that is linked by name is looked up by that name: runtime.nanotime.
func Lookup(name string) (Function, bool) {
	if f, ok := functions()[name]; ok {
		return f, true
	}
	if what, ok := refused[packageOf(name)]; ok {
		return Function{Refused: what}, true
	}
	return Function{}, false
}

// packageOf is the path of the package of a function.
func packageOf(name string) string {
	path, _, _ := strings.Cut(strings.TrimLeft(name, "(*"), ")")
	slash := strings.LastIndexByte(path, '/') + 1
	last, _, _ := strings.Cut(path[slash:], ".")
	return path[:slash] + last
}

// functions is the list, by name.
var functions = sync.OnceValue(func() map[string]Function {
	return merge(atomics(), locks(), runtimes(), interfaces(), mathematics(), bitwise(), texts(), letters(), encodings(),
		conversions(), formats(), hashes(), reflects(), randoms(), clocks(), logs(), others())
})

func merge(tables ...map[string]Function) map[string]Function {
	all := map[string]Function{}
	for _, t := range tables {
		for name, f := range t {
			if _, ok := all[name]; ok {
				panic(name + " is listed twice")
			}
			all[name] = f
		}
	}
	return all
}

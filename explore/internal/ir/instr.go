package ir

// Arg is an operand of several words.
type Arg struct {
	At int32 // the first register, or constant if negative
	N  int32
}

// Instr is an instruction. An operand that is negative names the program's constant
// ^operand; operands of several words go on from there.
type Instr struct {
	Op      Op
	Num     Num   // the numbers' type
	From    Num   // Convert: what it was
	Mode    Mode  // of calls
	Dst     int32 // the first register of the result
	A, B, C int32 // operands
	N, M    int32 // numbers of words, and others; see Op
	To      int32 // a jump's target, or the number of a function, layout, type, method, native
	Args    []Arg
	Pos     int32 // in Program.Positions
}

// Num is a type of numbers; arithmetic wraps around and extends accordingly. A word
// holds an integer as its 64 bits, sign extended if it is signed, a float as its bits
// (math.Float64bits, math.Float32bits).
type Num uint8

// The types of numbers.
const (
	I64 Num = iota
	I8
	I16
	I32
	U8
	U16
	U32
	U64
	F32
	F64
	Str
	Bool
	Opaque // a word without a meaning for readers: unsafe.Pointer, complex numbers
)

// SameWord reports whether a word that holds one type of numbers may be read as another's
// without being changed.
func SameWord(a, b Num) bool {
	return a == b || (a == I64 || a == U64) && (b == I64 || b == U64)
}

// Mode is what becomes of a call.
type Mode uint8

// The modes of calls.
const (
	Now   Mode = iota
	Go         // a new thread makes it
	Defer      // it is pushed to the calls in register Func.Defers, of which RunDefers makes the last first
)

// Op is what an instruction does. In the comments r[X] is a register or constant, r[X:n]
// n of them from there on.
type Op uint8

// Local operations: registers alone, and objects that are new or never written.
const (
	Move Op = iota // r[Dst:N] = r[A:N]

	// Numbers of type Num.
	Add
	Sub
	Mul
	Div // panics: integer divide by zero
	Rem
	And
	Or
	Xor
	AndNot
	Shl // r[B] is of type From; panics if it is signed and negative
	Shr
	Neg // r[Dst] = -r[A]
	Com // ^r[A]
	Not // !r[A], a bool
	Eq  // r[Dst] = r[A] == r[B], of type Num: integers, floats, strings, pointers (as U64)
	Ne
	Lt
	Le
	Same    // r[Dst] = r[A:N] == r[B:N] as values of layout To, whose words may be interfaces: these panic if they cannot be compared
	Convert // r[Dst] = r[A] of type From as Num; Str from an integer is a rune's text

	// Strings are their numbers in Program.Strings.
	Len       // r[Dst] = len of string r[A]
	CharAt    // r[Dst] = r[A][r[B]]; panics
	Substring // r[Dst] = r[A][r[B]:r[C]]; panics
	NextRune  // r[Dst:3] = ok, index, rune of string r[A] at byte r[B]; r[C] receives the next byte's index
	// Of slices and maps the length is a register or the first instructions below.

	FieldAddr   // r[Dst] = r[A] and N slots more; panics if nil
	Cast        // r[Dst] = r[A]; fails unless it is nil or the words there are those of layout To; with M=1 all of its object's, again and again
	IndexAddr   // r[Dst] = r[A] and r[B]*N slots more; panics unless 0 <= r[B] < r[C]
	Index       // r[Dst:N] = r[A:N*r[C]][r[B]*N:][:N] of an array in registers; M = its words; panics as IndexAddr
	Alloc       // r[Dst] = pointer to a new zero object of layout To, N times
	MakeSlice   // r[Dst:3] = new slice, of layout To, length r[A], capacity r[B]; panics
	Slice       // r[Dst:3] = r[A:3][r[B]:r[C]:r[Args[0]]], N words an element; panics; without Args the capacity stays; M=1: of an array, for the panic's text
	MakeIface   // r[Dst:2] = interface of type To with value r[A:N]; boxed unless N is 1
	Assert      // r[Dst:N] = r[A:2].(type To); with M=1 r[Dst+N] reports whether it is one, else it panics, and tells that r[A:2] is of interface B
	AssertTo    // r[Dst:2] = r[A:2].(interface To); M as of Assert
	MakeClosure // r[Dst] = pointer to a new closure of function To that captures Args; its object has layout N
	CallNative  // r[Dst:N] = native To of Args, as one list of words
	Choose      // r[Dst] = any of 0 .. r[A]-1: all are explored

	// Control.
	Jump        // to instruction To
	If          // to To if r[A], else to M
	Call        // r[Dst:N] = function To of Args, as one list of words
	CallClosure // r[Dst:N] = closure r[A] of Args; panics if nil
	CallMethod  // r[Dst:N] = method To of interface r[A:2], of Args; panics if nil
	Return      // of Args
	RunDefers   // makes the deferred calls of this call, the last first
	Panic       // with interface r[A:2]
	Recover     // r[Dst:2] = the panic that this deferred call stops, else nil
	Fail        // the run ends here: string To says what was met, which cannot be compiled and need not be reached

	// Plain accesses to memory.
	Load      // r[Dst:N] = what r[A] points to; panics if nil
	Store     // what r[A] points to = r[B:N]; panics if nil
	Append    // r[Dst:3] = append(r[A:3], r[B:3]...), N words an element, layout To for a new one
	AppendStr // r[Dst:3] = append(r[A:3], string r[B]...), layout To
	Copy      // r[Dst] = copy(r[A:3], r[B:3]), N words an element
	CopyStr   // r[Dst] = copy(r[A:3], string r[B])
	Clear     // elements of slice r[A:3] = 0, N words each
	Bytes     // r[Dst:3] = []byte of string r[A], layout To; M=1: []rune
	Text      // r[Dst] = string of []byte r[A:3]; M=1: []rune
	MakeMap   // r[Dst] = new map of layout To
	MapGet    // r[Dst:N] = r[A][r[B:M]], zero if it has none or is nil; C=1: r[Dst+N] reports whether it has
	MapSet    // r[A][r[B:M]] = r[C:N]; panics if nil
	MapDelete // of r[A] key r[B:M]
	MapLen    // r[Dst] = len(r[A])
	MapClear  // of r[A]
	MapIter   // r[Dst] = pointer to an object, of layout To, with the keys of r[A] still to come
	MapNext   // r[Dst:1+M+N] = ok, key, element: any of those still to come of iterator r[A] that map r[B] still has; C=1: the first of them, because the order does not matter

	// Synchronization. Everything that follows up to Sync's end is one.
	AtomicLoad  // r[Dst:N] = *r[A]
	AtomicStore // *r[A] = r[B:N]
	AtomicSwap  // r[Dst:N] = *r[A]; *r[A] = r[B:N]
	AtomicCAS   // r[Dst] = *r[A] == r[B:N], and if so *r[A] = r[C:N]; To is the layout by which they are compared, as of Same
	AtomicAdd   // r[Dst] = *r[A] = *r[A] + r[B], of type Num
	AtomicAnd   // r[Dst] = *r[A]; *r[A] = r[Dst] & r[B]
	AtomicOr    // r[Dst] = *r[A]; *r[A] = r[Dst] | r[B]

	// A mutex is a word: 0, or 1 if it is locked.
	Lock    // waits until *r[A] is 0, and sets it; M=1: what it orders is more than Go promises
	TryLock // r[Dst] = whether *r[A] was 0 and is set now
	Unlock  // fails if *r[A] is 0

	// A read-write mutex is a word: the number of readers, or RWWriter; and a word: the number of writers that wait.
	RLock // waits until there is neither a writer nor one that waits
	TryRLock
	RUnlock
	WAnnounce // the first part of Lock: a writer waits
	WLock     // the second part: waits until there is neither a reader nor a writer
	TryWLock
	WUnlock

	// A condition variable is a word that only threads that wait point to.
	CondEnter // the thread is one of those that wait at r[A], but goes on: it unlocks
	CondWait  // the thread waits until it has been signalled since it entered r[A]; then it locks
	Signal    // any one of the threads that entered r[A] waits no more; M=1: all of them

	// A wait group is a word, the count.
	WGAdd  // *r[A] += r[B]; panics if it is negative then
	WGWait // waits until *r[A] is 0

	// A pool is an object of its own, to which r[A]'s first word points once it has something.
	PoolPut // interface r[B:2] to pool r[A]; layout To of what it holds
	PoolGet // r[Dst:2] = any of what pool r[A] holds, which is taken out, or nil: then code calls New

	// Channels.
	MakeChan // r[Dst] = new channel of layout To, capacity r[A]; local
	Send     // r[B:N] to r[A]
	Recv     // r[Dst:N] = from r[A]; M=1: r[Dst+N] reports whether it was sent
	Close    // r[A]
	ChanLen  // r[Dst] = len(r[A]); M=1: its capacity
	Select   // r[Dst] = index of the case that goes on, -1 for the default, which there is if M=1; r[Dst+1] = whether what it received was sent. Args has three for each case: the channel, the value to send, the registers to receive; N=0 if there is none

	Ghost // part of a directive, which is no part of the code; M says which, see GhostKind

	numOps
)

// RWWriter is the first word of a read-write mutex that a writer holds.
const RWWriter = ^Word(0)

// Class is what an instruction touches.
type Class uint8

// The classes of instructions.
const (
	Local Class = iota // nothing that others see
	Plain              // memory, without synchronization
	Sync               // a synchronization operation
)

// Class tells what an operation touches.
func (o Op) Class() Class {
	switch {
	case o >= AtomicLoad && o <= Select && o != MakeChan:
		return Sync
	case o >= Load && o <= MapNext && o != MakeMap:
		return Plain
	}
	return Local
}

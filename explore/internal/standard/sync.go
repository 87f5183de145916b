package standard

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// one is a function that is one instruction, of parameters 0, 1 and 2.
func one(op ir.Op, num ir.Num, operands int) Function {
	in := Instr{Op: op, Num: num, A: None, B: None, C: None}
	for i, o := range []*int{&in.A, &in.B, &in.C}[:operands] {
		*o = i
	}
	return Function{Code: []Instr{in}}
}

// numbers are the types of which sync/atomic has functions and types.
var numbers = map[string]ir.Num{
	"Int32": ir.I32, "Int64": ir.I64, "Uint32": ir.U32, "Uint64": ir.U64, "Uintptr": ir.U64,
}

// atomics are the functions of sync/atomic.
func atomics() map[string]Function {
	all := map[string]Function{}
	// add lists the method of a type, and the function for what it holds, if there is one.
	add := func(typ, method, holds string, f Function) {
		all["(*sync/atomic."+typ+")."+method] = f
		if holds != "" {
			all["sync/atomic."+method+holds] = f
		}
	}
	every := func(typ, holds string, num ir.Num) {
		add(typ, "Load", holds, one(ir.AtomicLoad, num, 1))
		add(typ, "Store", holds, one(ir.AtomicStore, num, 2))
		add(typ, "Swap", holds, one(ir.AtomicSwap, num, 2))
		add(typ, "CompareAndSwap", holds, one(ir.AtomicCAS, num, 3))
	}
	for name, num := range numbers {
		every(name, name, num)
		add(name, "Add", name, one(ir.AtomicAdd, num, 2))
		add(name, "And", name, one(ir.AtomicAnd, num, 2))
		add(name, "Or", name, one(ir.AtomicOr, num, 2))
	}
	every("Pointer[T]", "Pointer", ir.U64)
	every("Bool", "", ir.Bool)
	every("cell", "", ir.Opaque)
	return all
}

// locks are the functions of sync.
func locks() map[string]Function {
	all := map[string]Function{
		"(*sync.Mutex).Lock":       one(ir.Lock, 0, 1),
		"(*sync.Mutex).TryLock":    one(ir.TryLock, 0, 1),
		"(*sync.Mutex).Unlock":     one(ir.Unlock, 0, 1),
		"(*sync.RWMutex).Lock":     {Code: []Instr{{Op: ir.WAnnounce, B: None, C: None}, {Op: ir.WLock, B: None, C: None}}},
		"(*sync.RWMutex).TryLock":  one(ir.TryWLock, 0, 1),
		"(*sync.RWMutex).Unlock":   one(ir.WUnlock, 0, 1),
		"(*sync.RWMutex).RLock":    one(ir.RLock, 0, 1),
		"(*sync.RWMutex).TryRLock": one(ir.TryRLock, 0, 1),
		"(*sync.RWMutex).RUnlock":  one(ir.RUnlock, 0, 1),
		"(*sync.Cond).Signal":      one(ir.Signal, 0, 1),
		"(*sync.Cond).Broadcast":   {Code: []Instr{{Op: ir.Signal, B: None, C: None, M: 1}}},
		"sync.enter":               one(ir.CondEnter, 0, 1),
		"sync.wait":                one(ir.CondWait, 0, 1),
		"(*sync.WaitGroup).Add":    one(ir.WGAdd, 0, 2),
		"(*sync.WaitGroup).Wait":   one(ir.WGWait, 0, 1),
		"sync.put":                 one(ir.PoolPut, 0, 2),
		"sync.get":                 one(ir.PoolGet, 0, 1),
		"sync.choose":              one(ir.Choose, 0, 1),
		"(*sync.Pool).Get":         {Note: "sync.Pool gives any value that was put, or a new one"},
		"(*sync.Map).Range":        {Note: "sync.Map has operations that take effect at once, and a Range that sees keys in any order, of those stored meanwhile any"},
	}
	return all
}

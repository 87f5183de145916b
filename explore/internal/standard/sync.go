package standard

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// one is a function that is one instruction, of parameters 0, 1 and 2.
func one(op ir.Op, operands int) Function {
	in := Instr{Op: op, A: None, B: None, C: None}
	for i, o := range []*int{&in.A, &in.B, &in.C}[:operands] {
		*o = i
	}
	return Function{Code: []Instr{in}}
}

// atomics are the functions of sync/atomic, and the methods that its types share.
func atomics() map[string]Function {
	all := map[string]Function{}
	add := func(typ, method string, f Function, suffixes ...string) {
		all["(*sync/atomic."+typ+"[T])."+method] = f
		for _, s := range suffixes {
			all["sync/atomic."+method+s] = f
		}
	}
	numbers := []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"}
	every := append(numbers, "Pointer")
	add("cell", "Load", one(ir.AtomicLoad, 1), every...)
	add("cell", "Store", one(ir.AtomicStore, 2), every...)
	add("cell", "Swap", one(ir.AtomicSwap, 2), every...)
	add("cell", "CompareAndSwap", one(ir.AtomicCAS, 3), every...)
	add("number", "Add", one(ir.AtomicAdd, 2), numbers...)
	add("number", "And", one(ir.AtomicAnd, 2), numbers...)
	add("number", "Or", one(ir.AtomicOr, 2), numbers...)
	return all
}

// locks are the functions of sync.
func locks() map[string]Function {
	all := map[string]Function{
		"(*sync.Mutex).Lock":       one(ir.Lock, 1),
		"(*sync.Mutex).TryLock":    one(ir.TryLock, 1),
		"(*sync.Mutex).Unlock":     one(ir.Unlock, 1),
		"(*sync.latch).Lock":       {Code: []Instr{{Op: ir.Lock, B: None, C: None, M: 1}}},
		"(*sync.latch).Unlock":     one(ir.Unlock, 1),
		"(*sync.RWMutex).Lock":     {Code: []Instr{{Op: ir.WAnnounce, B: None, C: None}, {Op: ir.WLock, B: None, C: None}}},
		"(*sync.RWMutex).TryLock":  one(ir.TryWLock, 1),
		"(*sync.RWMutex).Unlock":   one(ir.WUnlock, 1),
		"(*sync.RWMutex).RLock":    one(ir.RLock, 1),
		"(*sync.RWMutex).TryRLock": one(ir.TryRLock, 1),
		"(*sync.RWMutex).RUnlock":  one(ir.RUnlock, 1),
		"(*sync.Cond).Signal":      one(ir.Signal, 1),
		"(*sync.Cond).Broadcast":   {Code: []Instr{{Op: ir.Signal, B: None, C: None, M: 1}}},
		"sync.enter":               one(ir.CondEnter, 1),
		"sync.wait":                one(ir.CondWait, 1),
		"(*sync.WaitGroup).Add":    one(ir.WGAdd, 2),
		"(*sync.WaitGroup).Wait":   one(ir.WGWait, 1),
		"sync.put":                 one(ir.PoolPut, 2),
		"sync.get":                 one(ir.PoolGet, 1),
		"sync.choose":              one(ir.Choose, 1),
		"(*sync.Pool).Get":         {Note: "sync.Pool gives any value that was put, or a new one"},
		"(*sync.Map).Range":        {Note: "sync.Map has operations that take effect at once, and a Range that sees keys in any order, of those stored meanwhile any"},
	}
	return all
}

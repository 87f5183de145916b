package ir

import "slices"

// Uses yields the registers that an instruction reads.
func (in *Instr) Uses(yield func(reg, n int32)) {
	in.Operands(func(at *int32, n int32) {
		if *at >= 0 {
			yield(*at, n)
		}
	})
}

// Operands yields the registers and constants that an instruction reads, to be changed.
func (in *Instr) Operands(yield func(at *int32, n int32)) {
	use := func(at *int32, n int32) {
		if n > 0 {
			yield(at, n)
		}
	}
	in.fields(use)
	for i := range in.Args {
		if in.Op != Select || i%3 != 2 { // registers that receive are no operands
			use(&in.Args[i].At, in.Args[i].N)
		}
	}
}

// fields calls use with the operands but for Args.
func (in *Instr) fields(use func(at *int32, n int32)) {
	switch in.Op {
	case Move:
		use(&in.A, in.N)
	case Add, Sub, Mul, Div, Rem, And, Or, Xor, AndNot, Shl, Shr, Eq, Ne, Lt, Le, CharAt, AtomicAdd, AtomicAnd, AtomicOr, WGAdd, MakeSlice:
		use(&in.A, 1)
		use(&in.B, 1)
	case Neg, Com, Not, Convert, Len, FieldAddr, Cast, Choose, If, Load, AtomicLoad, Lock, TryLock, Unlock, RLock, TryRLock, RUnlock, WAnnounce, WLock, TryWLock,
		WUnlock, CondEnter, CondWait, Signal, WGWait, PoolGet, MakeChan, Recv, Close, ChanLen, MapLen, MapClear, MapIter, CallClosure:
		use(&in.A, 1)
	case Same:
		use(&in.A, in.N)
		use(&in.B, in.N)
	case Substring, IndexAddr, NextRune:
		use(&in.A, 1)
		use(&in.B, 1)
		if in.Op != NextRune {
			use(&in.C, 1)
		}
	case Index:
		use(&in.A, in.M)
		use(&in.B, 1)
		use(&in.C, 1)
	case Slice:
		use(&in.A, 3)
		use(&in.B, 1)
		use(&in.C, 1)
	case MakeIface:
		use(&in.A, in.N)
	case Assert, AssertTo, Panic:
		use(&in.A, 2)
	case CallMethod:
		use(&in.A, 2)
	case Store, AtomicStore, AtomicSwap, Send:
		use(&in.A, 1)
		use(&in.B, in.N)
	case AtomicCAS:
		use(&in.A, 1)
		use(&in.B, in.N)
		use(&in.C, in.N)
	case Append, Copy:
		use(&in.A, 3)
		use(&in.B, 3)
	case AppendStr, CopyStr:
		use(&in.A, 3)
		use(&in.B, 1)
	case Clear, Text:
		use(&in.A, 3)
	case Bytes:
		use(&in.A, 1)
	case MapGet, MapDelete:
		use(&in.A, 1)
		use(&in.B, in.M)
	case MapSet:
		use(&in.A, 1)
		use(&in.B, in.M)
		use(&in.C, in.N)
	case MapNext:
		use(&in.A, 1)
		use(&in.B, 1)
	case PoolPut:
		use(&in.A, 1)
		use(&in.B, 2)
	case Ghost:
		if in.M == GhostOwn || in.M == GhostOwns || in.M == GhostAssume || in.M == GhostAnnounce && in.C == 1 {
			use(&in.A, 1)
		}
	}
}

// Defs yields the registers that an instruction writes, whatever happens.
func (in *Instr) Defs(yield func(reg, n int32)) {
	n := int32(1)
	switch in.Op {
	case Move, Index, CallNative, Load, AtomicLoad, AtomicSwap:
		n = in.N
	case Call, CallClosure, CallMethod:
		if n = in.N; in.Mode != Now {
			n = 0
		}
	case NextRune:
		yield(in.C, 1)
		n = 3
	case MakeSlice, Slice, Append, AppendStr, Bytes:
		n = 3
	case MakeIface, Recover, PoolGet:
		n = 2
	case Assert, MapGet, Recv:
		n = in.N
		if in.Op == MapGet && in.C == 1 || in.Op != MapGet && in.M == 1 {
			n++
		}
	case AssertTo:
		n = 2 + in.M
	case MapNext:
		n = 1 + in.M + in.N
	case Select:
		n = 2
	case Jump, If, Return, RunDefers, Panic, Fail, Store, AtomicStore, Clear, MapSet, MapDelete, MapClear, Lock, Unlock, RLock, RUnlock, WAnnounce, WLock, WUnlock,
		CondEnter, CondWait, Signal, WGAdd, WGWait, PoolPut, Send, Close:
		n = 0
	case Ghost:
		if in.M != GhostRuns && in.M != GhostIn && in.M != GhostOwns && in.M != GhostGuessed {
			n = 0
		}
	}
	if n > 0 {
		yield(in.Dst, n)
	}
}

// Next lists where control may go from instruction i.
func (f *Func) Next(i int) []int {
	in := &f.Code[i]
	var to []int
	switch in.Op {
	case Jump:
		to = []int{int(in.To)}
	case If:
		to = []int{int(in.To), int(in.M)}
	case Return, Panic, Fail:
	default:
		to = []int{i + 1}
	}
	return to
}

// LiveIn computes, for each instruction, the set of registers whose values are read at it or
// later, by iteration from the end backwards: register r is bit r%64 of word r/64.
// Register Defers is live wherever a call may return or panic.
func (f *Func) LiveIn() [][]uint64 {
	words := (len(f.Kinds) + 63) / 64
	in := make([][]uint64, len(f.Code))
	store := make([]uint64, words*len(f.Code))
	for i := range in {
		in[i] = store[i*words:][:words:words]
	}
	set := make([]uint64, words)
	for changed := true; changed; {
		changed = false
		for i := len(f.Code) - 1; i >= 0; i-- {
			clear(set)
			for _, j := range f.Next(i) {
				for w := range set {
					set[w] |= in[j][w]
				}
			}
			f.Code[i].Defs(func(reg, n int32) {
				for r := reg; r < reg+n; r++ {
					set[r/64] &^= 1 << (r % 64)
				}
			})
			if op := f.Code[i].Op; f.Recovers >= 0 && op != Jump && op != If && op != Return { // a panic leads there, before registers are written
				for w := range set {
					set[w] |= in[f.Recovers][w]
				}
			}
			f.Code[i].Uses(func(reg, n int32) {
				for r := reg; r < reg+n; r++ {
					set[r/64] |= 1 << (r % 64)
				}
			})
			if f.Defers >= 0 {
				set[f.Defers/64] |= 1 << (f.Defers % 64)
			}
			if !slices.Equal(set, in[i]) {
				copy(in[i], set)
				changed = true
			}
		}
	}
	return in
}

// Finish computes Live.
func (f *Func) Finish() {
	f.Live = make([][]int32, len(f.Code))
	for i, s := range f.LiveIn() {
		for r := range int32(len(f.Kinds)) {
			live := s[r/64]&(1<<(r%64)) != 0
			if f.Kinds[r] == Dynamic && live && !slices.Contains(f.Live[i], r-1) { // its type says what it is
				f.Live[i] = append(f.Live[i], r-1)
			}
			if live {
				f.Live[i] = append(f.Live[i], r)
			}
		}
	}
}

package monitor

// looks are the operations that saw a value and left it in.
type looks struct {
	any   bool
	seen  []look
	other []int32 // by operation: 1 + the one before it that saw the same value
}

// look is what saw a value.
type look struct {
	first, last int32 // the first return and the last call; 0 if nothing saw it
	op          int32 // 1 + the last operation
}

// look enters operation i, which returned.
func (k *looks) look(c *columns, i int, ret int32) {
	if !k.any {
		k.any = true
		k.seen = zeroed(k.seen, int(c.values))
		k.other = zeroed(k.other, len(c.call))
	}
	x := &k.seen[c.value[i]]
	k.other[i], x.op = x.op, int32(i)+1
	x.first, x.last = firstOf(x.first, ret), c.call[i]
}

// seenFrom is from the first return to the last call of what saw a value; 0 if
// nothing did.
func (k *looks) seenFrom(v int32) (first, last int32) {
	if !k.any {
		return 0, 0
	}
	return k.seen[v].first, k.seen[v].last
}

// lookers calls f for what saw a value, the last one first.
func (k *looks) lookers(v int32, f func(op int32)) {
	if !k.any {
		return
	}
	for i := k.seen[v].op; i != 0; i = k.other[i-1] {
		f(i - 1)
	}
}

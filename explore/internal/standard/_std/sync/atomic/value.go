package atomic

// sameType reports whether the dynamic types are the same.
func sameType(a, b any) bool

// Value holds a value of one type.
type Value struct{ c cell[any] }

func (v *Value) Load() (val any) { return v.c.Load() }

func (v *Value) Store(val any) {
	if val == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	if old := v.c.Swap(val); old != nil && !sameType(old, val) {
		panic("sync/atomic: store of inconsistently typed value into Value")
	}
}

func (v *Value) Swap(new any) (old any) {
	if new == nil {
		panic("sync/atomic: swap of nil value into Value")
	}
	old = v.c.Swap(new)
	if old != nil && !sameType(old, new) {
		panic("sync/atomic: swap of inconsistently typed value into Value")
	}
	return old
}

func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	if new == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	if old != nil && !sameType(old, new) {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	return v.c.CompareAndSwap(old, new)
}

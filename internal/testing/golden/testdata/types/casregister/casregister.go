// Package casregister is a register with compare-and-swap, as sync/atomic has it.
package casregister

// Int is an integer, zero at first.
type Int struct {
	v int
}

// Load returns the integer.
func (i *Int) Load() int {
	return i.v
}

// Store replaces the integer.
func (i *Int) Store(v int) {
	i.v = v
}

// CompareAndSwap replaces old by new and reports whether it did.
func (i *Int) CompareAndSwap(old, new int) bool {
	if i.v != old {
		return false
	}
	i.v = new
	return true
}

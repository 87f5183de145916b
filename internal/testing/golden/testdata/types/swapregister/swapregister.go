// Package swapregister exchanges values.
package swapregister

// Exchanger holds at most one value.
type Exchanger struct {
	value *string
}

// Swap stores a value and returns the one before it, nil if there was none.
func (e *Exchanger) Swap(v string) *string {
	old := e.value
	e.value = &v
	return old
}

// Peek returns the value, nil if there is none.
func (e *Exchanger) Peek() *string {
	return e.value
}

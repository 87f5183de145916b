// Package maxregister keeps the greatest value that was written.
package maxregister

// Max is zero at first.
type Max struct {
	value int
}

// Write keeps v if it is greater than what was written before.
func (m *Max) Write(v int) {
	m.value = max(m.value, v)
}

// Read returns the greatest value.
func (m *Max) Read() int {
	return m.value
}

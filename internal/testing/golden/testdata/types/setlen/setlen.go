// Package setlen is a set that knows its size.
package setlen

// Set of strings.
type Set map[string]bool

// New makes an empty set.
func New() Set { return Set{} }

// Add reports whether s was not in the set.
func (m Set) Add(s string) bool {
	had := m[s]
	m[s] = true
	return !had
}

// Remove reports whether s was in the set.
func (m Set) Remove(s string) bool {
	had := m[s]
	delete(m, s)
	return had
}

// Len is the number of elements.
func (m Set) Len() int { return len(m) }

// Package floormap is a sorted map that finds the nearest smaller key.
package floormap

import "sort"

// Map is a sorted map.
type Map struct {
	keys   []int
	values map[int]string
}

// New makes an empty map.
func New() *Map {
	return &Map{values: map[int]string{}}
}

// Put stores a value.
func (m *Map) Put(key int, value string) {
	if _, ok := m.values[key]; !ok {
		m.keys = append(m.keys, key)
		sort.Ints(m.keys)
	}
	m.values[key] = value
}

// Floor returns the entry of the greatest key that is not above key.
func (m *Map) Floor(key int) (at int, value string, ok bool) {
	i := sort.SearchInts(m.keys, key+1)
	if i == 0 {
		return 0, "", false
	}
	at = m.keys[i-1]
	return at, m.values[at], true
}

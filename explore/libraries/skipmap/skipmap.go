// Package skipmap is the map of github.com/bytedance/gopkg.
package skipmap

import (
	"github.com/bytedance/gopkg/collection/skipmap"
	"github.com/bytedance/gopkg/lang/fastrand"
)

// Each entry is on the lowest level alone: how many levels it is on is random, and
// not bounded.
func init() { fastrand.Uint32 = func() uint32 { return 1 << 31 } }

// Map is a set of numbers.
type Map struct{ m *skipmap.IntMap }

// New makes an empty Map.
func New() *Map { return &Map{skipmap.NewInt()} }

// Insert puts v into the map, and reports whether it was not there.
func (m *Map) Insert(v int) bool {
	_, there := m.m.LoadOrStore(v, v)
	return !there
}

// Contains reports whether v is in the map.
func (m *Map) Contains(v int) bool {
	_, there := m.m.Load(v)
	return there
}

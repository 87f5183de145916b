// Package concurrentmap is the map of github.com/orcaman/concurrent-map, with two
// shards.
package concurrentmap

import cmap "github.com/orcaman/concurrent-map/v2"

// Map counts by number.
type Map struct{ m cmap.ConcurrentMap[int, int] }

// New makes an empty Map.
func New() *Map {
	cmap.SHARD_COUNT = 2
	return &Map{cmap.NewWithCustomShardingFunction[int, int](func(k int) uint32 { return uint32(k) })}
}

// Add adds one for k, and answers how many that makes.
func (m *Map) Add(k int) int {
	return m.m.Upsert(k, 1, func(there bool, old, more int) int {
		if !there {
			old = 0
		}
		return old + more
	})
}

// Take takes k out, and answers how many there were.
func (m *Map) Take(k int) (int, bool) { return m.m.Pop(k) }

// Get answers how many there are for k.
func (m *Map) Get(k int) (int, bool) { return m.m.Get(k) }

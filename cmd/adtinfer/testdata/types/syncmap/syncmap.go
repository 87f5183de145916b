// Package syncmap is the core of sync.Map.
package syncmap

import "sync"

// Map is ready for use.
type Map[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
}

// New returns an empty map.
func New[K comparable, V any]() *Map[K, V] { return &Map[K, V]{m: map[K]V{}} }

// Load returns the value of a key.
func (m *Map[K, V]) Load(key K) (value V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok = m.m[key]
	return value, ok
}

// LoadOrStore returns the value of a key, and stores the given one if there is none.
func (m *Map[K, V]) LoadOrStore(key K, value V) (actual V, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.m[key]; ok {
		return old, true
	}
	m.m[key] = value
	return value, false
}

// LoadAndDelete removes a key and returns its value.
func (m *Map[K, V]) LoadAndDelete(key K) (value V, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, loaded = m.m[key]
	delete(m.m, key)
	return value, loaded
}

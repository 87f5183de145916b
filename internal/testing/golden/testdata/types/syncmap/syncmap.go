// Package syncmap has the methods of sync.Map on a plain map.
package syncmap

// Map is empty at first.
type Map struct {
	m map[any]any
}

// Load returns the value of a key.
func (m *Map) Load(key any) (value any, ok bool) {
	value, ok = m.m[key]
	return value, ok
}

// Store sets the value of a key.
func (m *Map) Store(key, value any) {
	if m.m == nil {
		m.m = map[any]any{}
	}
	m.m[key] = value
}

// LoadOrStore returns the value that is there, or stores the one given.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	if old, ok := m.m[key]; ok {
		return old, true
	}
	m.Store(key, value)
	return value, false
}

// LoadAndDelete removes a key and returns its value.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	value, loaded = m.m[key]
	delete(m.m, key)
	return value, loaded
}

// Delete removes a key.
func (m *Map) Delete(key any) {
	delete(m.m, key)
}

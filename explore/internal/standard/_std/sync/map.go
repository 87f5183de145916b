package sync

// Map does each operation at once.
type Map struct {
	mu latch
	m  map[any]any
}

// choose is any of 0 .. n-1.
func choose(n int) int

func (m *Map) Load(key any) (value any, ok bool) {
	m.mu.Lock()
	value, ok = m.m[key]
	m.mu.Unlock()
	return value, ok
}

func (m *Map) Store(key, value any) { m.Swap(key, value) }

func (m *Map) Clear() {
	m.mu.Lock()
	clear(m.m)
	m.mu.Unlock()
}

func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	m.mu.Lock()
	actual, loaded = m.m[key]
	if !loaded {
		m.set(key, value)
		actual = value
	}
	m.mu.Unlock()
	return actual, loaded
}

func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.mu.Lock()
	value, loaded = m.m[key]
	delete(m.m, key)
	m.mu.Unlock()
	return value, loaded
}

func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.mu.Lock()
	previous, loaded = m.m[key]
	m.set(key, value)
	m.mu.Unlock()
	return previous, loaded
}

func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.m[key]; !ok || v != old {
		return false
	}
	m.set(key, new)
	return true
}

func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.m[key]; !ok || v != old {
		return false
	}
	delete(m.m, key)
	return true
}

func (m *Map) set(key, value any) {
	if m.m == nil {
		m.m = map[any]any{}
	}
	m.m[key] = value
}

// Range visits each key that is there all the time, in any order, and of those that come
// meanwhile any.
func (m *Map) Range(f func(key, value any) bool) {
	due, seen := m.keys(), map[any]bool{}
	for {
		k, v, ok := m.next(due, seen)
		if !ok || !f(k, v) {
			return
		}
	}
}

func (m *Map) keys() map[any]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[any]bool{}
	for k := range m.m {
		all[k] = true
	}
	return all
}

// forget removes keys that are not there any more.
func (m *Map) forget(due map[any]bool) {
	for k := range due {
		if _, ok := m.m[k]; !ok {
			delete(due, k)
		}
	}
}

// next is a key that was not seen; if none is due, it may as well be the end.
func (m *Map) next(due, seen map[any]bool) (key, value any, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(due)
	for k, v := range m.m {
		if seen[k] {
			continue
		}
		if len(due) == 0 && choose(2) == 0 {
			break
		}
		delete(due, k)
		seen[k] = true
		return k, v, true
	}
	return nil, nil, false
}

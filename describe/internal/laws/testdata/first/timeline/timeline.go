package timeline

// Timeline is a bounded history of values with a cursor, like the back and
// forward buttons of a browser.
type Timeline[T any] struct {
	limit int
	items []T
	pos   int
}

// New returns a timeline that starts at first and remembers up to limit values.
func New[T any](first T, limit int) *Timeline[T] {
	return &Timeline[T]{limit: max(limit, 1), items: []T{first}}
}

// Visit moves on to v. Everything ahead of the cursor is forgotten, and so is
// the oldest value if there are too many.
func (t *Timeline[T]) Visit(v T) {
	t.items = append(t.items[:t.pos+1], v)
	if len(t.items) > t.limit {
		t.items = t.items[1:]
	}
	t.pos = len(t.items) - 1
}

// Current returns the value at the cursor.
func (t *Timeline[T]) Current() T { return t.items[t.pos] }

// Back moves the cursor one value back.
func (t *Timeline[T]) Back() (T, bool) {
	if t.pos == 0 {
		var zero T
		return zero, false
	}
	t.pos--
	return t.items[t.pos], true
}

// Forward moves the cursor one value ahead.
func (t *Timeline[T]) Forward() (T, bool) {
	if t.pos == len(t.items)-1 {
		var zero T
		return zero, false
	}
	t.pos++
	return t.items[t.pos], true
}

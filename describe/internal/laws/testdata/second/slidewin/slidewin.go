// Package slidewin counts events in a sliding time window.
package slidewin

// Window counts the events of the last span seconds. Times given to it are
// expected not to go backwards.
type Window struct {
	span   int64
	limit  int
	stamps []int64
	total  int
}

// NewWindow returns a window over span seconds that calls more than limit
// events an overload.
func NewWindow(span int64, limit int) *Window {
	return &Window{span: span, limit: limit}
}

func (w *Window) trim(now int64) {
	i := 0
	for i < len(w.stamps) && w.stamps[i] <= now-w.span {
		i++
	}
	w.stamps = w.stamps[i:]
}

// Hit records an event at now and returns the count inside the window.
func (w *Window) Hit(now int64) int {
	w.trim(now)
	w.stamps = append(w.stamps, now)
	w.total++
	return len(w.stamps)
}

// Count returns the number of events inside the window that ends at now.
func (w *Window) Count(now int64) int {
	w.trim(now)
	return len(w.stamps)
}

// Overloaded reports whether the window holds more events than the limit.
func (w *Window) Overloaded(now int64) bool {
	return w.Count(now) > w.limit
}

// Total returns the number of events ever recorded.
func (w *Window) Total() int { return w.total }

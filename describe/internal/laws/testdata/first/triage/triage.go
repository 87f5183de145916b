package triage

// Urgency tells how soon someone has to be seen.
type Urgency int

const (
	Low Urgency = iota
	Normal
	High
)

// Line is a waiting line in which urgent cases go first. Cases of equal
// urgency are served in the order of arrival.
type Line[T comparable] struct {
	queues [3][]T
}

// NewLine returns an empty line.
func NewLine[T comparable]() *Line[T] { return &Line[T]{} }

// Add puts a case in line. An urgency out of range is brought into range.
func (l *Line[T]) Add(c T, u Urgency) {
	u = min(max(u, Low), High)
	l.queues[u] = append(l.queues[u], c)
}

// Next removes the case to be seen next.
func (l *Line[T]) Next() (T, bool) {
	for u := High; u >= Low; u-- {
		if q := l.queues[u]; len(q) > 0 {
			l.queues[u] = q[1:]
			return q[0], true
		}
	}
	var zero T
	return zero, false
}

// Peek returns the case to be seen next without removing it.
func (l *Line[T]) Peek() (c T, ok bool) {
	for u := High; u >= Low; u-- {
		if q := l.queues[u]; len(q) > 0 {
			return q[0], true
		}
	}
	return c, false
}

// Escalate moves the first such case one step up, behind the cases already
// there. It returns false if there is none below High.
func (l *Line[T]) Escalate(c T) bool {
	for u := Normal; u >= Low; u-- {
		for i, x := range l.queues[u] {
			if x == c {
				l.queues[u] = append(l.queues[u][:i], l.queues[u][i+1:]...)
				l.queues[u+1] = append(l.queues[u+1], c)
				return true
			}
		}
	}
	return false
}

// Len returns the number of waiting cases.
func (l *Line[T]) Len() int {
	return len(l.queues[Low]) + len(l.queues[Normal]) + len(l.queues[High])
}

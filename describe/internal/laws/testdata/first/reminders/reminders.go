package reminders

import "errors"

// ErrUnknown is returned for an id that is not pending.
var ErrUnknown = errors.New("reminders: unknown id")

// ErrDelay is returned when a snooze is not a positive number.
var ErrDelay = errors.New("reminders: delay must be positive")

type item struct {
	id   int
	text string
	due  int64
}

// List holds reminders until their time has come.
type List struct {
	lastID int
	items  []item
}

// NewList returns an empty list.
func NewList() *List { return &List{} }

// Add stores a reminder for time due and returns its id.
func (l *List) Add(text string, due int64) int {
	l.lastID++
	l.items = append(l.items, item{id: l.lastID, text: text, due: due})
	return l.lastID
}

// Snooze moves a reminder to now+delay.
func (l *List) Snooze(id int, now, delay int64) error {
	if delay <= 0 {
		return ErrDelay
	}
	for i := range l.items {
		if l.items[i].id == id {
			l.items[i].due = now + delay
			return nil
		}
	}
	return ErrUnknown
}

// Pop removes and returns the earliest reminder that is due at now. Among
// reminders for the same time the one added first comes first.
func (l *List) Pop(now int64) (string, bool) {
	best := -1
	for i, it := range l.items {
		if it.due <= now && (best < 0 || it.due < l.items[best].due) {
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	text := l.items[best].text
	l.items = append(l.items[:best], l.items[best+1:]...)
	return text, true
}

// Next returns the time of the earliest pending reminder.
func (l *List) Next() (int64, bool) {
	if len(l.items) == 0 {
		return 0, false
	}
	next := l.items[0].due
	for _, it := range l.items[1:] {
		next = min(next, it.due)
	}
	return next, true
}

// Pending counts the reminders in the list.
func (l *List) Pending() int { return len(l.items) }

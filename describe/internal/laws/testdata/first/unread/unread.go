package unread

import "fmt"

// Tracker counts, for every reader of a channel, how many messages the reader
// has not seen. Messages are numbered from 1.
type Tracker struct {
	posted int
	seen   map[string]int
	muted  map[string]bool
}

// New returns a tracker for a channel without messages or readers.
func New() *Tracker {
	return &Tracker{seen: map[string]int{}, muted: map[string]bool{}}
}

// Subscribe adds a reader. Messages posted earlier count as seen.
func (t *Tracker) Subscribe(reader string) bool {
	if _, ok := t.seen[reader]; ok {
		return false
	}
	t.seen[reader] = t.posted
	return true
}

// Post counts a new message and returns its number. The author, if subscribed
// and up to date, is taken to have seen it.
func (t *Tracker) Post(author string) int {
	t.posted++
	if n, ok := t.seen[author]; ok && n == t.posted-1 {
		t.seen[author] = t.posted
	}
	return t.posted
}

// MarkRead says that reader has seen all messages up to and including number.
// It never marks messages as unread again.
func (t *Tracker) MarkRead(reader string, number int) error {
	old, ok := t.seen[reader]
	if !ok {
		return fmt.Errorf("unread: %q is not subscribed", reader)
	}
	if number < 1 || number > t.posted {
		return fmt.Errorf("unread: no message %d", number)
	}
	t.seen[reader] = max(old, number)
	return nil
}

// ToggleMute switches muting for a reader and returns the new setting.
func (t *Tracker) ToggleMute(reader string) bool {
	t.muted[reader] = !t.muted[reader]
	return t.muted[reader]
}

// Unread returns the number of unseen messages.
func (t *Tracker) Unread(reader string) (int, bool) {
	n, ok := t.seen[reader]
	if !ok {
		return 0, false
	}
	return t.posted - n, true
}

// Badge returns the text to show beside the channel, which is empty if there
// is nothing new or the reader has muted the channel.
func (t *Tracker) Badge(reader string) string {
	n, _ := t.Unread(reader)
	switch {
	case n == 0 || t.muted[reader]:
		return ""
	case n > 9:
		return "9+"
	}
	return fmt.Sprint(n)
}

// Package sessions tracks login sessions that end after being idle.
package sessions

import "errors"

// ErrNoSession is returned for unknown or expired session ids.
var ErrNoSession = errors.New("sessions: no such session")

type entry struct {
	user string
	seen int64
}

// Table is a set of live sessions. Times are seconds supplied by the caller.
type Table struct {
	idle int64
	next int
	live map[int]*entry
}

// NewTable returns an empty table whose sessions expire once they have been
// idle for the given number of seconds.
func NewTable(idle int64) *Table {
	return &Table{idle: idle, next: 1, live: make(map[int]*entry)}
}

// Open starts a session for user and returns its id.
func (t *Table) Open(user string, now int64) int {
	id := t.next
	t.next++
	t.live[id] = &entry{user: user, seen: now}
	return id
}

// Touch marks the session as active at now and returns its user.
func (t *Table) Touch(id int, now int64) (string, error) {
	e, ok := t.live[id]
	if !ok {
		return "", ErrNoSession
	}
	if now-e.seen >= t.idle {
		delete(t.live, id)
		return "", ErrNoSession
	}
	if now > e.seen {
		e.seen = now
	}
	return e.user, nil
}

// Close ends a session and reports whether it existed.
func (t *Table) Close(id int) bool {
	_, ok := t.live[id]
	delete(t.live, id)
	return ok
}

// Sweep removes every expired session and returns how many were removed.
func (t *Table) Sweep(now int64) int {
	n := 0
	for id, e := range t.live {
		if now-e.seen >= t.idle {
			delete(t.live, id)
			n++
		}
	}
	return n
}

// Len returns the number of sessions held, including any not yet swept.
func (t *Table) Len() int { return len(t.live) }

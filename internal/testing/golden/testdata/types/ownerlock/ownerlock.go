// Package ownerlock is a lock that knows who holds it.
package ownerlock

// Lock is free at first.
type Lock struct {
	owner string
	held  bool
}

// Acquire takes the lock for owner. It may be taken again by the same owner.
func (l *Lock) Acquire(owner string) bool {
	if l.held && l.owner != owner {
		return false
	}
	l.owner, l.held = owner, true
	return true
}

// Release frees the lock and reports whether owner held it.
func (l *Lock) Release(owner string) bool {
	if !l.held || l.owner != owner {
		return false
	}
	*l = Lock{}
	return true
}

// Holder says who holds the lock.
func (l *Lock) Holder() (owner string, held bool) {
	return l.owner, l.held
}

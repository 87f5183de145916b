// Package lease elects a leader by time-limited leases.
package lease

// Lease is held by at most one node at a time.
type Lease struct {
	ttl     int64
	holder  string
	expires int64
	term    int
}

// New returns a lease nobody holds. A grant lasts ttl seconds.
func New(ttl int64) *Lease { return &Lease{ttl: ttl} }

func (l *Lease) held(now int64) bool { return l.holder != "" && now < l.expires }

// Acquire asks for the lease. The current holder renews it; another node gets
// it, with a new term, only when it is free. The term in force is returned
// either way.
func (l *Lease) Acquire(node string, now int64) (term int, ok bool) {
	if node == "" {
		return l.term, false
	}
	if l.held(now) {
		if l.holder != node {
			return l.term, false
		}
		l.expires = now + l.ttl
		return l.term, true
	}
	l.holder = node
	l.expires = now + l.ttl
	l.term++
	return l.term, true
}

// Release gives the lease up, if node holds it at now.
func (l *Lease) Release(node string, now int64) bool {
	if !l.held(now) || l.holder != node {
		return false
	}
	l.holder = ""
	return true
}

// Holder returns the node that holds the lease at now.
func (l *Lease) Holder(now int64) (string, bool) {
	if !l.held(now) {
		return "", false
	}
	return l.holder, true
}

// Remaining returns the seconds the current grant still has to run.
func (l *Lease) Remaining(now int64) int64 {
	if !l.held(now) {
		return 0
	}
	return l.expires - now
}

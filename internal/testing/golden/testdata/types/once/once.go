// Package once holds a value that is decided by whoever comes first.
package once

// Once is undecided at first.
type Once struct {
	decided bool
	value   string
}

// Propose decides for v if nothing is decided yet, and returns what is decided.
func (o *Once) Propose(v string) string {
	if !o.decided {
		o.decided = true
		o.value = v
	}
	return o.value
}

// Decision returns what is decided, if anything is.
func (o *Once) Decision() (string, bool) {
	return o.value, o.decided
}

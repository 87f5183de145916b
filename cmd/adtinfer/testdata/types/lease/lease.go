// Package lease grants a resource to one client until the lease expires.
package lease

import "errors"

// ErrTaken is returned if another client holds the lease.
var ErrTaken = errors.New("lease: held by another client")

// Table keeps a single lease.
type Table struct{ holder string }

// New returns a table without a holder.
func New() *Table { return new(Table) }

// Acquire grants or renews the lease.
func (t *Table) Acquire(client string) error {
	if t.holder != "" && t.holder != client {
		return ErrTaken
	}
	t.holder = client
	return nil
}

// Expire ends the lease, whoever holds it.
func (t *Table) Expire() { t.holder = "" }

// Holder returns who holds the lease, "" if nobody does.
func (t *Table) Holder() string { return t.holder }

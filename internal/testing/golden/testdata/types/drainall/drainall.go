// Package drainall collects events until somebody takes them all.
package drainall

// Outbox is empty at first.
type Outbox struct {
	events []string
}

// Add appends events.
func (o *Outbox) Add(events ...string) {
	o.events = append(o.events, events...)
}

// DrainAll returns all events and forgets them.
func (o *Outbox) DrainAll() []string {
	events := o.events
	o.events = nil
	return events
}

// Package outbox collects events until somebody takes them all.
package outbox

import "sync"

// Outbox is ready for use.
type Outbox struct {
	mu     sync.Mutex
	events []string
}

// Append adds an event.
func (o *Outbox) Append(event string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, event)
}

// DrainAll takes all events, in order.
func (o *Outbox) DrainAll() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	events := o.events
	o.events = nil
	return events
}

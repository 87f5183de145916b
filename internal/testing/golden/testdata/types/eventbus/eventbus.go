// Package eventbus keeps the last event of each kind.
package eventbus

// Event is something that happened.
type Event interface {
	Kind() string
}

// Started says that somebody started.
type Started struct {
	Who string
}

// Kind is "started".
func (Started) Kind() string { return "started" }

// Stopped says that somebody stopped, and why.
type Stopped struct {
	Who, Why string
}

// Kind is "stopped".
func (*Stopped) Kind() string { return "stopped" }

// Bus has no events at first.
type Bus struct {
	last []Event
}

// Publish makes an event the last of its kind.
func (b *Bus) Publish(e Event) {
	for i, old := range b.last {
		if old.Kind() == e.Kind() {
			b.last[i] = e
			return
		}
	}
	b.last = append(b.last, e)
}

// Last returns the last event of a kind, nil if there was none.
func (b *Bus) Last(kind string) Event {
	for _, e := range b.last {
		if e.Kind() == kind {
			return e
		}
	}
	return nil
}

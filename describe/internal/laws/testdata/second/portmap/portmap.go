// Package portmap keeps the port forwarding table of a small router.
package portmap

import "fmt"

// Target is the inside end of a forwarding rule.
type Target struct {
	Host string
	Port int
}

// Map forwards outside ports to inside targets.
type Map struct {
	rules map[int]Target
}

// New returns an empty forwarding table.
func New() *Map {
	return &Map{rules: make(map[int]Target)}
}

// Forward sends traffic for the outside port to t.
func (m *Map) Forward(port int, t Target) error {
	if port < 1 || port > 65535 {
		return fmt.Errorf("portmap: bad outside port %d", port)
	}
	if t.Port < 1 || t.Port > 65535 {
		return fmt.Errorf("portmap: bad inside port %d", t.Port)
	}
	if old, ok := m.rules[port]; ok {
		return fmt.Errorf("portmap: port %d already goes to %s:%d", port, old.Host, old.Port)
	}
	m.rules[port] = t
	return nil
}

// Lookup returns the target for an outside port.
func (m *Map) Lookup(port int) (Target, bool) {
	t, ok := m.rules[port]
	return t, ok
}

// Remove drops one rule and reports whether it was there.
func (m *Map) Remove(port int) bool {
	if _, ok := m.rules[port]; !ok {
		return false
	}
	delete(m.rules, port)
	return true
}

// RemoveHost drops all rules for an inside host and returns how many there
// were.
func (m *Map) RemoveHost(host string) int {
	n := 0
	for port, t := range m.rules {
		if t.Host == host {
			delete(m.rules, port)
			n++
		}
	}
	return n
}

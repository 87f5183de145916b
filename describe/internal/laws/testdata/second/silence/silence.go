// Package silence mutes alerts for a while.
package silence

import "errors"

// ErrPast is returned for a silence that would end at once.
var ErrPast = errors.New("silence: end is not in the future")

// Mutes remembers until when each alert is silenced.
type Mutes struct {
	until      map[string]int64
	suppressed map[string]int
}

// NewMutes returns a set without silences.
func NewMutes() *Mutes {
	return &Mutes{until: map[string]int64{}, suppressed: map[string]int{}}
}

// Mute silences an alert until the given time. A silence is only ever made
// longer, never shorter.
func (m *Mutes) Mute(alert string, now, until int64) error {
	if until <= now {
		return ErrPast
	}
	if until > m.until[alert] {
		m.until[alert] = until
	}
	return nil
}

// Unmute ends a silence early and reports whether one was in force.
func (m *Mutes) Unmute(alert string, now int64) bool {
	end, ok := m.until[alert]
	delete(m.until, alert)
	return ok && now < end
}

// Fire reports whether an alert raised at now should be sent. Alerts that are
// not sent are counted.
func (m *Mutes) Fire(alert string, now int64) bool {
	if end, ok := m.until[alert]; ok && now < end {
		m.suppressed[alert]++
		return false
	}
	return true
}

// Suppressed returns how many times an alert was not sent.
func (m *Mutes) Suppressed(alert string) int { return m.suppressed[alert] }

// Active returns the number of alerts silenced at now.
func (m *Mutes) Active(now int64) int {
	n := 0
	for _, end := range m.until {
		if now < end {
			n++
		}
	}
	return n
}

// Package triage orders emergency patients by urgency.
package triage

import (
	"cmp"
	"fmt"
	"slices"
)

// Level is a triage level; lower is more urgent.
type Level int

// Triage levels.
const (
	Immediate Level = iota + 1
	Urgent
	Standard
)

type patient struct {
	name    string
	level   Level
	arrival int
}

// Queue holds the waiting patients, most urgent first.
type Queue struct {
	waiting  []patient
	arrivals int
}

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{} }

func (q *Queue) index(name string) int {
	return slices.IndexFunc(q.waiting, func(p patient) bool { return p.name == name })
}

func (q *Queue) sort() {
	slices.SortFunc(q.waiting, func(a, b patient) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.arrival, b.arrival))
	})
}

// Admit adds a patient.
func (q *Queue) Admit(name string, level Level) error {
	if level < Immediate || level > Standard {
		return fmt.Errorf("triage: bad level %d", level)
	}
	if q.index(name) >= 0 {
		return fmt.Errorf("triage: %q is already waiting", name)
	}
	q.arrivals++
	q.waiting = append(q.waiting, patient{name, level, q.arrivals})
	q.sort()
	return nil
}

// Escalate makes a waiting patient one level more urgent.
func (q *Queue) Escalate(name string) (Level, bool) {
	i := q.index(name)
	if i < 0 {
		return 0, false
	}
	level := max(q.waiting[i].level-1, Immediate)
	q.waiting[i].level = level
	q.sort()
	return level, true
}

// Next takes the most urgent patient; among equals the one who came first.
func (q *Queue) Next() (string, bool) {
	if len(q.waiting) == 0 {
		return "", false
	}
	first := q.waiting[0]
	q.waiting = q.waiting[1:]
	return first.name, true
}

// Count returns the number of patients waiting at a level.
func (q *Queue) Count(level Level) int {
	n := 0
	for _, p := range q.waiting {
		if p.level == level {
			n++
		}
	}
	return n
}

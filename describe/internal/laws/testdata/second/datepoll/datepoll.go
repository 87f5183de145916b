// Package datepoll finds a day that suits a group of people.
package datepoll

import (
	"maps"
	"slices"
)

// Poll holds the days each person can make.
type Poll struct {
	answers map[string]map[int]bool
}

// NewPoll returns a poll nobody has answered.
func NewPoll() *Poll {
	return &Poll{answers: make(map[string]map[int]bool)}
}

// Answer records the days a person can make and replaces an earlier answer.
func (p *Poll) Answer(person string, days []int) {
	set := make(map[int]bool, len(days))
	for _, d := range days {
		set[d] = true
	}
	p.answers[person] = set
}

// Withdraw removes a person's answer.
func (p *Poll) Withdraw(person string) bool {
	_, ok := p.answers[person]
	delete(p.answers, person)
	return ok
}

// Tally returns the number of people available on each day that somebody
// chose.
func (p *Poll) Tally() map[int]int {
	t := make(map[int]int)
	for _, set := range p.answers {
		for d := range set {
			t[d]++
		}
	}
	return t
}

// Best returns the day most people can make. The earliest wins a tie.
func (p *Poll) Best() (day, people int, ok bool) {
	t := p.Tally()
	for _, d := range slices.Sorted(maps.Keys(t)) {
		if t[d] > people {
			day, people, ok = d, t[d], true
		}
	}
	return day, people, ok
}

// Missing lists the people from the argument who cannot make the day or have
// not answered, in the order given.
func (p *Poll) Missing(day int, people []string) []string {
	var out []string
	for _, name := range people {
		if !p.answers[name][day] {
			out = append(out, name)
		}
	}
	return out
}

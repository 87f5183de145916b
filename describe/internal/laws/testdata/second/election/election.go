// Package election counts a one-person-one-vote election.
package election

import "errors"

// Errors returned by Election.
var (
	ErrNoCandidate = errors.New("election: no such candidate")
	ErrVoted       = errors.New("election: already voted")
	ErrClosed      = errors.New("election: polls are closed")
	ErrOpen        = errors.New("election: polls are still open")
	ErrTie         = errors.New("election: tie")
)

// Election collects votes while open and names a winner once closed.
type Election struct {
	votes  map[string]int
	voted  map[string]bool
	closed bool
}

// New returns an open election between the candidates.
func New(candidates ...string) *Election {
	e := &Election{votes: map[string]int{}, voted: map[string]bool{}}
	for _, c := range candidates {
		e.votes[c] = 0
	}
	return e
}

// Vote casts the vote of voter.
func (e *Election) Vote(voter, candidate string) error {
	if e.closed {
		return ErrClosed
	}
	if _, ok := e.votes[candidate]; !ok {
		return ErrNoCandidate
	}
	if e.voted[voter] {
		return ErrVoted
	}
	e.voted[voter] = true
	e.votes[candidate]++
	return nil
}

// Close closes the polls. It reports false if they were closed before.
func (e *Election) Close() bool {
	was := e.closed
	e.closed = true
	return !was
}

// Turnout returns the number of people who voted.
func (e *Election) Turnout() int { return len(e.voted) }

// Winner returns the candidate with the most votes.
func (e *Election) Winner() (string, error) {
	if !e.closed {
		return "", ErrOpen
	}
	best, name, tie := -1, "", false
	for c, n := range e.votes {
		switch {
		case n > best:
			best, name, tie = n, c, false
		case n == best:
			tie = true
		}
	}
	if best < 0 {
		return "", ErrNoCandidate
	}
	if tie {
		return "", ErrTie
	}
	return name, nil
}

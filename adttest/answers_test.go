package adttest

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

var (
	errShut  = errors.New("ballot: shut")
	errTwice = errors.New("ballot: twice")
)

// ballot is a reference; its errors are those of the votes that it does not count.
type ballot struct {
	voted map[int]bool
	shut  bool

	mu    sync.Mutex
	twice error // what a second vote returns
	last  int   // added to what stands beside false
	more  int   // added to a field of a tally
}

func (b *ballot) Vote(x int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.shut:
		return errShut
	case b.voted[x]:
		return b.twice
	}
	b.voted[x] = true
	return nil
}

func (b *ballot) Shut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shut = true
}

// Size says how many have voted, and whether the ballot is shut.
func (b *ballot) Size() (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.voted)
	if !b.shut {
		n += b.last
	}
	return n, b.shut
}

// Tally is how many have voted, in two ways.
type tally struct{ votes, twice int }

func (b *ballot) Tally() tally {
	b.mu.Lock()
	defer b.mu.Unlock()
	return tally{len(b.voted), 2*len(b.voted) + b.more}
}

// TestAnswers compares which error a call returned, and what stands beside false.
func TestAnswers(t *testing.T) {
	made := func(twice error, last int) func() *ballot {
		return func() *ballot { return &ballot{voted: map[int]bool{}, twice: twice, last: last} }
	}
	right := made(errTwice, 0) // one function, from which is inferred once
	more := func() *ballot { return &ballot{voted: map[int]bool{}, twice: errTwice, more: 7} }
	for _, tt := range []struct {
		name string
		new  func() *ballot
		want string // of the failure
	}{
		{"right", right, ""},
		{"an error of the same text", made(errors.New("ballot: twice"), 0), ""},
		{"a wrapped error", made(errors.Join(errTwice), 0), ""},
		{"another error", made(errShut, 0), "answered errBallotShut; in every order that fits this log it "},
		{"an error without a name", made(errors.New("no"), 0), "answered errNo, which it never does"},
		{"more beside false", made(errTwice, 1000), "size answered nil 1000; in every order that fits this log it answers nil "},
		{"another field of a struct", more, "tally answered 0, 7; "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Config{New: tt.new, Reference: right, Rounds: 300, Budget: patience, Seed: 1}
			f, err := Find(t.Context(), withDir(t, c))
			switch {
			case err != nil:
				t.Error(err)
			case tt.want == "" && f != nil:
				t.Errorf("a failure: %v", f)
			case tt.want != "" && (f == nil || !strings.Contains(f.String(), tt.want)):
				t.Errorf("%v, want %q", f, tt.want)
			}
		})
	}
}

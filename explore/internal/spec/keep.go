package spec

import (
	"encoding/gob"
	"errors"
	"io"
)

// Keeper is a Spec whose numbers of states can be kept: all that this package makes.
type Keeper interface {
	Spec

	// Save writes what Load needs for a new Spec of the same kind, which has not been
	// asked anything, to number states in the same way.
	Save(w io.Writer) error
	Load(r io.Reader) error
}

// Save writes what the table was asked, which tells the numbers of its states.
func (t *table) Save(w io.Writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return gob.NewEncoder(w).Encode(t.asked)
}

// Load asks it again.
func (t *table) Load(r io.Reader) error { return t.load(r, nil) }

// Load asks it again, and learns what was learned.
func (t learning) Load(r io.Reader) error { return t.load(r, &t) }

func (t *table) load(r io.Reader, l *learning) error {
	var all []asked
	if err := gob.NewDecoder(r).Decode(&all); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range all {
		switch {
		case a.Learns && l == nil, int(a.Call) >= len(t.labels):
			return errors.New("what was kept is of another specification")
		case a.Learns:
			l.learn(a.Value)
		default:
			if _, err := t.compute(a.State, a.Call); err != nil {
				return err
			}
		}
	}
	return nil
}

// Save keeps the states of what fails.
func (f *failing) Save(w io.Writer) error { return f.Spec.(Keeper).Save(w) }

// Load loads them.
func (f *failing) Load(r io.Reader) error { return f.Spec.(Keeper).Load(r) }

// Save writes the answers in the order of their numbers.
func (a *Answers) Save(w io.Writer) error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return gob.NewEncoder(w).Encode(a.all)
}

// Load gives the answers the numbers that they had; a is empty, or has the first of
// them already.
func (a *Answers) Load(r io.Reader) error {
	var all []Answer
	if err := gob.NewDecoder(r).Decode(&all); err != nil {
		return err
	}
	for i, answer := range all {
		if a.Number(answer) != int32(i) {
			return errors.New("what was kept is of other answers")
		}
	}
	return nil
}

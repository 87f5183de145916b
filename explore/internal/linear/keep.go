package linear

import (
	"encoding/gob"
	"errors"
	"io"
)

// Save writes all sets, in the order of their numbers. The specification is to be
// kept, too: its states are known by their numbers.
func (l *Sets) Save(w io.Writer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := gob.NewEncoder(w)
	if err := e.Encode(l.sets.from); err != nil {
		return err
	}
	return e.Encode(l.sets.all)
}

// Load gives the sets the numbers that they had.
func (l *Sets) Load(r io.Reader) error {
	var from []int64
	var all []int32
	d := gob.NewDecoder(r)
	if err := d.Decode(&from); err != nil {
		return err
	}
	if err := d.Decode(&all); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sets.init()
	l.memo.init()
	for set := 1; set+1 < len(from); set++ {
		a, b := from[set], from[set+1]
		if a < 0 || a > b || b > int64(len(all)) || (b-a)%int64(1+l.threads) != 0 || l.sets.number(all[a:b]) != int32(set) {
			return errors.New("what was kept are other sets")
		}
	}
	return nil
}

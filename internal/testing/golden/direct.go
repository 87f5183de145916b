package golden

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// direct makes the calls of sequences in this process, on a new object for each
// sequence; only where a sequence is the one before and one call more, that
// object goes on.
type direct struct {
	ref    *live.Reference
	object *live.Object
	made   []history.Label // calls that the object got

	args map[string][]values.Argument // by call
}

// answer puts the reference's answer into the last label of each sequence, or
// makes it pending.
func (d *direct) answer(seqs [][]history.Label) error {
	for _, seq := range seqs {
		last := len(seq) - 1
		if !d.at(seq[:last]) {
			object, err := d.ref.Object()
			if err != nil {
				return err
			}
			d.object, d.made = object, d.made[:0]
			for i := range last {
				l := seq[i]
				if err := d.call(&l); err != nil {
					return err
				}
			}
		}
		if err := d.call(&seq[last]); err != nil {
			return err
		}
	}
	return nil
}

// at reports whether these are the calls that the object got.
func (d *direct) at(calls []history.Label) bool {
	return d.object != nil && slices.EqualFunc(d.made, calls, func(a, b history.Label) bool {
		return a.Kind == b.Kind && slices.Equal(a.Args, b.Args) && slices.Equal(a.Rets, b.Rets)
	})
}

// call makes a call and puts the answer into its label.
func (d *direct) call(l *history.Label) error {
	m, known := d.ref.Method(l.Method)
	k := key(l)
	args, ok := d.args[k]
	if !ok && known {
		args, ok = d.ref.Args(m, l.Args)
		d.args[k] = args
	}
	if !ok {
		return fmt.Errorf("golden: the reference has no call %s", l)
	}
	a := d.object.Do(m, args, l)
	if a.Blocked { // it may have changed the object all the same
		l.Outcome, l.Rets, d.object = history.Pending, nil, nil
		return nil
	}
	l.Outcome, l.Rets = a.Outcome, a.Rets
	d.made = append(d.made, *l)
	return nil
}

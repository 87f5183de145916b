package search

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// saved is the head of a checkpoint. Lists of unknown length follow, in pieces: the parts, parents, moves,
// edges, ends, the table, and what waits of this level and of the next.
type saved struct {
	Identity   string
	Steps      int
	Again      int
	Peak       int64
	Spent      time.Duration
	Levels     []uint32
	Moves      []machine.Move
	Number     uint32
	NotCovered *Finding
}

// Save writes a checkpoint, from which Resume goes on. It may be called after Run, if there
// is no finding, and in Options.Progress.
func (s *Search) Save(w io.Writer) error {
	out := &sealer{w: w}
	buffered := bufio.NewWriterSize(out, sealedBytes)
	if err := s.save(gob.NewEncoder(buffered)); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return out.end()
}

func (s *Search) save(e *gob.Encoder) error {
	head := saved{
		Identity: s.p.Identity, Steps: s.steps, Again: s.again, Peak: s.peak, Spent: s.elapsed(),
		Levels: s.levels, Moves: s.moves.all, Number: s.number, NotCovered: s.notCovered,
	}
	if err := e.Encode(head); err != nil {
		return err
	}
	for _, part := range s.p.Parts {
		var b bytes.Buffer
		if err := errors.Join(part.Save(&b), e.Encode(part.Name), e.Encode(b.Bytes())); err != nil {
			return err
		}
	}
	return errors.Join(s.parent.save(e), s.move.save(e), s.edges.list.save(e), s.edges.from.words.save(e), s.ends.words.save(e),
		s.table.save(e), s.now.save(e, s.block), s.next.save(e, 0))
}

// Resume goes on from a checkpoint, with machines and sets that have not been used. The
// error says why that is not possible.
func Resume(p Problem, o Options, r io.Reader) (*Search, error) {
	in := &unsealer{r: r}
	if err := in.begin(); err != nil {
		return nil, err
	}
	d := gob.NewDecoder(bufio.NewReaderSize(in, sealedBytes))
	var head saved
	if err := d.Decode(&head); err != nil {
		return nil, in.because(err)
	}
	if head.Identity != p.Identity {
		return nil, fmt.Errorf("the checkpoint is of another exploration: of %s, not of %s", head.Identity, p.Identity)
	}
	for _, part := range p.Parts {
		if err := part.load(d); err != nil {
			return nil, in.because(err)
		}
	}
	s := &Search{p: p, o: o, rounds: [2]*round{{}, {}}}
	s.o.Workers = max(1, o.Workers)
	s.clear()
	s.steps, s.again, s.peak, s.spent = head.Steps, head.Again, head.Peak, head.Spent
	s.levels, s.number, s.notCovered = head.Levels, head.Number, head.NotCovered
	for _, m := range head.Moves {
		s.moves.number(m)
	}
	if err := s.load(d); err != nil {
		return nil, in.because(err)
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	return s, nil
}

func (p *Part) load(d *gob.Decoder) error {
	var name string
	var b []byte
	if err := errors.Join(d.Decode(&name), d.Decode(&b)); err != nil {
		return err
	}
	if name != p.Name {
		return fmt.Errorf("it has %q where %q belongs", name, p.Name)
	}
	if err := p.Load(bytes.NewReader(b)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (s *Search) load(d *gob.Decoder) error {
	for _, load := range []func(*gob.Decoder) error{
		s.parent.load, s.move.load, s.edges.list.load, s.edges.from.words.load, s.ends.words.load, s.table.load, s.now.load, s.next.load,
	} {
		if err := load(d); err != nil {
			return err
		}
	}
	n := s.parent.n
	if s.table.n != n || s.move.n != n || int(s.number)+s.now.n+s.next.n != n {
		return errors.New("its figures do not fit together")
	}
	return nil
}

func (c *chunks[T]) save(e *gob.Encoder) error {
	err := e.Encode(len(c.list))
	for _, chunk := range c.list {
		if err == nil {
			err = e.Encode(chunk)
		}
	}
	return err
}

func (c *chunks[T]) load(d *gob.Decoder) error {
	var n int
	err := d.Decode(&n)
	for ; err == nil && n > 0; n-- {
		var chunk []T
		err = d.Decode(&chunk)
		for _, x := range chunk {
			c.add(x)
		}
	}
	return err
}

func (t *table) save(e *gob.Encoder) error {
	err := e.Encode(t.n)
	var batch []uint32
	flush := func() {
		if err == nil && len(batch) > 0 {
			err = e.Encode(batch)
		}
		batch = batch[:0]
	}
	t.each(func(x *slot) {
		if batch = append(batch, x[:]...); len(batch) == 5*manySlots {
			flush()
		}
	})
	flush()
	return err
}

func (t *table) load(d *gob.Decoder) error {
	var n int
	err := d.Decode(&n)
	for err == nil && t.n < n {
		var batch []uint32
		if err = d.Decode(&batch); err == nil && len(batch) < 5 {
			return errors.New("its table is too short")
		}
		for ; len(batch) >= 5; batch = batch[5:] {
			x := slot(batch)
			t.find(x.sum(), x[4]-1)
		}
	}
	return err
}

// save writes the states from a block on.
func (f *frontier) save(e *gob.Encoder, from int) error {
	err := e.Encode(max(0, len(f.blocks)-from))
	for i := from; err == nil && i < len(f.blocks); i++ {
		var sets []int32
		var states [][]byte
		f.each(i, func(set int32, state []byte) bool {
			sets, states = append(sets, set), append(states, state)
			return true
		})
		err = errors.Join(e.Encode(sets), e.Encode(states))
	}
	return err
}

func (f *frontier) load(d *gob.Decoder) error {
	var n int
	err := d.Decode(&n)
	for ; err == nil && n > 0; n-- {
		var sets []int32
		var states [][]byte
		if err = errors.Join(d.Decode(&sets), d.Decode(&states)); err == nil && len(sets) != len(states) {
			return errors.New("its states are not whole")
		}
		for i, set := range sets {
			f.add(set, states[i])
		}
	}
	return err
}

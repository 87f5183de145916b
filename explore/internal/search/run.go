package search

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// ErrMemory says that an exploration ended because it took as much memory as it may.
var ErrMemory = errors.New("the memory that may be used is full")

// errFound ends an insertion.
var errFound = errors.New("found")

// most is the largest number of states: numbers have a bit to spare.
const most = 1<<31 - 1

// Search is an exploration. It is not safe for concurrent use.
type Search struct {
	p       Problem
	o       Options
	workers []*worker
	rounds  [2]*round // one is expanded while the other is inserted

	table  *table
	parent chunks[uint32]
	move   chunks[uint32] // in moves
	moves  moves
	levels []uint32 // the first state of each
	edges  edges
	ends   bitset // states that are an end
	may    map[waitKey]bool

	now, next frontier
	block     int    // of now: those before it have been inserted
	number    uint32 // of the first state of that block
	pool      pool

	steps      int
	again      int
	peak       int64
	spent      time.Duration // of runs that are over
	began      time.Time     // the run; zero between runs
	shown      time.Time     // when Progress was called
	finding    *Finding
	notCovered *Finding
}

// New begins an exploration.
func New(p Problem, o Options) *Search {
	s := &Search{p: p, o: o, rounds: [2]*round{{}, {}}}
	s.o.Workers = max(1, o.Workers)
	s.reset()
	return s
}

// reset forgets what was explored, and begins with the start.
func (s *Search) reset() {
	s.clear()
	start, set := s.p.Start(), s.p.Sets.Start()
	s.table.find(hash(start).with(set), 0)
	s.found(0, machine.Move{Call: -1}, set, start)
	s.level()
}

func (s *Search) clear() {
	s.table, s.parent, s.move = newTable(), chunks[uint32]{}, chunks[uint32]{}
	s.moves, s.levels, s.edges, s.ends, s.may = newMoves(), nil, edges{}, bitset{}, map[waitKey]bool{}
	s.pool = pool{}
	s.now, s.next = frontier{pool: &s.pool}, frontier{pool: &s.pool}
	s.steps, s.finding, s.notCovered = 0, nil, nil
	s.workers = nil
	for range s.o.Workers {
		s.workers = append(s.workers, newWorker(s.p.Machine(), s.p.Threads, !s.o.NoLivelocks))
	}
}

// found appends a new state.
func (s *Search) found(from uint32, move machine.Move, set int32, state []byte) {
	s.parent.add(from)
	s.move.add(s.moves.number(move))
	s.next.add(set, state)
}

// level begins the next level.
func (s *Search) level() {
	if s.next.n > 0 {
		s.levels = append(s.levels, uint32(s.parent.n-s.next.n))
	}
	s.now.clear()
	s.now, s.next = s.next, s.now
	s.block, s.number = 0, uint32(s.parent.n-s.now.n)
}

// Run explores until there is a finding, all has been explored, the context ends or
// the memory is full. It may be called again to go on. The error is the machine's or the
// specification's.
func (s *Search) Run(ctx context.Context) (*Result, error) {
	s.began = time.Now()
	defer func() { s.spent, s.began = s.elapsed(), time.Time{} }()
	why, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	return &Result{
		Finding: s.finding, NotCovered: s.notCovered, Why: why,
		Complete: why == nil && (s.finding == nil || s.finding.Kind == Livelock), Depth: len(s.levels) - 1, Stats: s.Stats(),
	}, nil
}

// run returns what ended it before its time, or an error.
func (s *Search) run(ctx context.Context) (why, err error) {
	for s.finding == nil && s.now.n > 0 {
		err := s.explore(ctx)
		switch {
		case err == nil:
			s.level()
		case errors.Is(err, machine.ErrAgain):
			s.p.Again()
			s.again++
			s.reset()
		case err == errFound:
			return nil, nil
		case err == ErrMemory || ctx.Err() != nil && errors.Is(err, ctx.Err()):
			return err, nil
		default:
			return nil, err
		}
	}
	if s.finding == nil && !s.o.NoLivelocks && s.notCovered == nil {
		s.finding, err = s.livelock()
	}
	return nil, err
}

// explore expands what is left of the level.
func (s *Search) explore(ctx context.Context) error {
	here, ahead := s.rounds[0], s.rounds[1]
	s.take(here, s.block)
	s.expandAll(ctx, here)
	for here.from < here.to {
		if err := here.failed(); err != nil {
			return err
		}
		if err := s.pause(ctx); err != nil {
			return err
		}
		s.take(ahead, here.to)
		if err := s.both(ctx, here, ahead); err != nil {
			return err
		}
		here, ahead = ahead, here
	}
	return nil
}

// take makes a round of the blocks from one on.
func (s *Search) take(r *round, from int) {
	r.from, r.to = from, min(from+roundBlocks, len(s.now.blocks))
}

// both inserts a round while the next one is expanded. If that one wants to start
// again, what the insertion found does not count.
func (s *Search) both(ctx context.Context, here, ahead *round) error {
	if len(s.workers) == 1 {
		s.expandAll(ctx, ahead)
		return s.insertRound(here, ahead)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.expandAll(ctx, ahead)
	}()
	err := s.insertRound(here, nil)
	<-done
	if e := ahead.failed(); errors.Is(e, machine.ErrAgain) {
		return e
	}
	return err
}

func (s *Search) insertRound(r, ahead *round) error {
	if ahead != nil {
		if err := ahead.failed(); errors.Is(err, machine.ErrAgain) {
			return err
		}
	}
	for i := range r.to - r.from {
		if err := s.insert(&r.blocks[i]); err != nil {
			return err
		}
		s.block++
	}
	s.now.done(s.block)
	return nil
}

// pause is called when no worker runs, between rounds.
func (s *Search) pause(ctx context.Context) error {
	s.peak = max(s.peak, s.bytes())
	if s.o.Progress != nil && time.Since(s.shown) > 100*time.Millisecond {
		s.shown = time.Now()
		s.o.Progress(s.Stats())
	}
	if s.o.Memory > 0 && s.bytes() > s.o.Memory || s.parent.n > most/2 {
		return ErrMemory
	}
	return ctx.Err()
}

// insert takes in what the states of a block have become.
func (s *Search) insert(b *block) error {
	at := 0
	for i := range b.states {
		e := &b.states[i]
		steps := b.steps[at:e.steps]
		at = e.steps
		if err := s.insertState(b, e, steps); err != nil {
			return err
		}
		s.number++
	}
	return nil
}

// insertState takes in the steps of the next state. A race is found before anything else
// from the same state.
func (s *Search) insertState(b *block, e *expanded, steps []step) error {
	if e.idle {
		waits, err := s.waits(e.set, &e.status)
		if err != nil {
			return err
		}
		waits = waits || e.status.Guessed
		switch {
		case waits || len(steps) > 0:
		case e.set == linear.None:
			s.finding = &Finding{Kind: NotLinearizable, Path: s.path(s.number)}
			return errFound
		default:
			s.finding = &Finding{Kind: Deadlock, Path: s.path(s.number), Threads: s.waiting(&e.status)}
			return errFound
		}
		if waits {
			s.ends.add(s.number)
		}
	}
	if e.raced {
		for i := range steps {
			if f := steps[i].fault; f != nil && f.Kind == machine.Race {
				return s.fault(b, &steps[i])
			}
		}
	}
	first := s.edges.list.n
	for i := range steps {
		if err := s.insertStep(b, e.set, &steps[i], first); err != nil {
			return err
		}
	}
	s.steps += len(steps)
	return nil
}

// insertStep takes in a step of the state s.number. Its edges are those from first on.
func (s *Search) insertStep(b *block, set int32, k *step, first int) error {
	if k.fault != nil {
		return s.fault(b, k)
	}
	next, err := s.after(set, b, k)
	if err != nil {
		return err
	}
	if next == linear.None && !k.open {
		s.finding = &Finding{Kind: NotLinearizable, Path: s.pathOver(b, k)}
		return errFound
	}
	number, known := s.table.find(k.sum.with(next), uint32(s.parent.n))
	switch {
	case !known:
		s.found(s.number, b.move(k), next, b.data[k.next.from:k.next.to])
	case !s.o.NoLivelocks && number != s.number && s.parent.at(int(number)) != s.number:
		s.edges.add(s.number, number, first)
	}
	return nil
}

// after is what becomes of a set at a step: its thread calls, directives announce, it returns.
func (s *Search) after(set int32, b *block, k *step) (int32, error) {
	if set == linear.None {
		return set, nil
	}
	var err error
	if k.call >= 0 {
		if set, err = s.p.Sets.Call(set, int(k.thread), k.call); err != nil {
			return 0, err
		}
	}
	for _, a := range b.said[k.said.from:k.said.to] {
		answer, err := s.p.Answer(a.Answer)
		if err != nil {
			return 0, err
		}
		if set, err = s.p.Sets.Announce(set, a.Thread, answer); err != nil || set == linear.None {
			return set, err
		}
	}
	if k.answer >= 0 {
		answer, err := s.p.Answer(k.answer)
		if err != nil {
			return 0, err
		}
		if set, err = s.p.Sets.Return(set, int(k.thread), answer); err != nil {
			return 0, err
		}
	}
	if k.perm.from < k.perm.to && set != linear.None {
		return s.p.Sets.Permute(set, b.data[k.perm.from:k.perm.to]), nil
	}
	return set, nil
}

// fault notes a fault. What cannot be explored is left out; any other fault ends
// the exploration.
func (s *Search) fault(b *block, k *step) error {
	found := &Finding{Kind: Faulty, Fault: k.fault, Path: s.pathOver(b, k)}
	if k.fault.Kind != machine.NotCovered {
		s.finding = found
		return errFound
	}
	if s.notCovered == nil {
		s.notCovered = found
	}
	return nil
}

// pathOver leads from the start over a step of the state s.number.
func (s *Search) pathOver(b *block, k *step) []machine.Move {
	last := b.move(k)
	last.Choices = slices.Clone(last.Choices)
	return append(s.path(s.number), last)
}

// move is the move of a step; its choices are valid as long as the block is.
func (b *block) move(k *step) machine.Move {
	return machine.Move{Thread: int(k.thread), Call: k.call, Choices: b.choices[k.choices.from:k.choices.to:k.choices.to]}
}

// Stats are the figures so far.
func (s *Search) Stats() Stats {
	return Stats{
		States: s.parent.n, Waiting: s.parent.n - int(s.number), Steps: s.steps, Levels: len(s.levels), Edges: s.edges.list.n,
		Again: s.again, Bytes: max(s.peak, s.bytes()), Elapsed: s.elapsed(), Workers: s.o.Workers,
	}
}

func (s *Search) elapsed() time.Duration {
	if s.began.IsZero() {
		return s.spent
	}
	return s.spent + time.Since(s.began)
}

// bytes is the memory in use.
func (s *Search) bytes() int64 {
	n := s.table.bytes() + s.parent.bytes() + s.move.bytes() + s.edges.bytes() + s.ends.words.bytes() + s.pool.bytes
	if s.p.Bytes != nil {
		n += s.p.Bytes()
	}
	return n + s.rounds[0].bytes() + s.rounds[1].bytes()
}

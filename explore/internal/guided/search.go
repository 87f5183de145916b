package guided

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Machine makes the steps of a program, as package search has it.
type Machine interface {
	Expand(state []byte, yield func(*machine.Step) error) error
}

// Problem is a program whose threads make the calls of a history, and no others.
type Problem struct {
	Threads int
	Start   func() []byte
	Machine func() Machine
	Again   func()  // after machine.ErrAgain
	History History // History.Check accepts it
	// Fits reports whether an operation of a thread, by its place among these, has this answer.
	Fits func(thread, nth int, answer int32) bool
	// Stuck asks for a run after which nobody can go on, and operations that are pending do
	// not end.
	Stuck bool
	// Memory is how many bytes the states may take, 0 for any number.
	Memory int64
}

// ErrMemory says that a search ended because it took as much memory as it may.
var ErrMemory = errors.New("the memory is full")

// Found is what a search found.
type Found struct {
	Moves  []machine.Move // of the run; nil if there is none, or no call
	Exists bool
	States int
	// Complete says that all runs were looked at. Otherwise, without one that has the history, Why says what ended it.
	Complete bool
	Why      error
	Race     *machine.Fault // the first one that was met; the search goes on
	Fault    *machine.Fault // the first other one: a way that ends there
}

// Search searches a run with the history. It prefers those in which goroutines take turns less often.
// A race ends nothing: what the history is may well come of one.
func Search(ctx context.Context, p Problem) (*Found, error) {
	for {
		s := &search{p: p, m: p.Machine(), seen: map[string]bool{}}
		s.needs, s.last = p.History.before(p.Threads)
		found, err := s.run(ctx)
		if !errors.Is(err, machine.ErrAgain) {
			return found, err
		}
		p.Again()
	}
}

// node is a state that is to be looked at.
type node struct {
	form  string
	ended counts
	from  int32 // in search.nodes
	move  machine.Move
}

type search struct {
	p     Problem
	m     Machine
	needs [][]counts
	last  counts
	seen  map[string]bool
	nodes []node
	// now are nodes with as few turns as there can be, later those with one more.
	now, later []int32
	bytes      int64
	found      Found
}

// perState is about what a state takes besides its form, which is kept once.
const perState = 150

func (s *search) run(ctx context.Context) (*Found, error) {
	s.nodes = append(s.nodes, node{form: string(s.p.Start()), ended: make(counts, s.p.Threads), from: -1, move: machine.Move{Thread: -1, Call: -1}})
	s.now = []int32{0}
	for len(s.now)+len(s.later) > 0 {
		if len(s.now) == 0 {
			slices.Reverse(s.later)
			s.now, s.later = s.later, nil
		}
		at := s.now[len(s.now)-1]
		s.now = s.now[:len(s.now)-1]
		if s.seen[s.nodes[at].form] {
			continue
		}
		s.seen[s.nodes[at].form] = true
		s.found.States++
		switch {
		case ctx.Err() != nil:
			s.found.Why = ctx.Err()
			return &s.found, nil
		case s.p.Memory > 0 && s.bytes > s.p.Memory:
			s.found.Why = ErrMemory
			return &s.found, nil
		}
		done, err := s.expand(at)
		if err != nil {
			return nil, err
		}
		if done {
			s.found.Exists, s.found.Moves = true, s.path(at)
			return &s.found, nil
		}
	}
	s.found.Complete = true
	return &s.found, nil
}

// expand looks at a state; it is an end if all has happened.
func (s *search) expand(at int32) (end bool, err error) {
	all := s.nodes[at].ended.covers(s.last)
	if all && !s.p.Stuck {
		return true, nil
	}
	steps := 0
	err = s.m.Expand([]byte(s.nodes[at].form), func(step *machine.Step) error {
		if f := step.Fault; f != nil {
			if f.Kind == machine.Race {
				keep(&s.found.Race, f)
				return nil
			}
			steps++
			keep(&s.found.Fault, f)
			return nil
		}
		steps++
		s.step(at, step)
		return nil
	})
	return all && steps == 0, err
}

// keep keeps the first fault.
func keep(to **machine.Fault, f *machine.Fault) {
	if *to == nil {
		c := *f
		c.Threads = slices.Clone(f.Threads)
		*to = &c
	}
}

// step takes in a step, if the history allows it.
func (s *search) step(at int32, step *machine.Step) {
	t, ended := step.Thread, s.nodes[at].ended
	if step.Call >= 0 && !ended.covers(s.needs[t][ended[t]]) {
		return
	}
	if step.Answer >= 0 {
		nth := int(ended[t])
		switch {
		case nth < int(s.last[t]):
			if !s.p.Fits(t, nth, step.Answer) {
				return
			}
			ended = slices.Clone(ended)
			ended[t]++
		case s.p.Stuck:
			return
		}
		// A pending operation may have done all that it does, and not have returned.
	}
	if s.seen[string(step.Next)] {
		return
	}
	n := node{form: string(step.Next), ended: ended, from: at, move: machine.Move{Thread: t, Call: step.Call, Choices: slices.Clone(step.Choices)}}
	s.bytes += int64(len(n.form)) + perState
	s.nodes = append(s.nodes, n)
	if next := int32(len(s.nodes) - 1); at == 0 || s.nodes[at].move.Thread == t {
		s.now = append(s.now, next)
	} else {
		s.later = append(s.later, next)
	}
}

// path is the moves that lead to a node.
func (s *search) path(at int32) (moves []machine.Move) {
	for ; s.nodes[at].from >= 0; at = s.nodes[at].from {
		moves = append(moves, s.nodes[at].move)
	}
	slices.Reverse(moves)
	return moves
}

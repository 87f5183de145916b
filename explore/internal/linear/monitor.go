package linear

import (
	"encoding/binary"
	"encoding/gob"
	"errors"
	"io"
)

// NoState is no state: the move is refused.
const NoState int32 = 0

// Monitor are the states of a monitor. They are not safe for concurrent use. After the error
// machine.ErrAgain the exploration has to start again.
type Monitor struct {
	observer Observer
	threads  int
	numbers  map[string]int32
	all      []int32 // of all states, one after the other
	work     []int32
	key      []byte
	refusal  Reason
}

// A state is the observer's, and of each thread what it runs, plus one, 0 if it is idle, and what
// was announced of that.
const perThread = 2

// What was announced of an operation, as a number: nothing, or an answer that may be announced
// anew, or one that may not, because it changed the observer.
const nothing int32 = 0

func announced(answer int32, changed bool) int32 {
	if changed {
		return 2*answer + 2
	}
	return 2*answer + 1
}

// answerOf is what was announced, and whether it changed the observer; -1 if nothing was.
func answerOf(lin int32) (answer int32, changed bool) {
	return (lin+1)/2 - 1, lin != nothing && lin%2 == 0
}

// NewMonitor is the states of the monitor of so many threads.
func NewMonitor(o Observer, threads int) *Monitor {
	return &Monitor{observer: o, threads: threads, numbers: map[string]int32{}, work: make([]int32, 1+perThread*threads)}
}

// open copies a state to where it may be changed.
func (s *Monitor) open(set int32) []int32 {
	copy(s.work, s.of(set))
	return s.work
}

func (s *Monitor) of(set int32) []int32 {
	n := len(s.work)
	return s.all[int(set-1)*n:][:n]
}

// number is the number of the state that s.work is.
func (s *Monitor) number() int32 {
	s.key = s.key[:0]
	for _, x := range s.work {
		s.key = binary.AppendUvarint(s.key, uint64(x))
	}
	set, known := s.numbers[string(s.key)]
	if !known {
		set = int32(len(s.numbers)) + 1
		s.numbers[string(s.key)] = set
		s.all = append(s.all, s.work...)
	}
	return set
}

// Start is the state before the first call.
func (s *Monitor) Start() int32 {
	clear(s.work)
	s.work[0] = s.observer.Start()
	return s.number()
}

// Call is the state after a thread's call.
func (s *Monitor) Call(set int32, thread int, call int32) (int32, error) {
	own := s.open(set)[1+perThread*thread:]
	own[0], own[1] = call+1, nothing
	return s.number(), nil
}

// Announce is the state after a thread's operation was announced with an answer: None if it may
// not be.
func (s *Monitor) Announce(set int32, thread int, answer int32) (int32, error) {
	state := s.open(set)
	own := state[1+perThread*thread:]
	before, changed := answerOf(own[1])
	s.refusal = Reason{Thread: thread, Call: own[0] - 1, Answer: answer, Before: before, State: state[0]}
	switch {
	case own[0] == 0:
		return s.refuse(Idle)
	case changed:
		return s.refuse(Again)
	}
	next, ok, err := s.observer.Step(state[0], own[0]-1, answer)
	switch {
	case err != nil:
		return NoState, err
	case !ok:
		return s.refuse(Misplaced)
	}
	own[1] = announced(answer, next != state[0])
	state[0] = next
	return s.number(), nil
}

// Return is the state after a thread's operation returned an answer: None if another one was
// announced, or none.
func (s *Monitor) Return(set int32, thread int, answer int32) (int32, error) {
	state := s.open(set)
	own := state[1+perThread*thread:]
	before, _ := answerOf(own[1])
	s.refusal = Reason{Thread: thread, Call: own[0] - 1, Answer: answer, Before: before, State: state[0]}
	switch {
	case before < 0:
		return s.refuse(Unannounced)
	case before != answer:
		return s.refuse(Otherwise)
	}
	own[0], own[1] = 0, nothing
	return s.number(), nil
}

// Permute renames threads: thread i of the result is thread perm[i] of the state.
func (s *Monitor) Permute(set int32, perm []uint8) int32 {
	from, to := s.of(set), s.open(set)
	for i, t := range perm[:s.threads] {
		copy(to[1+perThread*i:][:perThread], from[1+perThread*int(t):])
	}
	return s.number()
}

// MayWait reports whether running operations of these threads may wait for ever if no other
// returns: none of them was announced, and none can take effect.
func (s *Monitor) MayWait(set int32, threads []int) (bool, error) {
	state := s.of(set)
	for _, t := range threads {
		own := state[1+perThread*t:]
		if own[0] == 0 || own[1] != nothing {
			return false, nil
		}
		if waits, err := s.observer.Waits(state[0], own[0]-1); err != nil || !waits {
			return false, err
		}
	}
	return true, nil
}

// Bytes is how much memory the states take, about.
func (s *Monitor) Bytes() int64 {
	const entry = 64 // of the map, with a key
	n := int64(4*cap(s.all) + entry*len(s.numbers))
	if o, ok := s.observer.(interface{ Bytes() int64 }); ok {
		n += o.Bytes()
	}
	return n
}

// Count is how many states there are.
func (s *Monitor) Count() int { return len(s.numbers) }

// Save writes the observer and all states, in the order of their numbers.
func (s *Monitor) Save(w io.Writer) error {
	e := gob.NewEncoder(w)
	if o, ok := s.observer.(Keeper); ok {
		if err := o.Save(e); err != nil {
			return err
		}
	}
	return e.Encode(s.all)
}

// Load gives the states the numbers that they had. The observer's own part comes first.
func (s *Monitor) Load(r io.Reader) error {
	d := gob.NewDecoder(r)
	if o, ok := s.observer.(Keeper); ok {
		if err := o.Load(d); err != nil {
			return err
		}
	}
	var all []int32
	if err := d.Decode(&all); err != nil {
		return err
	}
	clear(s.numbers)
	s.all = s.all[:0]
	for set := int32(1); len(all) >= len(s.work); set++ {
		if copy(s.work, all); s.number() != set {
			return errOther
		}
		all = all[len(s.work):]
	}
	if len(all) > 0 {
		return errOther
	}
	return nil
}

var errOther = errors.New("what was kept are other states")

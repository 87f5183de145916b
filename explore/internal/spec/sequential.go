package spec

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
)

// Runner runs calls on an object, one after the other. A state is canonical bytes: equal
// states are equal bytes.
type Runner interface {
	// Start is the state of a new object.
	Start() ([]byte, error)

	// Run makes a call, which is a number of the runner's calls, in a state while nothing
	// else runs, and lists what may come out of it; nothing if the call waits for ever.
	// After machine.ErrAgain all states are void, and Start has another one.
	Run(state []byte, call int32) ([]Ran, error)

	// Text is a state for readers.
	Text(state []byte) string
}

// Ran is a result of a call, and the state after it.
type Ran struct {
	Result *machine.Result
	Next   []byte
}

// Sequential is a reference, or the implementation itself, as what it answers if nothing
// overlaps: r runs it, with the calls of own. The error names calls that the
// reference does not have.
func Sequential(r Runner, own, list *List, a *Answers) (Spec, error) {
	sig, err := history.NewSignature(own.Methods...)
	if err != nil {
		return nil, err
	}
	f, err := fit(list, sig, "reference")
	if err != nil {
		return nil, err
	}
	f.mayPanic()
	labels := f.labels
	s := &sequential{runner: r, list: own, calls: map[string]int32{}}
	for i := range own.Labels {
		s.calls[keyOf(own.Labels[i:i+1])] = int32(i)
	}
	for i := range labels {
		if _, ok := s.calls[keyOf(labels[i:i+1])]; !ok {
			return nil, fmt.Errorf("the reference has no call %s: its parameters have other types", labels[i])
		}
	}
	if err := s.renew(); err != nil {
		return nil, err
	}
	return tableOf(s, f, a), nil
}

// sequential is a Runner as a source.
type sequential struct {
	runner  Runner
	list    *List            // of the runner
	calls   map[string]int32 // by label
	states  [][]byte
	numbers map[string]int32
}

func (*sequential) start() int32 { return 0 }

// renew forgets all states: the runner has others.
func (s *sequential) renew() error {
	first, err := s.runner.Start()
	s.states, s.numbers = nil, map[string]int32{}
	s.number(first)
	return err
}

func (s *sequential) number(state []byte) int32 {
	n, ok := s.numbers[string(state)]
	if !ok {
		n = int32(len(s.states))
		own := slices.Clone(state)
		s.numbers[string(own)], s.states = n, append(s.states, own)
	}
	return n
}

func (s *sequential) ways(state int32, call *history.Label) (ways []way, err error) {
	if int(state) >= len(s.states) { // of before renew
		return nil, machine.ErrAgain
	}
	ran, err := s.runner.Run(s.states[state], s.calls[keyOf([]history.Label{*call})])
	if err != nil {
		return nil, err
	}
	for _, r := range ran {
		outcome, rets := s.list.Compared(r.Result)
		ways = append(ways, way{Answer{outcome, rets}, s.number(r.Next)})
	}
	return ways, nil
}

func (s *sequential) text(state int32) string { return s.runner.Text(s.states[state]) }

package observers

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
)

// Running is a Set over the calls of an exploration. One of its states has one of each observer for all
// that its registers may hold. It knows no answers: a call never waits.
type Running struct {
	set     *Set
	answers *spec.Answers
	labels  []history.Label // of calls, with the theory's names
	values  []history.Value // that calls have, or an implementation answered
	runs    []valued

	states  [][]uint16
	numbers map[string]int32
	steps   map[[3]int32]int32
}

// valued is an observer with what its registers hold.
type valued struct {
	*Observer
	registers []history.Value
}

// Over is the observers of some calls with answers.
func (s *Set) Over(list *spec.List, a *spec.Answers) (*Running, error) {
	r := &Running{set: s, answers: a, labels: slices.Clone(list.Labels)}
	for i := range r.labels {
		l := &r.labels[i]
		m, ok := s.sig.Method(l.Method)
		if !ok {
			return nil, fmt.Errorf("theory %s has no operation %s", s.Theory, l.Method)
		}
		l.Method = m.Name
	}
	r.values = valuesOf(r.labels)
	r.begin()
	return r, nil
}

// begin forgets all states: there are registers for other values now.
func (r *Running) begin() {
	r.runs, r.states, r.numbers, r.steps = nil, nil, map[string]int32{}, map[[3]int32]int32{}
	for _, o := range r.set.Observers {
		for _, registers := range o.valuations(r.values) {
			r.runs = append(r.runs, valued{o, registers})
		}
	}
	r.number(make([]uint16, len(r.runs)))
}

func (r *Running) number(state []uint16) int32 {
	var key []byte
	for _, s := range state {
		key = binary.AppendUvarint(key, uint64(s))
	}
	n, ok := r.numbers[string(key)]
	if !ok {
		n = int32(len(r.states))
		r.numbers[string(key)], r.states = n, append(r.states, state)
	}
	return n
}

// Start is the state of a new object.
func (r *Running) Start() int32 { return 0 }

// refuses is the step to what an observer accepts.
const refuses int32 = -1

// Step is the state after an operation; ok is false if an observer accepts it. The error is
// machine.ErrAgain after an answer with a value that was not known.
func (r *Running) Step(state, call, answer int32) (next int32, ok bool, err error) {
	key := [3]int32{state, call, answer}
	next, known := r.steps[key]
	if !known {
		a := r.answers.Answer(answer)
		for _, v := range a.Rets {
			if !slices.Contains(r.values, v) && !slices.ContainsFunc(r.runs, func(x valued) bool { return slices.Contains(x.Constants, v) }) {
				r.values = append(r.values, v)
				err = machine.ErrAgain
			}
		}
		if err != nil {
			r.begin()
			return 0, false, err
		}
		l := r.labels[call]
		l.Outcome, l.Rets = a.Outcome, a.Rets
		next = r.step(state, &l)
		r.steps[key] = next
	}
	return max(next, 0), next != refuses, nil
}

func (r *Running) step(state int32, l *history.Label) int32 {
	to := slices.Clone(r.states[state])
	for i, x := range r.runs {
		s := x.Step(int(to[i]), x.registers, l)
		if s == x.Bad {
			return refuses
		}
		to[i] = uint16(s)
	}
	return r.number(to)
}

// Waits is false.
func (r *Running) Waits(state, call int32) (bool, error) { return false, nil }

// Text is the states that are not those of the start: "set(x=1) in s1".
func (r *Running) Text(state int32) string {
	var all []string
	for i, s := range r.states[state] {
		x := r.runs[i]
		if s == 0 {
			continue
		}
		var holds []string
		for k, v := range x.registers {
			if v != unused(k) {
				holds = append(holds, fmt.Sprintf("%s=%s", registerName(k), v))
			}
		}
		text := fmt.Sprintf("%s(%s) in %s", x.Name, strings.Join(holds, " "), x.States[s])
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return "new"
	}
	return strings.Join(all, ", ")
}

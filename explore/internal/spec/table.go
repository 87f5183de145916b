package spec

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
)

// way is a way to answer a call, and the state after it.
type way struct {
	answer Answer
	next   int32
}

// source is a data type: what a table remembers. It is asked by one goroutine at a time.
type source interface {
	start() int32
	ways(state int32, call *history.Label) ([]way, error)
	text(state int32) string
}

// renewed is a source that has to start again after machine.ErrAgain.
type renewed interface {
	source
	renew() error
}

// open is a source whose calls may answer any value: it lists those that it knows.
type open interface {
	source

	// learn reports whether a value is new to it, and would be an answer.
	learn(v history.Value) bool
}

// table is a source as a Spec.
type table struct {
	source source
	fitted
	answers *Answers

	mu    sync.Mutex
	moves map[[2]int32][]Move
	asked []asked // in order: states are numbered as they are met
}

// asked is a state and a call that Moves was asked about, or a value that was learned.
type asked struct {
	State, Call int32
	Learns      bool
	Value       history.Value
}

// learning is a table of an open source.
type learning struct{ *table }

// tableOf is the Spec of a source.
func tableOf(s source, f fitted, a *Answers) Spec {
	t := &table{source: s, fitted: f, answers: a, moves: map[[2]int32][]Move{}}
	if _, ok := s.(open); ok {
		return learning{t}
	}
	return t
}

func (t *table) Start() int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.source.start()
}

func (t *table) Moves(state, call int32) ([]Move, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.compute(state, call)
}

func (t *table) compute(state, call int32) ([]Move, error) {
	moves, ok := t.moves[[2]int32{state, call}]
	if ok {
		return moves, nil
	}
	ways, err := t.source.ways(state, &t.labels[call])
	if r, ok := t.source.(renewed); ok && errors.Is(err, machine.ErrAgain) {
		clear(t.moves)
		t.asked = nil
		err = cmp.Or(r.renew(), err)
	}
	if err != nil {
		return nil, err
	}
	t.asked = append(t.asked, asked{State: state, Call: call})
	for _, w := range ways {
		if m := (Move{t.answers.Number(w.answer), w.next}); !slices.Contains(moves, m) {
			moves = append(moves, m)
		}
	}
	t.moves[[2]int32{state, call}] = moves
	return moves, nil
}

// Waits reports whether the implementation has none of the answers.
func (t *table) Waits(state, call int32) (bool, error) {
	moves, err := t.Moves(state, call)
	own := t.own[t.labels[call].Method]
	return !slices.ContainsFunc(moves, func(m Move) bool { return slices.Contains(own, t.answers.Answer(m.Answer).Outcome) }), err
}

func (t *table) Text(state int32) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.source.text(state)
}

// Learn has the source learn the values of an answer.
func (t learning) Learn(answer int32) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	learned := false
	for _, v := range t.answers.Answer(answer).Rets {
		learned = t.learn(v) || learned
	}
	return learned
}

func (t learning) learn(v history.Value) bool {
	if !t.source.(open).learn(v) {
		return false
	}
	clear(t.moves)
	t.asked = append(t.asked, asked{Learns: true, Value: v})
	return true
}

package configurations

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// mostMoves is how many moves of an operation are remembered.
const mostMoves = 1 << 10

// Most is how many configurations a Set holds.
const Most = 1 << 14

// ErrMost is the error of an event after which there are more.
var ErrMost = errors.New("operations that run at the same time have too many possible effects")

// Set is the configurations that some events allow. After an error, or a violation, it
// is of no use.
type Set struct {
	machine Machine
	running []*operation
	configs []*config
	number  int
}

// operation is one that runs.
type operation struct {
	id     string
	number int
	label  history.Label
	how    knowledge
	moves  map[string]move // by state
}

// knowledge is what is known of a running operation's answer.
type knowledge int

const (
	later   knowledge = iota // the return will tell it
	already                  // it is that of the label
	never                    // it does not matter
)

// config is a state, and what of the operations that run led to it, or could have
// answered on the way.
type config struct {
	state State
	key   string // of the state
	marks []mark // in order
	dead  bool   // a better one was found
}

// mark says that an operation took effect with an answer, or could have answered so
// in a state that was left, and changed nothing.
type mark struct {
	op     int // number
	took   bool
	answer string
}

func (m mark) compare(n mark) int {
	switch {
	case m.op != n.op:
		return m.op - n.op
	case m.took != n.took && m.took:
		return -1
	case m.took != n.took:
		return 1
	}
	return strings.Compare(m.answer, n.answer)
}

// New is the set before the first event.
func New(m Machine) *Set { return From(m, m.Start()) }

// From is the set of a state, while nothing runs.
func From(m Machine, s State) *Set {
	return &Set{machine: m, configs: []*config{{state: s, key: m.Key(s)}}}
}

// Settled is the only state that is possible, if nothing runs and there is one.
func (s *Set) Settled() (State, bool) {
	if len(s.running) > 0 || len(s.configs) != 1 {
		return nil, false
	}
	return s.configs[0].state, true
}

// States lists the states that are possible, as texts for readers.
func (s *Set) States() ([]string, error) {
	e := &expansion{Set: s}
	for _, c := range s.configs {
		e.without.add(c)
	}
	err := e.all()
	var texts []string
	for _, c := range e.without.list {
		texts = append(texts, s.machine.Text(c.state))
	}
	slices.Sort(texts)
	return slices.Compact(texts), err
}

// Live counts the operations that run and the configurations.
func (s *Set) Live() int { return len(s.running) + len(s.configs) }

// Call says that an operation is called. If its label has an answer it is known what
// it will be.
func (s *Set) Call(id string, l *history.Label) {
	how := already
	if l.Outcome == history.Pending {
		how = later
	}
	s.call(id, l, how)
}

func (s *Set) call(id string, l *history.Label, how knowledge) {
	s.number++
	s.running = append(s.running, &operation{id: id, number: s.number, label: *l, how: how, moves: map[string]move{}})
}

// Return says that a running operation returned, and reports whether that can be.
func (s *Set) Return(id string, outcome history.Outcome, rets ...history.Value) (bool, error) {
	i := slices.IndexFunc(s.running, func(o *operation) bool { return o.id == id })
	if i < 0 {
		return false, fmt.Errorf("operation %s is not running", id)
	}
	o := s.running[i]
	if o.how == later {
		o.how, o.moves = already, map[string]move{}
		o.label.Outcome, o.label.Rets = outcome, rets
		s.answered(o)
	}
	e := &expansion{Set: s, op: o, readOnly: o.how == already && s.machine.ReadOnly(o.label.Kind), with: store{}, without: store{}}
	err := e.run()
	s.running = slices.Delete(s.running, i, i+1)
	s.configs = slices.DeleteFunc(e.with.list, func(c *config) bool { return c.dead })
	return len(s.configs) > 0, err
}

// answered leaves the configurations in which an operation gave its answer, or none.
func (s *Set) answered(o *operation) {
	answer, kept := answerOf(&o.label), s.configs[:0]
	for _, c := range s.configs {
		own := c.forget(o)
		i := slices.IndexFunc(c.marks, func(m mark) bool { return m.op == o.number && (m.took || m.answer == answer) })
		if i >= 0 {
			if c.marks[i].answer != answer {
				continue
			}
			own.marks = append(own.marks, mark{o.number, c.marks[i].took, ""})
			slices.SortFunc(own.marks, mark.compare)
		}
		kept = append(kept, own)
	}
	s.configs = kept
}

// answerOf is a text for an answer.
func answerOf(l *history.Label) string {
	var b strings.Builder
	b.WriteString(string(l.Outcome))
	for _, v := range l.Rets {
		b.WriteByte(' ')
		b.WriteString(strconv.Quote(string(v)))
	}
	return b.String()
}

// move is what an operation would do in a state.
type move struct {
	ok     bool
	answer string
	next   State
	key    string
}

// move is what a running operation would do in a configuration's state.
func (s *Set) move(o *operation, c *config) (move, error) {
	if m, ok := o.moves[c.key]; ok {
		return m, nil
	}
	label, m := o.label, move{ok: true}
	if o.how != already {
		label, m.ok = s.machine.Answer(c.state, &o.label)
		if m.ok && label.Outcome == history.Pending && (o.how == later || s.machine.Guesses()) {
			return m, fmt.Errorf("[%s] %s may have taken effect and has not returned, and only its answer says what it did", o.id, o.label)
		}
		if o.how == later {
			m.answer = answerOf(&label)
		}
	}
	if m.ok {
		m.next, m.ok = s.machine.Step(c.state, &label)
	}
	if m.ok {
		m.key = s.machine.Key(m.next)
	}
	if len(o.moves) >= mostMoves {
		clear(o.moves)
	}
	o.moves[c.key] = m
	return m, nil
}

// expansion finds the configurations in which an operation that returns took effect.
type expansion struct {
	*Set
	op       *operation // nil: whatever can take effect does
	readOnly bool
	with     store // it took effect; it is not in their marks any more
	without  store
}

func (e *expansion) run() error {
	for _, c := range e.configs {
		switch {
		case slices.Contains(c.marks, mark{e.op.number, true, ""}):
			e.with.add(c.forget(e.op))
		case !slices.Contains(c.marks, mark{e.op.number, false, ""}):
			e.without.add(c)
		case e.readOnly:
			e.with.add(c.forget(e.op))
		default:
			e.with.add(c.forget(e.op))
			e.without.add(c)
		}
	}
	return e.all()
}

// all expands what there is without the operation.
func (e *expansion) all() error {
	for i := 0; i < len(e.without.list); i++ {
		if c := e.without.list[i]; !c.dead {
			if err := e.expand(c); err != nil {
				return err
			}
		}
		if len(e.without.list)+len(e.with.list) > Most {
			return ErrMost
		}
	}
	return nil
}

// expand lets the operation, or another one that runs, take effect.
func (e *expansion) expand(c *config) error {
	if e.op != nil {
		own, err := e.move(e.op, c)
		if err != nil {
			return err
		}
		if own.ok && own.key == c.key {
			e.with.add(c.forget(e.op))
			if e.readOnly {
				return nil
			}
		}
	}
	var open []*operation
	var moves []move
	left := slices.Clone(c.marks) // once the state is left
	for _, o := range e.running {
		if c.took(o) {
			continue
		}
		m, err := e.move(o, c)
		if err != nil {
			return err
		}
		switch {
		case !m.ok:
		case m.key == c.key:
			left = append(left, mark{o.number, false, m.answer})
		default:
			open, moves = append(open, o), append(moves, m)
		}
	}
	slices.SortFunc(left, mark.compare)
	left = slices.Compact(left)
	for i, o := range open {
		next := &config{state: moves[i].next, key: moves[i].key}
		for _, m := range left {
			if m.op != o.number {
				next.marks = append(next.marks, m)
			}
		}
		if o == e.op {
			e.with.add(next)
			continue
		}
		next.marks = append(next.marks, mark{o.number, true, moves[i].answer})
		slices.SortFunc(next.marks, mark.compare)
		e.without.add(next)
	}
	return nil
}

func (c *config) took(o *operation) bool {
	return slices.ContainsFunc(c.marks, func(m mark) bool { return m.op == o.number && m.took })
}

// forget is the configuration without an operation.
func (c *config) forget(o *operation) *config {
	return &config{state: c.state, key: c.key, marks: slices.DeleteFunc(slices.Clone(c.marks), func(m mark) bool { return m.op == o.number })}
}

// store is configurations by state and what took effect. Of those that are equal in
// this, one stays that could have answered all that another could.
type store struct {
	all  map[string][]*config
	list []*config // dead ones, too
}

// add adds a configuration, if it is new.
func (s *store) add(c *config) {
	var b strings.Builder
	b.WriteString(c.key)
	for _, m := range c.marks {
		if m.took {
			fmt.Fprintf(&b, "\x00%d %s", m.op, m.answer)
		}
	}
	if s.all == nil {
		s.all = map[string][]*config{}
	}
	var kept []*config
	for _, d := range s.all[b.String()] {
		if within(c.marks, d.marks) {
			return
		}
		if d.dead = within(d.marks, c.marks); !d.dead {
			kept = append(kept, d)
		}
	}
	s.all[b.String()], s.list = append(kept, c), append(s.list, c)
}

// within reports whether all of some marks are among others.
func within(some, others []mark) bool {
	i := 0
	for _, m := range others {
		if i < len(some) && some[i] == m {
			i++
		}
	}
	return i == len(some)
}

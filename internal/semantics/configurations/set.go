package configurations

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// mostStates is how many states a Set remembers that are not possible any more.
const mostStates = 1 << 5

// Most is how many configurations a Set holds.
const Most = 1 << 14

// ErrMost is the error of an event after which there are more.
var ErrMost = errors.New("operations that run at the same time have too many possible effects")

// Set is the configurations that some events allow. After an error, or a violation, it
// is of no use.
type Set struct {
	machine semantics.Machine
	states  semantics.Numbers
	running []*operation // nil: no operation has this place now
	runs    int          // how many are not nil
	configs []config
	most    int // states before those that do not matter are forgotten
	work    int // configurations that were looked at

	with, without store // room of expansions; the configurations' marks are in with
	spare         []mark
}

// operation is one that runs.
type operation struct {
	id      string
	label   history.Label
	how     knowledge
	moves   []move   // by state
	answers []string // to which marks refer, from 1; 0 is that of the label, or any
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
	state int32
	next  int32  // of those with equal hashes
	marks []mark // in order
	dead  bool   // a better one was found
}

// mark says that an operation took effect with an answer, or could have answered so
// in a state that was left, and changed nothing. It is the operation's place, a bit
// that is 0 if it took effect, and the answer, so that numbers order marks.
type mark uint64

const (
	placeBits      = 32
	idle      mark = 1 << 31
)

func took(place int, answer int32) mark  { return mark(place)<<placeBits | mark(answer) }
func could(place int, answer int32) mark { return took(place, answer) | idle }
func (m mark) place() int                { return int(m >> placeBits) }
func (m mark) took() bool                { return m&idle == 0 }
func (m mark) answer() int32             { return int32(m & (idle - 1)) }

// New is the set before the first event.
func New(m semantics.Machine) *Set { return From(m, m.Init()) }

// From is the set of a state, while nothing runs.
func From(m semantics.Machine, at semantics.State) *Set {
	s := &Set{machine: m, most: mostStates}
	s.configs = []config{{state: s.states.Of(at)}}
	return s
}

// forgetStates forgets those in which nothing is any more.
func (s *Set) forgetStates() {
	old := s.states.All
	s.states = semantics.Numbers{}
	for i := range s.configs {
		s.configs[i].state = s.states.Of(old[s.configs[i].state])
	}
	for _, o := range s.running {
		if o != nil {
			o.moves = nil
		}
	}
	s.most = 2*len(s.states.All) + mostStates
}

// Settled is the only state that is possible, if nothing runs and there is one.
func (s *Set) Settled() (semantics.State, bool) {
	if s.runs > 0 || len(s.configs) != 1 {
		return nil, false
	}
	return s.states.All[s.configs[0].state], true
}

// States lists the states that are possible, as texts for readers.
func (s *Set) States() ([]string, error) {
	e := &expansion{Set: s, with: new(store), without: new(store)}
	for _, c := range s.configs {
		e.without.add(c.state, c.marks)
	}
	err := e.all()
	var texts []string
	for _, c := range e.without.list {
		texts = append(texts, s.machine.Text(s.states.All[c.state]))
	}
	slices.Sort(texts)
	return slices.Compact(texts), err
}

// Live counts the operations that run and the configurations.
func (s *Set) Live() int { return s.runs + len(s.configs) }

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
	o := &operation{id: id, label: *l, how: how}
	s.runs++
	if i := slices.Index(s.running, nil); i >= 0 {
		s.running[i] = o
		return
	}
	s.running = append(s.running, o)
}

// Return says that a running operation returned, and reports whether that can be.
func (s *Set) Return(id string, outcome history.Outcome, rets ...history.Value) (bool, error) {
	i := slices.IndexFunc(s.running, func(o *operation) bool { return o != nil && o.id == id })
	if i < 0 {
		return false, fmt.Errorf("operation %s is not running", id)
	}
	if len(s.states.All) > s.most {
		s.forgetStates()
	}
	o := s.running[i]
	if o.how == later {
		o.label.Outcome, o.label.Rets = outcome, rets
		s.answered(i)
	}
	e := &expansion{Set: s, op: o, place: i, readOnly: o.how == already && s.machine.ReadOnly(&o.label), with: &s.with, without: &s.without}
	kept := s.with.room
	s.with.reset(s.spare)
	s.without.reset(s.without.room)
	err := e.run()
	s.spare = kept
	s.work += len(s.with.list) + len(s.without.list)
	s.running[i] = nil
	s.runs--
	s.configs, e.with.list = slices.DeleteFunc(e.with.list, func(c config) bool { return c.dead }), s.configs
	return len(s.configs) > 0, err
}

// knows reports whether the answer of an operation that runs is known.
func (s *Set) knows() bool {
	return slices.ContainsFunc(s.running, func(o *operation) bool { return o != nil && o.how == already })
}

// answered leaves the configurations in which the operation at a place gave its answer,
// or none.
func (s *Set) answered(place int) {
	o, kept := s.running[place], s.configs[:0]
	answer := int32(slices.Index(o.answers, answerOf(&o.label)) + 1) // 0: no mark has it
	for _, c := range s.configs {
		from, to := c.of(place)
		own := c.marks[from:to]
		i := slices.IndexFunc(own, func(m mark) bool { return m.took() || m.answer() == answer })
		if i >= 0 && own[i].answer() != answer {
			continue
		}
		if i >= 0 {
			c.marks[from] = own[i] &^ (idle - 1)
			from++
		}
		c.marks = slices.Delete(c.marks, from, to)
		kept = append(kept, c)
	}
	s.configs = kept
	o.how, o.moves, o.answers = already, nil, nil
}

// of is where the marks of the operation at a place are.
func (c *config) of(place int) (from, to int) {
	from = slices.IndexFunc(c.marks, func(m mark) bool { return m.place() >= place })
	if from < 0 {
		return len(c.marks), len(c.marks)
	}
	for to = from; to < len(c.marks) && c.marks[to].place() == place; to++ {
	}
	return from, to
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
	known, ok    bool
	answer, next int32
}

// move is what a running operation would do in a state.
func (s *Set) move(o *operation, at int32) (move, error) {
	if int(at) < len(o.moves) && o.moves[at].known {
		return o.moves[at], nil
	}
	label, m := o.label, move{known: true, ok: true}
	if o.how != already {
		label, m.ok = s.machine.Answer(s.states.All[at], &o.label)
		if m.ok && label.Outcome == history.Pending && (o.how == later || s.machine.Guesses()) {
			return m, fmt.Errorf("[%s] %s may have taken effect and has not returned, and only its answer says what it did", o.id, o.label)
		}
		if o.how == later {
			m.answer = o.answer(answerOf(&label))
		}
	}
	if err := failure(s.machine); err != nil {
		return m, err
	}
	if m.ok {
		var next semantics.State
		if next, m.ok = s.machine.Step(s.states.All[at], &label); m.ok {
			m.next = s.states.Of(next)
		}
	}
	for len(o.moves) <= int(at) {
		o.moves = append(o.moves, move{})
	}
	o.moves[at] = m
	return m, nil
}

// answer is the number of an answer.
func (o *operation) answer(text string) int32 {
	i := slices.Index(o.answers, text)
	if i < 0 {
		i, o.answers = len(o.answers), append(o.answers, text)
	}
	return int32(i + 1)
}

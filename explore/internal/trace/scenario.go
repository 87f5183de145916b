package trace

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
)

// scenarioVersion is that of scenarios, as version is of records.
const scenarioVersion = "s1-"

// Scenario is what repeats a run with a recorded history: each goroutine has calls of its own.
type Scenario struct {
	Program  Hash
	NoFusion bool // each access to memory is a step
	Stuck    bool // at the end nobody can go on
	Calls    []ScenarioCall
	// Plans are the calls of each goroutine; Events are calls and returns in order, each a goroutine:
	// 2*goroutine, and one more for a return.
	Plans  [][]int
	Events []int
	// Answers are those of the returns, in order.
	Answers []ScenarioAnswer
	Written []uint64
	Moves   []machine.Move
}

// ScenarioCall is an operation of the program, by its number, with arguments.
type ScenarioCall struct {
	Op     int
	Method string // in the history
	Args   []history.Value
}

// ScenarioAnswer is what an operation answered.
type ScenarioAnswer struct {
	Outcome history.Outcome
	Rets    []history.Value
}

// IsScenario reports whether a replay string is one of a scenario.
func IsScenario(replay string) bool { return strings.HasPrefix(replay, scenarioVersion[:1]) }

// String is the scenario in letters, digits, - and _.
func (s *Scenario) String() string {
	e := &encoder{b: bytes.Clone(s.Program[:])}
	e.bool(s.NoFusion)
	e.bool(s.Stuck)
	e.int(len(s.Calls))
	for _, c := range s.Calls {
		e.int(c.Op)
		e.text(c.Method)
		e.values(c.Args)
	}
	e.int(len(s.Plans))
	for _, p := range s.Plans {
		e.ints(p)
	}
	e.ints(s.Events)
	e.int(len(s.Answers))
	for _, a := range s.Answers {
		e.text(string(a.Outcome))
		e.values(a.Rets)
	}
	e.int(len(s.Written))
	for _, w := range s.Written {
		e.b = binary.AppendUvarint(e.b, w)
	}
	for _, m := range s.Moves {
		e.b = appendMove(e.b, m)
	}
	return scenarioVersion + sealed(e.b)
}

// ParseScenario reads a scenario.
func ParseScenario(replay string) (*Scenario, error) {
	b, err := unsealed(replay, scenarioVersion)
	if err != nil {
		return nil, err
	}
	d := &decoder{rest: b[len(Hash{}):]}
	s := &Scenario{Program: Hash(b), NoFusion: d.next(1) == 1, Stuck: d.next(1) == 1}
	for range d.count() {
		s.Calls = append(s.Calls, ScenarioCall{Op: int(d.next(maxBound)), Method: d.text(), Args: d.values()})
	}
	for range d.count() {
		s.Plans = append(s.Plans, d.ints(uint64(len(s.Calls))))
	}
	s.Events = d.ints(2 * uint64(len(s.Plans)))
	for range d.count() {
		s.Answers = append(s.Answers, ScenarioAnswer{Outcome: history.Outcome(d.text()), Rets: d.values()})
	}
	for range d.count() {
		s.Written = append(s.Written, d.next(^uint64(0)))
	}
	for len(d.rest) > 0 && !d.bad {
		s.Moves = append(s.Moves, d.move())
	}
	if d.bad {
		return nil, errDamaged
	}
	return s, nil
}

type encoder struct{ b []byte }

func (e *encoder) int(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

func (e *encoder) bool(is bool) {
	if is {
		e.int(1)
	} else {
		e.int(0)
	}
}

func (e *encoder) ints(all []int) {
	e.int(len(all))
	for _, n := range all {
		e.int(n)
	}
}

func (e *encoder) text(s string) {
	e.int(len(s))
	e.b = append(e.b, s...)
}

func (e *encoder) values(all []history.Value) {
	e.int(len(all))
	for _, v := range all {
		e.text(string(v))
	}
}

// count is a number of things that follow, each of which takes a byte at least.
func (d *decoder) count() uint64 { return d.next(uint64(len(d.rest))) }

// ints are numbers below one.
func (d *decoder) ints(below uint64) (all []int) {
	for range d.count() {
		n := d.next(maxBound)
		if n >= below {
			d.bad, d.rest = true, nil
			return nil
		}
		all = append(all, int(n))
	}
	return all
}

func (d *decoder) text() string {
	n := d.count()
	if d.bad || n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return ""
	}
	s := string(d.rest[:n])
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) values() (all []history.Value) {
	for range d.count() {
		all = append(all, history.Value(d.text()))
	}
	return all
}

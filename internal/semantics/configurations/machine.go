package configurations

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// State is a state of a Machine, which no step changes.
type State any

// Machine is a data type: what a call answers follows from the state alone.
type Machine interface {
	Start() State

	// Step reports whether an operation answers as its label says, and the state after
	// it. If the outcome is history.Pending any answer will do.
	Step(s State, l *history.Label) (next State, ok bool)

	// Answer is the label of a call with its answer, whose outcome is history.Pending
	// if it is not determined; false if the call waits.
	Answer(s State, call *history.Label) (history.Label, bool)

	// Guesses reports whether it may matter later which of the values a call answers
	// that are not determined.
	Guesses() bool

	// ReadOnly reports whether operations of a kind change nothing.
	ReadOnly(k history.Kind) bool

	// Key is a text that is the same for equal states alone, Text one for readers.
	Key(s State) string
	Text(s State) string
}

// Of is a theory's product or automaton as a Machine; an error if it has neither, or
// parts that have neither.
func Of(s *theory.Spec) (Machine, error) {
	if s.Product != nil {
		if part, err := Of(&s.Product.Part); err == nil {
			return &product{s.Product, part}, nil
		}
	}
	if s.Automaton != nil {
		return &automaton{s.Automaton}, nil
	}
	return nil, fmt.Errorf("configurations: the theory has no automaton")
}

// automaton is an automaton as a Machine.
type automaton struct{ *automata.Automaton }

func (a *automaton) Start() State { return a.Automaton.Start() }

func (a *automaton) Step(s State, l *history.Label) (State, bool) {
	next, ok := a.Automaton.Step(s.(automata.State), l)
	return next, ok
}

func (a *automaton) Answer(s State, call *history.Label) (history.Label, bool) {
	return a.Automaton.Answer(s.(automata.State), call)
}

func (a *automaton) Guesses() bool {
	for _, l := range a.Locations {
		for _, t := range l.Transitions {
			if slices.ContainsFunc(t.Load, func(x automata.Term) bool {
				return x.Kind == automata.Answer && (t.Rets[x.Index].Kind == automata.Fresh || t.Rets[x.Index].Kind == automata.Any)
			}) {
				return true
			}
		}
	}
	return false
}

func (a *automaton) ReadOnly(k history.Kind) bool {
	for _, c := range a.Counters {
		if slices.Contains(c.Reset, k) || slices.ContainsFunc(c.Adds, func(x automata.Add) bool { return x.Kind == k }) {
			return false
		}
	}
	for at, l := range a.Locations {
		for _, t := range l.Transitions {
			if t.Method != k.Method || t.Outcome != k.Outcome || t.Blocks {
				continue
			}
			if t.To != at {
				return false
			}
			for i, x := range t.Load {
				if x.Kind != automata.Register || x.Index != i {
					return false
				}
			}
		}
	}
	return true
}

func (a *automaton) Key(s State) string {
	at := s.(automata.State)
	b := strconv.AppendInt(make([]byte, 0, 64), int64(at.Location), 10)
	for _, v := range at.Registers {
		b = strconv.AppendQuote(append(b, ' '), string(v))
	}
	for i, n := range at.Counters {
		if c := &a.Counters[i]; !c.Keyed {
			b = strconv.AppendInt(append(b, ' '), int64(n), 10)
			continue
		}
		b = append(b, " ["...)
		for _, k := range slices.Sorted(maps.Keys(at.Keyed[i])) {
			if n := at.Keyed[i][k]; n != a.Counters[i].Start {
				b = strconv.AppendInt(append(strconv.AppendQuote(b, string(k)), ' '), int64(n), 10)
				b = append(b, ' ')
			}
		}
		b = append(b, ']')
	}
	return string(b)
}

// Text is "held, key = 3": the location, and what registers and counters hold.
func (a *automaton) Text(s State) string {
	at := s.(automata.State)
	l := &a.Locations[at.Location]
	var words []string
	if len(a.Locations) > 1 || len(a.Counters)+len(l.Registers) == 0 {
		words = append(words, l.Name)
	}
	for i, v := range at.Registers {
		words = append(words, fmt.Sprintf("%s = %s", l.Registers[i], v))
	}
	for i, c := range a.Counters {
		if !c.Keyed {
			words = append(words, fmt.Sprintf("%s = %d", c.Name, at.Counters[i]))
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(at.Keyed[i])) {
			words = append(words, fmt.Sprintf("%s of %s = %d", c.Name, k, at.Keyed[i][k]))
		}
	}
	return strings.Join(words, ", ")
}

// product is a product of machines as one.
type product struct {
	*theory.Product
	part Machine
}

// productState is the states of the parts that were used, and of all others.
type productState struct {
	parts map[history.Value]State
	rest  State
}

func (p *product) Start() State { return &productState{rest: p.part.Start()} }

// of is the state of the part of a key.
func (s *productState) of(key history.Value) State {
	if t, ok := s.parts[key]; ok {
		return t
	}
	return s.rest
}

func (p *product) Step(s State, l *history.Label) (State, bool) {
	at, k := s.(*productState), p.Of(l.Method)
	own, key, _ := k.Project(*l)
	switch k.Role {
	case theory.ByKey:
		next, ok := p.part.Step(at.of(key), &own)
		if !ok {
			return nil, false
		}
		parts := maps.Clone(at.parts)
		if parts == nil {
			parts = map[history.Value]State{}
		}
		parts[key] = next
		return &productState{parts, at.rest}, true
	case theory.SumOfAll:
		answer, ok := p.Answer(s, l)
		return s, ok && (l.Outcome == history.Pending || answer.Outcome == l.Outcome && slices.Equal(answer.Rets, l.Rets))
	}
	return p.all(at, l)
}

// all takes a step in all parts.
func (p *product) all(at *productState, l *history.Label) (State, bool) {
	rest, ok := p.part.Step(at.rest, l)
	next := &productState{make(map[history.Value]State, len(at.parts)), rest}
	for k, s := range at.parts {
		if ok {
			next.parts[k], ok = p.part.Step(s, l)
		}
	}
	if !ok {
		return nil, false
	}
	return next, true
}

func (p *product) Answer(s State, call *history.Label) (history.Label, bool) {
	at := s.(*productState)
	k := p.Of(call.Method)
	if k.Role == theory.ByKey {
		own, key, _ := k.Project(*call)
		answer, ok := p.part.Answer(at.of(key), &own)
		return k.Lift(answer, call.Args), ok
	}
	answer, ok := p.part.Answer(at.rest, call)
	if k.Role != theory.SumOfAll || !ok {
		return answer, ok
	}
	sum := int64(0)
	for _, t := range at.parts {
		a, ok := p.part.Answer(t, call)
		if !ok || len(a.Rets) != 1 || a.Outcome != answer.Outcome {
			return history.Label{}, false
		}
		n, err := strconv.ParseInt(string(a.Rets[0]), 10, 64)
		if err != nil {
			return history.Label{}, false
		}
		sum += n
	}
	answer.Rets = []history.Value{history.Value(strconv.FormatInt(sum, 10))}
	return answer, true
}

func (p *product) Guesses() bool { return p.part.Guesses() }

func (p *product) ReadOnly(k history.Kind) bool {
	return p.Of(k.Method).Role == theory.SumOfAll || p.part.ReadOnly(k)
}

func (p *product) Key(s State) string {
	at := s.(*productState)
	rest := p.part.Key(at.rest)
	var b strings.Builder
	b.WriteString(strconv.Quote(rest))
	for _, k := range slices.Sorted(maps.Keys(at.parts)) {
		if own := p.part.Key(at.parts[k]); own != rest {
			fmt.Fprintf(&b, " %q %q", k, own)
		}
	}
	return b.String()
}

// Text lists the keys whose parts are not as those of all others.
func (p *product) Text(s State) string {
	at := s.(*productState)
	rest, words := p.part.Key(at.rest), []string(nil)
	for _, k := range slices.Sorted(maps.Keys(at.parts)) {
		if p.part.Key(at.parts[k]) != rest {
			words = append(words, fmt.Sprintf("%s: %s", k, p.part.Text(at.parts[k])))
		}
	}
	return strings.Join(append(words, "all others: "+p.part.Text(at.rest)), "; ")
}

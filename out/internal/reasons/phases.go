package reasons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// automatonRows are the rows of an automaton, and in a few words its shape.
func automatonRows(a *automata.Automaton, methods []history.MethodSig, key *keyed) (rows []Row, shape string) {
	if len(a.Locations) == 1 {
		return methodRows(a, methods, -1, key)
	}
	if rows, shape = listRows(a, methods); rows != nil {
		return rows, shape
	}
	if rows, shape = cacheRows(a, methods); rows != nil && key == nil {
		return rows, shape
	}
	if rows, shape = limitRows(a, methods); rows != nil {
		return rows, shape
	}
	rows, shape = phaseRows(a, methods, key)
	if key != nil {
		shape = ""
	}
	return rows, shape
}

// A phase is locations in which an automaton answers alike.
type phase struct {
	locations []int
	entry     automata.State  // the first of its states that a run reaches
	path      []history.Label // to it
}

// phaseRows say what is answered when: a row for each phase.
func phaseRows(a *automata.Automaton, methods []history.MethodSig, key *keyed) (rows []Row, shape string) {
	s, w := newSearcher(a, methods), newWords(a, methods, -1)
	w.key = key
	ps := phasesOf(a, s)
	for i := range ps {
		p := &ps[i]
		w.held = nil
		for _, v := range p.entry.Registers {
			w.held = append(w.held, quoted(v))
		}
		when := "at first"
		if len(p.path) > 0 {
			when = "after " + w.callsText(p.path)
		}
		if ends := s.ends(p, w); len(ends) > 0 {
			when += ", until " + listed(ends, "or")
		}
		var says []string
		for j := range methods {
			if text := w.inPhase(&methods[j], p); text != "" {
				says = append(says, text)
			}
		}
		if len(says) == 0 {
			continue
		}
		row := Row{Says: when + ": " + strings.Join(says, "; ")}
		if e := s.telling(p, i == 0); e != nil {
			row.Example = steps(e.path.labels())
			if i > 0 && shape == "" && len(steps(p.path)) == 1 && (wording.IsError(string(e.label().Outcome)) || e.label().Outcome == history.False && (p.path[0].Outcome == history.None || p.path[0].Method == e.label().Method)) {
				shape = e.label().Method + " => " + string(e.label().Outcome) + " " + when
			}
		}
		rows = append(rows, row)
	}
	return rows, shape
}

func quoted(v history.Value) string {
	if v == "" {
		return `""`
	}
	return string(v)
}

// phasesOf puts locations together, in the order in which runs reach them.
func phasesOf(a *automata.Automaton, s *searcher) (ps []phase) {
	alike := map[string][]int{} // locations
	keys := make([]string, len(a.Locations))
	for i, l := range a.Locations {
		for _, t := range l.Transitions {
			keys[i] += fmt.Sprintf("%s %v %s %v %v\n", t.Method, t.Guard, t.Outcome, t.Rets, t.Blocks)
		}
		alike[keys[i]] = append(alike[keys[i]], i)
	}
	seen := map[string]bool{}
	enter := func(state automata.State, to *path) {
		if key := keys[state.Location]; !seen[key] {
			seen[key] = true
			ps = append(ps, phase{locations: alike[key], entry: state, path: to.labels()})
		}
	}
	enter(a.Start(), nil)
	for _, e := range s.edges {
		enter(e.to, e.path)
	}
	return ps
}

// inPhase says what a method answers in a phase; "" if there is nothing to say.
func (w *words) inPhase(m *history.MethodSig, p *phase) string {
	if w.key.sums(m.Name) {
		return ""
	}
	var ts []*automata.Transition
	all := w.a.Locations[p.entry.Location].Transitions
	for i := range all {
		if all[i].Method == m.Name {
			ts = append(ts, &all[i])
		}
	}
	refuses := slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome != history.None })
	var parts []string
	for _, t := range ts {
		answer := w.answer(t, parameters(m.Args))
		if answer == " succeeds" && !refuses {
			continue
		}
		parts = append(parts, w.asked(m, t)+answer)
	}
	if len(parts) > 1 {
		same := true
		for _, t := range ts {
			same = same && w.answer(t, parameters(m.Args)) == w.answer(ts[0], parameters(m.Args))
		}
		if same {
			parts = []string{w.call(m.Name, parameters(m.Args)) + w.answer(ts[0], parameters(m.Args))}
		}
	}
	return strings.Join(append(parts, w.idle(m, ts, p.entry.Location)...), ", ")
}

// idle are the calls with a value that the automaton names that change nothing, where others
// of the method do.
func (w *words) idle(m *history.MethodSig, ts []*automata.Transition, location int) (all []string) {
	stays := func(t *automata.Transition) bool {
		for i, x := range t.Load {
			if x.Kind != automata.Register || x.Index != i {
				return false
			}
		}
		return t.To == location
	}
	if !slices.ContainsFunc(ts, func(t *automata.Transition) bool { return !t.Blocks && !stays(t) }) {
		return nil
	}
	for _, t := range ts {
		named := slices.ContainsFunc(t.Guard, func(c automata.Condition) bool {
			return c.Op == automata.Equal && (c.Left.Kind == automata.Constant || c.Right.Kind == automata.Constant)
		})
		if named && stays(t) && !t.Blocks {
			all = append(all, w.asked(m, t)+" changes nothing")
		}
	}
	return all
}

// asked is the call of a transition: arguments that must equal something are that, and
// others are "others" where the method has one.
func (w *words) asked(m *history.MethodSig, t *automata.Transition) string {
	args := parameters(m.Args)
	var rest []string
	differs := false
	for _, c := range t.Guard {
		left, right := c.Left, c.Right
		if right.Kind == automata.Argument {
			left, right = right, left
		}
		switch {
		case c.Op == automata.Equal && left.Kind == automata.Argument && right.Kind != automata.Argument:
			args[left.Index] = w.term(right, args)
		case c.Op == automata.Differs && left.Kind == automata.Argument && right.Kind != automata.Argument && m.Args == 1:
			differs = true
		default:
			rest = append(rest, w.condition(c, args))
		}
	}
	if differs && args[0] == "x" {
		args[0] = "another"
	}
	text := w.call(m.Name, args)
	if len(rest) > 0 {
		text += " if " + strings.Join(rest, " and ")
	}
	return text
}

// callsText is "2 × tick", "acquire(a), tick".
func (w *words) callsText(labels []history.Label) string {
	var parts []string
	for _, s := range steps(labels) {
		var args []string
		for _, v := range w.shown(s.Label.Method, s.Label.Args) {
			args = append(args, quoted(v))
		}
		text := w.call(s.Label.Method, args)
		if s.Times > 1 {
			text = fmt.Sprintf("%d × %s", s.Times, text)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// mostEnds is how often a call is repeated to see whether it ends a phase.
const mostEnds = 20

// ends are the calls that lead from the first state of a phase to another one, or to other
// values, each alone, as often as need be.
func (s *searcher) ends(p *phase, w *words) (ends []string) {
	inside := func(state automata.State) bool {
		return slices.Contains(p.locations, state.Location) && (state.Location != p.entry.Location || slices.Equal(state.Registers, p.entry.Registers))
	}
	seen := map[string]bool{}
	for i := range s.calls {
		c := &s.calls[i]
		if seen[c.Method] {
			continue
		}
		at, before := p.entry, (*path)(nil)
		for range mostEnds {
			e, ok := s.step(at, c, before)
			if !ok {
				break
			}
			at, before = e.to, e.path
			if !inside(at) {
				ends, seen[c.Method] = append(ends, w.callsText(before.labels())), true
				break
			}
		}
	}
	if s.mixed(p, seen, inside) {
		ends = append(ends, "several other calls")
	}
	return ends
}

// mixed reports whether calls of different methods, of which none ends a phase alone, end it.
func (s *searcher) mixed(p *phase, alone map[string]bool, inside func(automata.State) bool) bool {
	queue, seen := []automata.State{p.entry}, map[string]bool{stateKey(p.entry): true}
	for n := 0; n < len(queue) && n < mostStates; n++ {
		for i := range s.calls {
			if alone[s.calls[i].Method] {
				continue
			}
			e, ok := s.step(queue[n], &s.calls[i], nil)
			switch k := stateKey(e.to); {
			case !ok || seen[k]:
			case !inside(e.to):
				return true
			default:
				seen[k] = true
				queue = append(queue, e.to)
			}
		}
	}
	return false
}

// telling is the shortest run that ends with an answer of a phase which the first phase
// does not give; of the first phase, with one that says something.
func (s *searcher) telling(p *phase, first bool) *edge {
	start := s.a.Start()
	telling := func(e *edge) bool {
		if stateKey(e.from) != stateKey(p.entry) || e.label().Outcome == history.None && first {
			return false
		}
		before, ok := s.a.Answer(start, e.label())
		return first || !ok || before.String() != e.label().String()
	}
	fresh := func(e *edge) bool { // it is called with values that are not those of the phase
		return !slices.ContainsFunc(e.label().Args, func(v history.Value) bool { return slices.Contains(p.entry.Registers, v) })
	}
	for _, own := range []bool{true, false} {
		for i := range s.edges {
			if e := &s.edges[i]; telling(e) && (!own || fresh(e)) {
				return e
			}
		}
	}
	for i := range s.edges {
		if e := &s.edges[i]; stateKey(e.from) == stateKey(p.entry) {
			return e
		}
	}
	return nil
}

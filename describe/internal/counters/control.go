package counters

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Controlled is a data type whose outcomes follow from counters; patterns may
// say which values are returned.
type Controlled struct {
	// Control is for the theory. Nil: patterns would have to say all on their own, or
	// could not be found.
	Control *theory.Control

	// Rest is the reference that patterns are to be inferred from: it has no methods
	// whose kinds are all hidden, and a call that would be answered by another
	// hidden kind waits for ever.
	Rest reference.Implementation

	Why string // one sentence: why Control is nil
}

// unseen is up to how many calls nothing may show that patterns are not told of, such
// as a capacity: about as many as the search for patterns looks at.
const unseen = 7

// Control makes of what Find found an automaton beside patterns. Executions without
// the hidden operations are those of Rest, as far as random words show.
func (f *Found) Control(ctx context.Context) (*Controlled, error) {
	switch {
	case f.Automaton == nil || f.Whole:
		return &Controlled{Why: f.Why}, nil
	}
	h := &hiding{finder: f.finder, automaton: f.Automaton}
	err := h.observers(ctx)
	if err == nil {
		err = h.refusals(ctx)
	}
	if err != nil {
		return nil, err
	}
	if len(h.hidden) == 0 && !h.waits() {
		return &Controlled{Why: "there is no operation that patterns could do without"}, nil
	}
	short, err := h.short(ctx)
	if err != nil || !short {
		return &Controlled{Why: "what would be hidden from patterns happens after a few calls"}, err
	}
	return &Controlled{Control: &theory.Control{Automaton: f.Automaton, Hidden: h.hidden}, Rest: h.rest()}, nil
}

// hiding finds out what can be hidden from patterns.
type hiding struct {
	*finder
	automaton *automata.Automaton
	hidden    []history.Kind
	without   []int // methods whose kinds are all hidden
}

// steps are the transitions of a method that do not wait.
func (h *hiding) steps(method int, visit func(t *automata.Transition)) {
	for i := range h.automaton.Locations[0].Transitions {
		if t := &h.automaton.Locations[0].Transitions[i]; t.Method == h.methods[method].Name && !t.Blocks {
			visit(t)
		}
	}
}

// kinds are those of a method.
func (h *hiding) kinds(method int) (kinds []history.Kind) {
	h.steps(method, func(t *automata.Transition) {
		if k := (history.Kind{Method: t.Method, Outcome: t.Outcome}); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	})
	return kinds
}

// determined reports whether the automaton says all that operations of a kind, or of
// all kinds if the outcome is empty, answer.
func (h *hiding) determined(method int, o history.Outcome) bool {
	is := true
	h.steps(method, func(t *automata.Transition) {
		if o == "" || o == t.Outcome {
			is = is && !slices.ContainsFunc(t.Rets, func(r automata.Term) bool { return r.Kind == automata.Any })
		}
	})
	return is
}

// waits reports whether a call with arguments may wait: there is a capacity.
func (h *hiding) waits() bool {
	return slices.ContainsFunc(h.automaton.Locations[0].Transitions, func(t automata.Transition) bool {
		return t.Blocks && slices.ContainsFunc(h.methods, func(m reference.Method) bool { return m.Name == t.Method && len(m.Params) > 0 })
	})
}

// observers hides as many methods as possible of those without arguments whose
// answers the automaton determines, and with them the kinds that there are only
// because of them.
func (h *hiding) observers(ctx context.Context) error {
	var all []int
	for m := range h.methods {
		if len(h.methods[m].Params) == 0 && h.determined(m, "") && !slices.ContainsFunc(h.automaton.Locations[0].Transitions,
			func(t automata.Transition) bool { return t.Method == h.methods[m].Name && t.Blocks }) {
			all = append(all, m)
		}
	}
	if len(all) > 8 {
		all = all[:8]
	}
	for left := 0; left <= len(all); left++ {
		for _, without := range subsets(all, len(all)-left) {
			hidden, err := h.goneWith(ctx, without)
			if err != nil {
				return err
			}
			fits, err := h.projects(ctx, hidden)
			if err != nil {
				return err
			}
			if fits {
				h.without, h.hidden = without, hidden
				return nil
			}
		}
	}
	return nil
}

// subsets are those of a size.
func subsets(all []int, n int) (sets [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for i := range all {
		for _, s := range subsets(all[i+1:], n-1) {
			sets = append(sets, append([]int{all[i]}, s...))
		}
	}
	return sets
}

// goneWith are the kinds of methods, and those that never come without them.
func (h *hiding) goneWith(ctx context.Context, without []int) (hidden []history.Kind, err error) {
	if len(without) == 0 {
		return nil, nil
	}
	asked, err := h.sample(ctx, 1, 200)
	if err != nil {
		return nil, err
	}
	for i := range asked {
		asked[i] = slices.DeleteFunc(asked[i], func(c teacher.Call) bool { return slices.Contains(without, c.Method) })
	}
	runs, err := h.ask(ctx, asked)
	seen := map[history.Kind]bool{}
	for _, r := range runs {
		for i := range r {
			seen[r[i].label.Kind] = true
		}
	}
	for m := range h.methods {
		for _, k := range h.kinds(m) {
			if slices.Contains(without, m) || !seen[k] && h.determined(m, k.Outcome) {
				hidden = append(hidden, k)
			}
		}
	}
	return hidden, err
}

// refusals hides the kinds of methods with arguments that return nothing and change
// nothing, such as being refused by what is full, if the method has others.
func (h *hiding) refusals(ctx context.Context) error {
	for m := range h.methods {
		kinds := h.kinds(m)
		if len(h.methods[m].Params) == 0 || len(kinds) < 2 {
			continue
		}
		for _, k := range kinds {
			if slices.Contains(h.hidden, k) || !h.determined(m, k.Outcome) || !h.refused(m, k.Outcome) {
				continue
			}
			hidden := append(slices.Clone(h.hidden), k)
			fits, err := h.projects(ctx, hidden)
			if err != nil {
				return err
			}
			if fits {
				h.hidden = hidden
			}
		}
	}
	return nil
}

// refused reports whether an outcome says that a call did nothing: it has no values
// and is not counted.
func (h *hiding) refused(method int, o history.Outcome) bool {
	nothing := true
	h.steps(method, func(t *automata.Transition) { nothing = nothing && (t.Outcome != o || len(t.Rets) == 0) })
	return nothing && !slices.ContainsFunc(h.automaton.Counters, func(c automata.Counter) bool {
		k := history.Kind{Method: h.methods[method].Name, Outcome: o}
		return slices.Contains(c.Reset, k) || slices.ContainsFunc(c.Adds, func(a automata.Add) bool { return a.Kind == k })
	})
}

// projects reports whether words without their hidden operations are answered as with
// them.
func (h *hiding) projects(ctx context.Context, hidden []history.Kind) (bool, error) {
	if len(hidden) == 0 {
		return true, nil
	}
	asked, err := h.sample(ctx, 2, 400)
	if err != nil {
		return false, err
	}
	with, err := h.ask(ctx, asked)
	if err != nil {
		return false, err
	}
	asked = nil
	var want []run
	for _, r := range with {
		r = slices.DeleteFunc(slices.Clone(r), func(e event) bool { return e.waits() || slices.Contains(hidden, e.label.Kind) })
		asked, want = append(asked, r.calls()), append(want, r)
	}
	answers, err := h.teacher.Ask(ctx, asked)
	if err != nil {
		return false, err
	}
	for i, a := range answers {
		if a.Blocks || !slices.EqualFunc(a.Labels, want[i], func(l history.Label, e event) bool {
			return l.Kind == e.label.Kind && slices.Equal(l.Rets, e.label.Rets)
		}) {
			return false, nil
		}
	}
	return true, nil
}

// short reports whether a few calls of Rest show nothing that is hidden, nor that
// calls with arguments wait, with values as the search for patterns has them.
func (h *hiding) short(ctx context.Context) (bool, error) {
	var asked [][]teacher.Call
	for i := range uint64(400) {
		g := teacher.NewGenerator(h.methods, 1<<50+i)
		w := g.Random(unseen)
		if i%2 == 0 {
			w = g.Powers(g.IntN(len(h.methods)), unseen, false)[:unseen]
		}
		asked = append(asked, slices.DeleteFunc(teacher.Texts{Methods: h.methods}.Of(w), func(c teacher.Call) bool { return slices.Contains(h.without, c.Method) }))
	}
	runs, err := h.ask(ctx, asked)
	return err == nil && !slices.ContainsFunc(runs, func(r run) bool {
		return slices.ContainsFunc(r, func(e event) bool {
			return slices.Contains(h.hidden, e.label.Kind) || e.waits() && len(e.label.Args) > 0
		})
	}), err
}

// rest is the reference without what is hidden.
func (h *hiding) rest() reference.Implementation {
	r := &rest{Implementation: h.impl, hidden: h.hidden}
	for i, m := range h.methods {
		if slices.Contains(h.without, i) {
			continue
		}
		m.Outcomes = slices.DeleteFunc(slices.Clone(m.Outcomes), func(o reference.OutcomeArity) bool {
			return slices.Contains(h.hidden, history.Kind{Method: m.Name, Outcome: o.Outcome})
		})
		r.methods, r.of = append(r.methods, m), append(r.of, i)
	}
	return r
}

// rest is a reference without some kinds of operations.
type rest struct {
	reference.Implementation
	methods []reference.Method
	of      []int // methods of the reference
	hidden  []history.Kind
}

func (r *rest) Methods() []reference.Method { return r.methods }

// Close leaves the reference to who has it.
func (r *rest) Close() error { return nil }

// Replay has a call wait that the reference answers by a hidden kind.
func (r *rest) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	whole := make([][]reference.Call, len(seqs))
	for i, seq := range seqs {
		for _, c := range seq {
			c.Method = r.of[c.Method]
			whole[i] = append(whole[i], c)
		}
	}
	answers, err := r.Implementation.Replay(ctx, whole)
	if err != nil {
		return nil, err
	}
	for i, as := range answers {
		for j, a := range as {
			if !a.Blocked && slices.Contains(r.hidden, history.Kind{Method: r.methods[seqs[i][j].Method].Name, Outcome: a.Outcome}) {
				answers[i] = append(as[:j:j], reference.Answer{Blocked: true})
				break
			}
		}
	}
	return answers, nil
}

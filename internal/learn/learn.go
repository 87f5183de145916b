// Package learn finds the register automaton of a reference implementation by asking
// it ("Learning nominal automata", Moerman et al., POPL 2017; "Active learning for
// extended finite state machines", Cassel et al.).
//
//	found, err := learn.Learn(ctx, impl, learn.Options{})
//	fmt.Print(found.Automaton) // nil: found.Why says why
package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/conform"
	"github.com/adtinfer/adtinfer/internal/teacher"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options bound the search.
type Options struct {
	Locations int          // most; default 40
	Words     int          // random sequences that are compared with an automaton; default as package conform's
	Progress  func(string) // hears what is being done
}

// Found is what Learn found.
type Found struct {
	Automaton *automata.Automaton // minimal, with canonical names; nil: there is none within the bounds
	Extent    *theory.Extent      // how far automaton and reference were compared
	Growth    []int               // locations known, round by round
	Why       string              // one sentence: why there is no automaton
	Queries   int                 // sequences asked
}

// Bounds of the search.
const (
	mostRounds   = 200
	mostInitial  = 6      // values known at the start, of a sort
	mostCompared = 10     // registers of a location with which arguments are compared
	mostRows     = 40_000 // entries that are asked for
)

// Learn learns a register automaton.
func Learn(ctx context.Context, impl reference.Implementation, o Options) (*Found, error) {
	o.Locations = cmp.Or(o.Locations, 40)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	found := &Found{}
	table, err := newLearner(ctx, impl, true)
	if err == nil {
		defer func() { found.Queries = table.t.Asked }()
		found.Automaton, err = table.learn(ctx, o, found)
	}
	var u *unlike
	if errors.As(err, &u) {
		found.Automaton, found.Extent, found.Why, err = nil, nil, u.why, nil
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// newLearner makes the table of a reference. If moved is false all arguments
// count as compared.
func newLearner(ctx context.Context, impl reference.Implementation, moved bool) (*table, error) {
	a, err := newAlphabet(teacher.New(impl))
	if err != nil {
		return nil, err
	}
	t := &table{alphabet: a, impl: impl}
	if moved {
		if err := t.findMoved(ctx); err != nil {
			return nil, err
		}
	}
	t.restart()
	return t, nil
}

// restart begins again with what is known of parameters and values.
func (t *table) restart() {
	for s, of := range t.sorts {
		if of.has && t.isCompared(s) {
			t.atStart(s, history.Value(of.zero))
		}
	}
	t.shapes, t.known = nil, map[string]bool{}
	for _, s := range t.single() {
		t.add(s)
	}
	t.clear()
}

// atStart adds a value that is known at the start.
func (t *table) atStart(s int, v history.Value) {
	if !slices.Contains(t.initial, v) {
		t.initial, t.sorts0 = append(t.initial, v), append(t.sorts0, s)
	}
}

// learn goes round and round until automaton and reference agree.
func (t *table) learn(ctx context.Context, o Options, found *Found) (*automata.Automaton, error) {
	rounds := 0
	for range mostRounds {
		if rounds++; rounds >= 4 {
			t.powers(2 * found.Growth[len(found.Growth)-1])
		}
		var f findings
		h, err := t.close(ctx, o.Locations, &f)
		if errors.Is(err, errTooMany) {
			found.Growth = append(found.Growth, len(h.locations))
			return nil, &unlike{fmt.Sprintf("not finite: %s locations after rounds, and %d sequences do not tell them all apart", growth(found.Growth), t.t.Asked)}
		}
		if err != nil {
			return nil, err
		}
		if n := h.compared(); n > mostCompared {
			return nil, &unlike{fmt.Sprintf("not finite: after %d calls, arguments are compared with %d values", len(h.locations[len(h.locations)-1].node.steps), n)}
		}
		if f.foreign != nil {
			if err := t.meet(f.foreign); err != nil {
				return nil, err
			}
			rounds, found.Growth = 0, nil
			continue
		}
		found.Growth = append(found.Growth, len(h.locations))
		o.Progress(fmt.Sprintf("%d locations after %d rounds and %d sequences", len(h.locations), rounds, t.t.Asked))
		if len(h.locations) > o.Locations {
			return nil, &unlike{fmt.Sprintf("not finite: %s locations after rounds", growth(found.Growth))}
		}
		progress := false
		for _, s := range f.shapes {
			progress = t.add(s) || progress
		}
		if progress {
			continue
		}
		a := t.automaton(h)
		d, err := t.compare(ctx, o, a, found)
		if err != nil {
			return nil, err
		}
		if d == nil {
			return a, never(a)
		}
		w, err := t.word(d)
		if err != nil {
			return nil, err
		}
		again, err := t.notMoved(ctx, w)
		if err != nil {
			return nil, err
		}
		if again {
			t.restart()
			rounds, found.Growth = 0, nil
			continue
		}
		u, _ := t.unique(w)
		if err := t.refine(ctx, h, u); err != nil {
			return nil, err
		}
	}
	return nil, &unlike{fmt.Sprintf("not finite: %s locations after rounds", growth(found.Growth))}
}

// compare compares words first, which finds most differences soon, and then all states.
func (t *table) compare(ctx context.Context, o Options, a *automata.Automaton, found *Found) (*conform.Difference, error) {
	words, d, err := conform.Compare(ctx, t.impl, a, conform.Options{Words: o.Words})
	if d != nil || err != nil {
		return d, err
	}
	all, d, err := conform.Compare(ctx, t.impl, a, conform.Options{Words: 1, Closed: true})
	if d != nil || err != nil {
		return d, err
	}
	all.Words, all.Calls, all.Longest = words.Words+all.Words, words.Calls+all.Calls, max(words.Longest, all.Longest)
	found.Extent = all
	return nil, nil
}

// word is a difference, up to the first answer that the automaton does not give.
func (t *table) word(d *conform.Difference) ([]step, error) {
	calls := make([]teacher.Call, d.At+1)
	for i := range calls {
		calls[i] = teacher.Call{Method: d.Calls[i].Method, Args: d.Calls[i].Values}
	}
	return t.steps(calls)
}

// never refuses an automaton in which a method that can succeed never does: what it
// has to be called with was not found.
func never(a *automata.Automaton) error {
	for _, m := range a.Methods {
		for _, o := range m.Outcomes {
			if o.Outcome != history.Some && o.Outcome != history.True {
				continue
			}
			if !slices.ContainsFunc(a.Locations, func(l automata.Location) bool {
				return slices.ContainsFunc(l.Transitions, func(t automata.Transition) bool {
					return t.Method == m.Name && !t.Blocks && t.Outcome == o.Outcome
				})
			}) {
				return &unlike{fmt.Sprintf("no call was found for which %s has outcome %s", m.Name, o.Outcome)}
			}
		}
	}
	return nil
}

// meet adds a value that nobody passed in to those that are known at the start.
func (t *table) meet(f *foreign) error {
	n := 0
	for _, s := range t.sorts0 {
		if s == f.sort {
			n++
		}
	}
	if n >= mostInitial {
		return &unlike{fmt.Sprintf("it answers values that nobody passed in: %s", join(t.initial))}
	}
	t.atStart(f.sort, f.value)
	t.clear()
	return nil
}

// powers adds shapes of the same call again and again, for those without compared
// arguments.
func (t *table) powers(times int) {
	for l := range t.letters {
		if slices.ContainsFunc(indices(len(t.letters[l].free)), func(p int) bool { return t.compared(l, p) }) {
			continue
		}
		t.add(t.shapeOf(slices.Repeat([]step{{l, t.letters[l].fixed}}, times)))
	}
}

// growth are the first numbers of a curve, and the last.
func growth(all []int) string {
	var b strings.Builder
	for i, n := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == 7 && len(all) > 9 {
			fmt.Fprintf(&b, "..., %d", all[len(all)-1])
			break
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}

func join(values []history.Value) string {
	var all []string
	for _, v := range values {
		all = append(all, fmt.Sprintf("%q", v))
	}
	return strings.Join(all, ", ")
}

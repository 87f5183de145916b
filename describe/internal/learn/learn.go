package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options bound the search.
type Options struct {
	Locations int          // most; default 40, and 140 if they hold few values, such as one that expires
	Words     int          // random sequences that are compared with an automaton; default as package conform's
	Quick     bool         // words are compared, and not all states: who asks compares more
	Progress  func(string) // hears what is being done
}

// Found is what Learn found.
//
// Where the reference makes values up, such as tokens, the Automaton answers
// automata.Fresh. A formula for them, such as 1 + #acquire, can take its place.
type Found struct {
	Automaton *automata.Automaton // minimal, with canonical names; nil: there is none within the bounds
	Extent    *theory.Extent      // how far automaton and reference were compared
	Growth    []int               // locations known, round by round
	Why       string              // one sentence: why there is no automaton
	Queries   int                 // sequences asked
	Told      [][]history.Label   // sequences that told automata from the reference, from which it learned
}

// Bounds of the search.
const (
	mostRounds   = 200
	mostHeld     = 3      // registers of an automaton with more than 40 locations
	mostTurns    = 4      // calls that are tried in turn,
	turns        = 130    // so often
	mostInitial  = 4      // values known at the start, of a sort
	mostCompared = 10     // registers of a location with which arguments are compared
	mostRows     = 40_000 // entries that are asked for
)

// Learn learns a register automaton.
func Learn(ctx context.Context, impl reference.Implementation, o Options) (*Found, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if _, ok := impl.(reference.Acceptor); ok {
		return &Found{Why: "a nondeterministic reference cannot be asked for an automaton"}, nil
	}
	found, makesUp, err := learnAs(ctx, impl, o, false)
	if err != nil || !makesUp {
		return found, err
	}
	o.Progress("once more, with values that it makes up as words that nobody passes in")
	other, _, err := learnAs(ctx, impl, o, true)
	if err != nil {
		return nil, err
	}
	other.Queries += found.Queries
	if other.Automaton == nil || found.Automaton != nil && len(found.Automaton.Locations) <= len(other.Automaton.Locations) {
		found.Queries = other.Queries
		return found, nil
	}
	return other, nil
}

// learnAs is Learn. Values that the reference makes up are words, or known at the start;
// makesUp reports whether that may matter.
func learnAs(ctx context.Context, impl reference.Implementation, o Options, asWords bool) (found *Found, makesUp bool, err error) {
	found = &Found{}
	table, err := newLearner(ctx, impl, true)
	if err == nil {
		defer func() { found.Queries = table.t.Asked }()
		table.asWords = asWords
		found.Automaton, err = table.learn(ctx, o, found)
		makesUp = table.makesUp && (found.Automaton == nil || len(table.generates) == 0)
	}
	var u *unlike
	if errors.As(err, &u) {
		found.Automaton, found.Extent, found.Why, err = nil, nil, u.why, nil
	}
	return found, makesUp, err
}

// newLearner makes the table of a reference. If moved is false all arguments
// count as compared.
func newLearner(ctx context.Context, impl reference.Implementation, moved bool) (*table, error) {
	a, err := newAlphabet(teacher.New(impl))
	if err != nil {
		return nil, err
	}
	t := &table{alphabet: a, impl: impl, again: teacher.New(impl), generates: map[position]bool{}}
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
			t.powers(found.Growth)
		}
		var f findings
		h, err := t.close(ctx, o.most, &f)
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
		if len(h.locations) > o.most(h) {
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
			if err := never(a); err != nil {
				return nil, err
			}
			return t.elsewhere(ctx, o, a, found)
		}
		if found.Told = append(found.Told, d.Labels); d.At == len(d.Labels) {
			found.Told = found.Told[:len(found.Told)-1] // its last call waits
		}
		anew, err := t.learnFrom(ctx, h, a, d)
		if err != nil {
			return nil, err
		}
		if anew {
			rounds, found.Growth = 0, nil
		}
	}
	return nil, &unlike{fmt.Sprintf("not finite: %s locations after rounds", growth(found.Growth))}
}

// learnFrom learns a shape from a difference, or something of parameters and values with
// which it begins anew.
func (t *table) learnFrom(ctx context.Context, h *hypothesis, a *automata.Automaton, d *Difference) (anew bool, err error) {
	w, err := t.word(ctx, d)
	if err != nil {
		return false, err
	}
	if other, passed := t.withoutWords(w); len(passed) > 0 {
		at, err := t.differs(ctx, a, other)
		if err != nil {
			return false, err
		}
		if at < 0 {
			t.passesIn(passed)
			return true, nil
		}
		w = other[:at+1]
	}
	if anew, err = t.notMoved(ctx, w); err != nil {
		return false, err
	}
	if anew {
		t.restart()
		return true, nil
	}
	u, _ := t.unique(w)
	return false, t.refine(ctx, h, u)
}

// most is how many locations there may be.
func (o *Options) most(h *hypothesis) int {
	if o.Locations > 0 {
		return o.Locations
	}
	held := 0
	for _, l := range h.locations {
		held = max(held, len(l.node.memory))
	}
	if 0 < held && held <= mostHeld {
		return 140
	}
	return 40
}

// compare compares words first, which finds most differences soon, and then all states.
func (t *table) compare(ctx context.Context, o Options, a *automata.Automaton, found *Found) (*Difference, error) {
	words, d, err := Compare(ctx, t.impl, a, Comparison{Words: o.Words, Teacher: t.again})
	if d != nil || err != nil {
		return d, err
	}
	if len(t.generates) > 0 {
		words.Why = "values that the reference makes up are only known to be new"
		found.Extent = words
		return nil, nil
	}
	if o.Quick {
		found.Extent = words
		return nil, nil
	}
	all, d, err := Compare(ctx, t.impl, a, Comparison{Words: -1, Closed: true})
	if d != nil || err != nil {
		return d, err
	}
	all.Words, all.Calls, all.Longest = words.Words, words.Calls, words.Longest
	found.Extent = all
	return nil, nil
}

// word is a difference, up to the first answer that the automaton does not give.
func (t *table) word(ctx context.Context, d *Difference) ([]step, error) {
	calls := make([]teacher.Call, d.At+1)
	for i := range calls {
		calls[i] = teacher.Call{Method: d.Calls[i].Method, Args: d.Calls[i].Values}
	}
	return t.fromCalls(ctx, calls)
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

// powers adds shapes of the same call again and again, for those without compared
// arguments: twice as often as there are locations. Where locations come one by one,
// it adds two calls in turn, too, such as one that waits and one that looks.
func (t *table) powers(growth []int) {
	last := growth[len(growth)-1]
	var plain []int
	for l := range t.letters {
		if !slices.ContainsFunc(indices(len(t.letters[l].free)), func(p int) bool { return t.compared(l, p) }) {
			plain = append(plain, l)
		}
	}
	repeat := func(times int, letters ...int) {
		var w []step
		for _, l := range letters {
			w = append(w, step{l, t.letters[l].fixed})
		}
		t.add(t.shapeOf(slices.Repeat(w, times), 0))
	}
	n := len(growth)
	slow := n >= 5 && last <= growth[n-3]+2 && len(plain) <= mostTurns
	for _, a := range plain {
		repeat(2*last, a)
		for _, b := range plain {
			if slow && a != b {
				repeat(turns, a, b)
			}
		}
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

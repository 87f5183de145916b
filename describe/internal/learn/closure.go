package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of a closure.
const (
	mostValueRounds = 4       // with values that came up in the one before
	mostStates      = 20_000  // of reference and automaton together
	mostCounted     = 2_000   // if the automaton has counters
	mostKeys        = 48      // for which such an automaton counts: each is a call more, in each state
	mostStateSteps  = 1_000   // from the start, and ten for each location: beyond that states grow
	mostCalls       = 3_000   // in a state
	mostPairs       = 4_096   // of states and calls at a time
	mostCopies      = 64      // states that are reached again with other values
	mostItems       = 1 << 24 // of all objects looked at
	mostMade        = 32      // values that the reference makes up
	atOnce          = 1 << 14 // of objects at a time
)

// closure explores the states that a reference and an automaton have together, and reports how many there are, up
// to renaming of values: "all 329 states of reference and automaton were compared". The claim:
//
// If all states were compared without a difference, the automaton answers every sequence of calls, of any length,
// as the reference does,
//
// given two things that tests can refute and not prove:
//
//   - (E) the reference only compares values for equality: renaming the values of a sequence of calls renames
//     those in the answers and in the objects, and changes nothing else. A renaming is a permutation of values
//     that leaves alone the values which the automaton names, those which the reference makes up and answers with,
//     and values of types that have few (a bool).
//   - (T) objects of equal texts answer alike; the trials and audits of docs/engines.md are about that.
//
// Proof. A pair is a state of the reference with one of the automaton, which has its location, registers and
// counters. A renaming π turns a pair p into πp, and by (E), and because automata compare values for equality, a
// call c leads from p to q with answer a iff πc leads from πp to πq with answer πa. The exploration keeps a set R
// of pairs. Two pairs are one member of R if their keys are equal: texts in which values have names by first
// appearance. From equal keys a renaming can be read that turns one pair into the other: the k-th value of one
// becomes the k-th of the other. So R has a pair for each pair met, up to renaming.
//
// By induction on its length, a sequence leads both to a pair πr with r in R, and they answered alike. Let c be
// the next call, and c' = π⁻¹c. Each argument of c' is a value that occurs in r, one that renamings leave alone,
// or neither; those of the last sort can be renamed, leaving r as it is, to the new values that were tried in r:
// the first new one, and for a further argument the same or the next. So c' was tried in r up to a renaming σ with
// σr = r. It led to a pair of which R has one up to renaming, and the answers were alike; by (E) they are for c in
// πr. ∎
//
// What "occurs" means is where care is needed. The values in registers are known. The objects are written as items
// (states.Form): integers, strings and bytes that have the text of a value are that value, everything else stands
// as it is, and so do lengths, indices and what is shared. New values are new on the whole way to a state. A
// reference that keeps values in another form (put together, hashed) therefore has states without end, and is not
// called closed; besides, up to 64 states are reached again with other values, and their keys must be the same.
//
// Entries of maps have no order. Those whose keys have names come first in their order, the others in the order of
// what else there is to them. Where that leaves a choice, one state may have two keys, and is explored twice; two
// states never have one.
//
// Not closed, with the reason in status.why: states that grow, objects that cannot be written, parameters whose
// values are of several sorts (floats, structs with a bool), and more than 20,000 states, or states that take more
// than 1,000 calls and ten for each location to reach. Whether closed or not, random words are compared, with zero
// values and answers as arguments: they would refute (E).
//
// Equality tries (E) on 600 random sequences under four random renamings each; what fails it is not called closed.
// TestCompare, TestWhy, TestSpecialValues, TestClosures and TestForms are the tests.
type closure struct {
	*comparison
	*atoms
	space states.Space
	all   []together
	known map[string]int
	extra []int // by state, values that only the reference holds
	size  int   // items of the largest object so far
	items int   // of all objects looked at

	made map[string][]history.Value // by Go type, values that the reference answered with and nobody passed in
	seen map[string]bool            // these, behind their types
}

// together is a state of both.
type together struct {
	object int32
	s      automata.State
	from   int // the state it was first reached from; -1: none
	steps  int // from the start
	call   teacher.Call
	live   []atom
	used   [2]int // by class, the last atom that occurs on the way there
}

// errOpen says why there is no closure.
type errOpen struct{ why string }

func (e *errOpen) Error() string { return e.why }

func open(format string, args ...any) error { return &errOpen{fmt.Sprintf(format, args...)} }

// closed explores all states. It returns a difference, if there is one; otherwise
// extent says how many states there are, or why they are not all.
func (c *comparison) closed(ctx context.Context) (*difference, error) {
	d, err := c.close(ctx)
	var o *errOpen
	if errors.As(err, &o) {
		c.extent.Why = o.why
		return nil, nil
	}
	return d, err
}

func (c *comparison) close(ctx context.Context) (*difference, error) {
	if computes(c.a) {
		return nil, open("answers depend on the integers that arguments are, of which a few say nothing about the others")
	}
	keeper, ok := c.impl.(states.Keeper)
	if !ok {
		return nil, open("the reference's states cannot be kept")
	}
	a, err := newAtoms(c.methods)
	if err != nil {
		return nil, open("%v", err)
	}
	space, err := keeper.States(ctx)
	if err != nil {
		return nil, refused(ctx, err)
	}
	defer space.Close()
	if k := space.Kept(); !k.Interned {
		return nil, open("the reference's states cannot be compared: %s", strings.Join(k.Why, "; "))
	}
	x := &closure{comparison: c, atoms: a, space: space, made: map[string][]history.Value{}, seen: map[string]bool{}, size: atOnce / 256}
	for range mostValueRounds {
		made := len(x.seen)
		if d, err := x.explore(ctx); d != nil || err != nil {
			return d, err
		}
		if len(x.seen) == made {
			if err := x.again(ctx); err != nil {
				return nil, err
			}
			if ok, why, err := Equality(ctx, c.impl); err != nil || !ok {
				return nil, cmp.Or(refused(ctx, err), open("%s", why))
			}
			c.extent.States = len(x.all)
			return nil, nil
		}
	}
	return nil, open("the reference makes up one value after another")
}

// explore finds all states.
func (x *closure) explore(ctx context.Context) (*difference, error) {
	x.all, x.extra, x.known = nil, nil, map[string]int{}
	start := together{from: -1, s: x.a.Start(), used: [2]int{firstAtom - 1, firstAtom - 1}}
	if err := x.arrive(ctx, []together{start}); err != nil {
		return nil, err
	}
	for from := 0; from < len(x.all); {
		to, d, err := x.step(ctx, from)
		if d != nil || err != nil {
			return d, err
		}
		if from = to; x.endless() {
			if err := x.again(ctx); err != nil {
				return nil, err
			}
			return nil, open("%s", x.grows())
		}
	}
	return nil, nil
}

// endless reports whether there are more states than are looked at.
func (x *closure) endless() bool {
	n := len(x.all)
	return n > mostStates || len(x.a.Counters) > 0 && (n > mostCounted || len(x.all[n-1].live) > mostKeys) || x.all[n-1].steps > mostStateSteps+10*len(x.a.Locations)
}

// refused is an error of the reference as the reason why there is no closure, unless
// the context ended.
func refused(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return open("%v", err)
}

// arrive adds states that are new.
func (x *closure) arrive(ctx context.Context, all []together) error {
	forms := map[int32]*states.Form{}
	for i := range all {
		if forms[all[i].object] == nil {
			if err := x.fetch(ctx, all[i:], forms); err != nil {
				return err
			}
		}
		key, live, extra := x.key(forms[all[i].object], &all[i].s)
		if _, known := x.known[key]; known {
			continue
		}
		x.known[key] = len(x.all)
		all[i].live = live
		x.all, x.extra = append(x.all, all[i]), append(x.extra, extra)
	}
	return nil
}

// fetch gets the forms of the next objects, fewer at a time the larger they are.
func (x *closure) fetch(ctx context.Context, all []together, forms map[int32]*states.Form) error {
	clear(forms)
	var next []int32
	for i := 0; i < len(all) && len(next) < max(1, atOnce/x.size); i++ {
		if n := all[i].object; !slices.Contains(next, n) {
			next = append(next, n)
		}
	}
	got, err := x.space.Forms(ctx, next)
	if err != nil {
		return refused(ctx, err)
	}
	for i := range got {
		size := len(got[i].Items)
		for _, part := range got[i].Parts {
			size += len(part)
		}
		x.size, x.items = max(x.size, size), x.items+size
		forms[next[i]] = &got[i]
	}
	if x.items > mostItems {
		return open("the reference's objects are too large to compare all states")
	}
	return nil
}

// key is the text of a state of both, in which values have names by first
// appearance, the automaton's first; with the values, and how many of them only
// the reference holds.
func (x *closure) key(f *states.Form, s *automata.State) (key string, live []atom, extra int) {
	n := x.naming()
	fmt.Fprintf(&n.b, "%d:", s.Location)
	for _, v := range s.Registers {
		n.value(v)
	}
	for i, k := range s.Counters {
		if x.a.Counters[i].Keyed {
			var entries [][2][]states.Item
			for v, k := range s.Keyed[i].All() {
				entries = append(entries, [2][]states.Item{{n.itemOf(v)}, {{Kind: states.Number, Number: int(k)}}})
			}
			slices.SortFunc(entries, func(a, b [2][]states.Item) int { return strings.Compare(a[0][0].Text, b[0][0].Text) })
			n.b.WriteString(n.entries(entries, true))
			continue
		}
		fmt.Fprintf(&n.b, "%d,", k)
	}
	held := len(n.order)
	n.form(f)
	return n.b.String(), n.order, len(n.order) - held
}

// itemOf is a value as an item.
func (n *naming) itemOf(v history.Value) states.Item {
	if _, ok := n.texts["i"+string(v)]; ok {
		return states.Item{Kind: states.Integer, Text: string(v)}
	}
	return states.Item{Kind: states.Text, Text: string(v)}
}

// step makes the calls of some states, from number from on.
func (x *closure) step(ctx context.Context, from int) (to int, d *difference, err error) {
	type move struct {
		of   int
		call teacher.Call
		pair states.Pair
		used [2]int
	}
	if len(x.seen) > mostMade {
		return 0, nil, open("the reference makes up one value after another")
	}
	var moves []move
	for to = from; to < len(x.all) && len(moves) < mostPairs; to++ {
		at := &x.all[to]
		calls, used := x.calls(at)
		if len(calls) > mostCalls {
			return 0, nil, open("its methods have too many arguments to try all calls")
		}
		for i, call := range calls {
			n, err := x.space.Call(pending(x.methods(), call))
			if err != nil {
				return 0, nil, refused(ctx, err)
			}
			moves = append(moves, move{to, call, states.Pair{State: at.object, Call: n}, used[i]})
		}
	}
	pairs := make([]states.Pair, len(moves))
	for i, m := range moves {
		pairs[i] = m.pair
	}
	if err := x.space.Walk(ctx, pairs); err != nil {
		return 0, nil, refused(ctx, err)
	}
	var reached []together
	for _, m := range moves {
		at := &x.all[m.of]
		object, n, err := x.space.Step(ctx, m.pair.State, m.pair.Call, nil)
		if err != nil {
			return 0, nil, refused(ctx, err)
		}
		answer := x.space.Answer(n)
		l := pending(x.methods(), m.call)
		if answer.Blocked {
			if _, ok := x.a.Step(at.s, l); ok {
				return 0, x.difference(m.of, m.call), nil
			}
			continue
		}
		l.Outcome, l.Rets = answer.Outcome, answer.Rets
		x.note(m.call.Method, l.Rets)
		s, ok := x.a.Step(at.s, l)
		if !ok {
			return 0, x.difference(m.of, m.call), nil
		}
		reached = append(reached, together{object: object, s: s, from: m.of, steps: at.steps + 1, call: m.call, used: m.used})
	}
	return to, nil, x.arrive(ctx, reached)
}

func (x *closure) methods() []reference.Method { return x.comparison.methods }

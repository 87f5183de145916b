package check

import (
	"context"
	"errors"
	"hash/maphash"
	"sort"

	"github.com/adtinfer/adtinfer/check/clauses"
	"github.com/adtinfer/adtinfer/history"
)

// leaves counts the events after which an execution is outside the theory's
// language, whatever happens next: those of its shortest prefix that is refused.
// The error says why that is; there is none if the theory speaks of the execution.
func (c *compiled) leaves(ctx context.Context, e *history.Execution) (n int, err error) {
	rules, err := c.patterns()
	if err != nil {
		n = sort.Search(e.Events, func(n int) bool { return c.refuses(ctx, e.Prefix(n+1)) != nil }) + 1
		return n, c.refuses(ctx, e.Prefix(n))
	}
	events, err := eventsOf(e)
	if err != nil {
		return 0, err
	}
	l := newLanguage(rules, func(*history.Operation) bool { return true })
	for n, i := range events {
		o := history.Operation{}
		switch {
		case i == noEvent:
			continue
		case i >= 0:
			o = e.Ops[i]
			o.Return, o.Outcome, o.Rets = history.NoReturn, history.Pending, nil
		default:
			o = e.Ops[^i]
		}
		if l.event(&o) != nil {
			return n + 1, c.refuses(ctx, e.Prefix(n+1))
		}
	}
	return 0, nil
}

// refuses says why an execution is outside the theory's language.
func (c *compiled) refuses(ctx context.Context, e *history.Execution) (err error) {
	if rules, bad := c.patterns(); bad == nil {
		err = saturateError(rules.Validate(e), e)
	} else {
		_, err = newInstance(ctx, c, e)
	}
	if errors.As(err, new(*OutsideLanguage)) {
		return err
	}
	return nil
}

// language follows an execution, and notices when it leaves the theory's language.
// It keeps the values that must not be used again.
type language struct {
	rules *clauses.Rules
	used  []keySet // by rule
	holds func(o *history.Operation) bool
	again map[string]bool // running operations, by identifier: they may break a rule
}

// newLanguage begins to follow an execution. Holds reports whether who asks about
// running operations knows of the earlier ones with the same values; he then sees
// for himself what another one may do.
func newLanguage(rules *clauses.Rules, holds func(o *history.Operation) bool) *language {
	return &language{rules: rules, used: make([]keySet, len(rules.Uniques)), holds: holds, again: map[string]bool{}}
}

// event takes an operation that is called or, if it is completed, returns. The
// error is an *OutsideLanguage, or about a label.
func (l *language) event(o *history.Operation) error {
	m, bad := l.rules.Method(o.Method, o.Args)
	if bad != nil {
		return bad
	}
	if !o.Completed() {
		if l.mayBreak(m, o.Args) && !l.holds(o) {
			l.again[o.ID] = true
		}
		return l.use(m.Uniques, o)
	}
	k, bad := l.rules.Kind(m, o.Outcome, o.Rets)
	if bad != nil {
		return bad
	}
	if len(l.again) > 0 {
		delete(l.again, o.ID)
	}
	return l.use(k.Uniques, o)
}

func (l *language) use(rules []int, o *history.Operation) error {
	for _, u := range rules {
		if !l.used[u].add(clauses.KeyOf(l.rules.Uniques[u].Key, o.Args, o.Rets)) {
			return &OutsideLanguage{Rule: l.rules.Uniques[u].Rule, A: o}
		}
	}
	return nil
}

// mayBreak reports whether a call may return so that the language is left.
func (l *language) mayBreak(m *clauses.Method, args []history.Value) bool {
	for _, k := range m.Kinds {
		for _, n := range l.rules.Kinds[k].Uniques {
			if l.used[n].has(clauses.KeyOf(l.rules.Uniques[n].Key, args, nil)) { // by arguments alone: see clauses
				return true
			}
		}
	}
	return false
}

// open reports whether some operation that runs may return so that the language is
// left, and nothing is certain.
func (l *language) open() bool { return len(l.again) > 0 }

// keySet is a set of texts. Whole numbers that lie close together take a few bits
// each; of others there is a hash, of 64 bits.
type keySet struct {
	words  map[uint64]uint64
	at     uint64 // the word that was used last
	bits   uint64
	hashes map[uint64]struct{}
}

var keySeed = maphash.MakeSeed()

// add reports whether the key is new, and remembers it.
func (s *keySet) add(key string) bool {
	if s.words == nil {
		s.words, s.hashes = map[uint64]uint64{}, map[uint64]struct{}{}
	}
	n, ok := numeral(key)
	if !ok {
		h, before := maphash.String(keySeed, key), len(s.hashes)
		s.hashes[h] = struct{}{}
		return len(s.hashes) > before
	}
	if n>>6 != s.at {
		s.words[s.at] = s.bits
		s.at, s.bits = n>>6, s.words[n>>6]
	}
	if s.bits>>(n&63)&1 == 1 {
		return false
	}
	s.bits |= 1 << (n & 63)
	return true
}

func (s *keySet) has(key string) bool {
	n, ok := numeral(key)
	if !ok {
		_, in := s.hashes[maphash.String(keySeed, key)]
		return in
	}
	bits := s.bits
	if n>>6 != s.at {
		bits = s.words[n>>6]
	}
	return bits>>(n&63)&1 == 1
}

// numeral is the number that a text is the shortest numeral of, if it is not long.
func numeral(s string) (n uint64, ok bool) {
	if len(s) == 0 || len(s) > 18 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return n, true
}

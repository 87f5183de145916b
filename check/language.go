package check

import (
	"context"
	"hash/maphash"
	"slices"
	"sort"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// leaves counts the events after which an execution is outside the theory's
// language, whatever happens next: those of its shortest prefix that is refused.
// The error says why that is; there is none if the theory speaks of the execution.
func (c *Checker) leaves(ctx context.Context, e *history.Execution) (n int, err error) {
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
func (c *Checker) refuses(ctx context.Context, e *history.Execution) (err error) {
	if rules, bad := c.patterns(); bad == nil {
		err = rules.Validate(e)
	} else {
		err = c.ground.Validate(ctx, e)
	}
	if outside(err) {
		return inputError(err, e)
	}
	return nil
}

// language follows an execution, and notices when it leaves the theory's language.
// It keeps the values that must not be used again.
type language struct {
	rules   []clauses.Unique
	used    []keySet // by rule
	methods []*restricted
	holds   func(o *history.Operation) bool
	again   map[string]bool // running operations, by identifier: they may break a rule
}

// restricted is a method with the rules that hold its calls apart, and its kinds
// with rules that hold their operations apart.
type restricted struct {
	name  string
	calls []int
	kinds []*clauses.Kind
}

// newLanguage begins to follow an execution. Holds reports whether who asks about
// running operations knows of the earlier ones with the same values; he then sees
// for himself what another one may do.
func newLanguage(r *clauses.Rules, holds func(o *history.Operation) bool) *language {
	l := &language{rules: r.Uniques, used: make([]keySet, len(r.Uniques)), holds: holds, again: map[string]bool{}}
	for i := range r.Methods {
		m := &restricted{name: r.Methods[i].Name, calls: r.Methods[i].Uniques}
		for _, k := range r.Methods[i].Kinds {
			if k := &r.Kinds[k]; len(k.Uniques) > 0 {
				m.kinds = append(m.kinds, k)
			}
		}
		if len(m.calls)+len(m.kinds) > 0 {
			l.methods = append(l.methods, m)
		}
	}
	return l
}

// event takes an operation that is called or, if it is completed, returns. The
// error is an *OutsideLanguage.
func (l *language) event(o *history.Operation) error {
	i := slices.IndexFunc(l.methods, func(m *restricted) bool { return m.name == o.Method })
	if i < 0 {
		return nil
	}
	m := l.methods[i]
	if !o.Completed() {
		if slices.ContainsFunc(m.kinds, func(k *clauses.Kind) bool { return l.breaks(k.Uniques, o) }) && !l.holds(o) {
			l.again[strings.Clone(o.ID)] = true
		}
		return l.use(m.calls, o)
	}
	delete(l.again, o.ID)
	for _, k := range m.kinds {
		if k.Outcome == o.Outcome {
			return l.use(k.Uniques, o)
		}
	}
	return nil
}

func (l *language) use(rules []int, o *history.Operation) error {
	for _, u := range rules {
		if !l.used[u].add(clauses.KeyOf(l.rules[u].Key, o.Args, o.Rets)) {
			return &OutsideLanguage{Rule: l.rules[u].Rule, A: o}
		}
	}
	return nil
}

// breaks reports whether a call breaks one of some rules if it returns as what they
// are about. Package clauses sees to it that they look at arguments alone.
func (l *language) breaks(rules []int, o *history.Operation) bool {
	return slices.ContainsFunc(rules, func(u int) bool { return l.used[u].has(clauses.KeyOf(l.rules[u].Key, o.Args, nil)) })
}

// open reports whether some operation that runs may return so that the language is
// left, and nothing is certain.
func (l *language) open() bool { return len(l.again) > 0 }

// keySet is a set of texts. Whole numbers that lie close together take a few bits
// each; of others there is a hash, of 63 bits.
type keySet struct {
	words  map[uint64]uint64
	at     uint64 // the word that was used last
	bits   uint64
	hashes []uint64 // by the last bits of the hash, or at the next free place; 0: free
	count  int
}

var keySeed = maphash.MakeSeed()

// add reports whether the key is new, and remembers it.
func (s *keySet) add(key string) bool {
	n, ok := wording.ParseNumber(key)
	if !ok {
		return s.addHash(maphash.String(keySeed, key) | 1)
	}
	if n>>6 != s.at {
		if s.words == nil {
			s.words = map[uint64]uint64{}
		}
		s.words[s.at] = s.bits
		s.at, s.bits = n>>6, s.words[n>>6]
	}
	before := s.bits
	s.bits |= 1 << (n & 63)
	return s.bits != before
}

// has reports whether the key was added.
func (s *keySet) has(key string) bool {
	n, ok := wording.ParseNumber(key)
	if !ok {
		return s.count > 0 && *s.place(maphash.String(keySeed, key) | 1) != 0
	}
	bits := s.bits
	if n>>6 != s.at {
		bits = s.words[n>>6]
	}
	return bits>>(n&63)&1 == 1
}

func (s *keySet) addHash(h uint64) bool {
	if 4*s.count >= 3*len(s.hashes) {
		old := s.hashes
		s.hashes = make([]uint64, max(64, 2*len(old)))
		for _, h := range old {
			if h != 0 {
				*s.place(h) = h
			}
		}
	}
	p := s.place(h)
	if *p != 0 {
		return false
	}
	*p = h
	s.count++
	return true
}

// place is where a hash is, or would be.
func (s *keySet) place(h uint64) *uint64 {
	mask := uint64(len(s.hashes) - 1)
	for i := h >> 1 & mask; ; i = (i + 1) & mask {
		if p := &s.hashes[i]; *p == 0 || *p == h {
			return p
		}
	}
}

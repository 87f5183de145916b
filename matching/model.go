package matching

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Model is a reference seen through a matching scheme: the kinds of operations
// it shows, the executions it admits, and their histories.
type Model struct {
	Alphabet *enumerate.Alphabet
	Scheme   *Scheme
	Language *Language
	Links    *enumerate.Links

	rules     []theory.Rule   // of the language
	matching  theory.Matching // of the scheme
	explorer  explorer
	templates templates
	roles     [][]int               // by kind and position: equal where values flow from one to the other
	levels    [][][]enumerate.Label // levels[n]: the admitted executions of n operations
	arities   int                   // kinds when the alphabet was frozen; 0 before
}

// discoverySize is how many admitted executions the search for kinds looks at
// before it stops at the end of a length.
const discoverySize = 1200

// Explore looks at a reference until it has a good sample of the kinds of
// operations that occur in the language, whose rules must have declared
// predicates expanded. Executions of up to depth operations are looked at in any
// case: after a *matching.Late error, its length is a depth that does better.
//
// The model has no scheme yet; With gives it one.
func Explore(ctx context.Context, impl reference.Implementation, rules []theory.Rule, depth int) (*Model, error) {
	for _, r := range rules {
		if len(semantics.Compared(r.Formula)) > 0 {
			return nil, unsupported("language rule %s: %v", r.Name, errOrdered)
		}
	}
	a := enumerate.NewAlphabet(nil)
	m := &Model{Alphabet: a, Language: newLanguage(rules, a), rules: rules}
	if acc, ok := impl.(reference.Acceptor); ok {
		m.explorer = newAcceptor(acc, a)
	} else {
		m.explorer = newReplayer(impl, a)
	}
	m.levels = [][][]enumerate.Label{{nil}}
	if err := m.discover(ctx, depth); err != nil {
		return nil, err
	}
	if len(a.Kinds) == 0 {
		return nil, unsupported("the reference admits no operation in the language")
	}
	if len(a.Kinds) > maxKinds {
		return nil, unsupported("the reference shows %d kinds of operations; at most %d are supported, leave some methods out", len(a.Kinds), maxKinds)
	}
	return m, nil
}

// maxKinds is bounded by the sets of kinds that embedding keeps in a word.
const maxKinds = 60

// With is the model under a matching scheme, whose formulas must have declared
// predicates expanded.
func (m *Model) With(s theory.Matching) (*Model, error) {
	scheme, err := newScheme(s, m.Alphabet)
	if err != nil {
		return nil, err
	}
	w := *m
	w.Scheme, w.matching = scheme, s
	return &w, w.learnLinks()
}

// Like reports whether checks of two models of one reference come out the same: they have
// the same kinds of operations in the same order, of which the same values always agree,
// and the formulas of language and scheme are the same.
func (m *Model) Like(o *Model) bool {
	return m.matching.Past == o.matching.Past && m.arities == o.arities && m.arities == len(m.Alphabet.Kinds) &&
		reflect.DeepEqual(m.Alphabet.Kinds, o.Alphabet.Kinds) &&
		slices.EqualFunc(m.rules, o.rules, func(a, b theory.Rule) bool { return sameText(a.Formula, b.Formula) }) &&
		slices.EqualFunc(m.matching.Target, o.matching.Target, sameText) && sameText(m.matching.ReadOnly, o.matching.ReadOnly)
}

func sameText(a, b formula.Formula) bool { return formula.String(a) == formula.String(b) }

// Under is the model in a smaller language, without a scheme. Rules must have
// declared predicates expanded.
func (m *Model) Under(rules []theory.Rule) *Model {
	u := *m
	u.Language, u.rules = newLanguage(rules, m.Alphabet), rules
	u.levels = [][][]enumerate.Label{{nil}}
	u.Scheme, u.Links, u.templates, u.roles = nil, nil, nil, nil
	u.matching = theory.Matching{}
	return &u
}

func unsupported(format string, args ...any) error {
	return &Unsupported{Reason: fmt.Sprintf(format, args...)}
}

// discover grows the levels until they are large or stop growing, and then
// fixes which value positions of each kind always agree.
func (m *Model) discover(ctx context.Context, depth int) error {
	for n, total := 1, 1; n <= depth || total < discoverySize && n <= 7; n++ {
		level, err := m.Admitted(ctx, n)
		if err != nil {
			return err
		}
		if len(level) == 0 {
			break
		}
		total += len(level)
	}
	m.arities = len(m.Alphabet.Kinds)
	for k := range m.Alphabet.Kinds {
		m.Alphabet.Kinds[k].Same = m.agreeing(k)
	}
	return nil
}

// agreeing finds which positions of a kind hold equal values in every admitted
// execution met so far: contains(1) => 1, never contains(1) => 2.
func (m *Model) agreeing(kind int) []int {
	k := &m.Alphabet.Kinds[kind]
	same := make([]int, len(k.Sorts))
	for p := range same {
		for q := 0; q <= p; q++ {
			if same[p] = q; k.Sorts[q] == k.Sorts[p] && m.agree(kind, p, q) {
				break
			}
		}
	}
	return same
}

func (m *Model) agree(kind, p, q int) bool {
	if p == q {
		return true
	}
	for _, level := range m.levels {
		for _, e := range level {
			for _, l := range e {
				if m.Alphabet.KindOf(l) == kind && m.Alphabet.Values(l)[p] != m.Alphabet.Values(l)[q] {
					return false
				}
			}
		}
	}
	return true
}

// Admitted lists the executions of exactly n operations that are in the
// language and admitted by the reference, once up to renaming of values.
func (m *Model) Admitted(ctx context.Context, n int) ([][]enumerate.Label, error) {
	for len(m.levels) <= n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next, err := m.explorer.extend(ctx, m.levels[len(m.levels)-1])
		if err != nil {
			return nil, err
		}
		var level [][]enumerate.Label
		for _, e := range next {
			if m.Language.Extends(e) {
				level = append(level, e)
			}
		}
		m.levels = append(m.levels, level)
		if m.arities > 0 {
			if err := m.steady(level); err != nil {
				return nil, err
			}
		}
	}
	level := m.levels[n]
	if len(m.Language.others) == 0 {
		return level, nil
	}
	var inside [][]enumerate.Label
	for _, e := range level {
		if m.Language.rest(e) {
			inside = append(inside, e)
		}
	}
	return inside, nil
}

// steady makes sure that what discovery concluded holds for longer executions.
func (m *Model) steady(level [][]enumerate.Label) error {
	for _, e := range level {
		l := e[len(e)-1]
		k := m.Alphabet.KindOf(l)
		if k >= m.arities {
			return &Late{Execution: m.Alphabet.Texts(e), What: "shows a kind of operation that no shorter execution has"}
		}
		for p, q := range m.Alphabet.Kinds[k].Same {
			if vs := m.Alphabet.Values(l); vs[p] != vs[q] {
				return &Late{Execution: m.Alphabet.Texts(e), What: "has different values where all shorter executions have equal ones"}
			}
		}
	}
	return nil
}

// IsAdmitted reports of each execution whether the reference admits it.
func (m *Model) IsAdmitted(ctx context.Context, es [][]enumerate.Label) ([]bool, error) {
	return m.explorer.admitted(ctx, es, false)
}

package counters

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
)

// fit is what explains all answers of some runs.
type fit struct {
	*table
	rets    map[history.Kind][]answer
	trees   []*tree // by method; nil: it was never called
	why     string  // an outcome is not explained
	layouts map[*tree]int

	register  bool // registers may be used
	registers []*register
}

// answer is a value that is returned: a term, or a form.
type answer struct {
	term     automata.Term
	form     *form // nil: term
	register *register
}

func newFit(methods []reference.Method, runs []run, register bool) *fit {
	return &fit{table: newTable(methods, runs), rets: map[history.Kind][]answer{}, layouts: map[*tree]int{}, register: register}
}

// all explains values, and then outcomes. With registers there is nothing in what leaves
// values open: patterns know these better.
func (f *fit) all(ctx context.Context) error {
	if k, ok := f.never(); ok {
		f.why = fmt.Sprintf("%s never answered %s", k.Method, k.Outcome)
		return nil
	}
	for m := range f.methods {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, k := range f.kinds {
			if k.Method == f.methods[m].Name {
				f.values(m, k)
			}
		}
	}
	if why := f.missing(); f.register && why != "" {
		f.why = why
		return nil
	}
	f.trees = make([]*tree, len(f.methods))
	for m := range f.methods {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.trees[m] = f.outcomes(m); f.trees[m] == nil {
			f.why = fmt.Sprintf("when %s answers what follows from no count of operations", f.methods[m].Name)
			return nil
		}
	}
	return nil
}

// never is a kind that its method's type allows, and that never came; ok: there is
// one. Its condition may be one that no run met, such as a name in the reference's
// source. Methods that never fail are common, so errors may be missing.
func (t *table) never() (k history.Kind, ok bool) {
	for _, m := range t.methods {
		for _, o := range m.Outcomes {
			k := history.Kind{Method: m.Name, Outcome: o.Outcome}
			if !wording.IsError(string(o.Outcome)) && !slices.Contains(t.kinds, k) {
				return k, true
			}
		}
	}
	return k, false
}

// rows are the events of a kind, among those of its method.
func (f *fit) rows(method int, k history.Kind) (rows []int) {
	for i, e := range f.calls[method] {
		if e.label.Kind == k {
			rows = append(rows, i)
		}
	}
	return rows
}

// values explains the values of a kind.
func (f *fit) values(method int, k history.Kind) {
	rows := f.rows(method, k)
	calls := f.calls[method]
	for i := range calls[rows[0]].label.Rets {
		f.rets[k] = append(f.rets[k], f.value(method, rows, i))
	}
}

func (f *fit) value(method int, rows []int, i int) answer {
	calls := f.calls[method]
	same := func(is func(l *history.Label) bool) bool {
		return !slices.ContainsFunc(rows, func(r int) bool { return !is(&calls[r].label) })
	}
	first := calls[rows[0]].label.Rets[i]
	if same(func(l *history.Label) bool { return l.Rets[i] == first }) {
		return answer{term: automata.Term{Kind: automata.Constant, Value: first}}
	}
	for p := range f.methods[method].Params {
		if same(func(l *history.Label) bool { return l.Rets[i] == l.Args[p] }) {
			return answer{term: automata.Term{Kind: automata.Argument, Index: p}}
		}
	}
	if f.register {
		if r := f.last(method, rows, i); r != nil {
			return answer{register: r}
		}
	}
	y := make([]int64, len(rows))
	for j, r := range rows {
		n, ok := integerOf(calls[r].label.Rets[i])
		if !ok {
			return answer{term: automata.Term{Kind: automata.Any}}
		}
		y[j] = n
	}
	if b := f.methods[method].Results; i < len(b) && b[i].Kind != values.KindInt && b[i].Kind != values.KindUint {
		return answer{term: automata.Term{Kind: automata.Any}}
	}
	if sum, ok := f.sum(method, rows, y); ok {
		return answer{form: &sum}
	}
	return answer{term: automata.Term{Kind: automata.Any}}
}

// sum is the form that gives y in rows: of counts, then also of keyed ones, then of
// those since the last operation of a kind, then of the greatest arguments.
func (f *fit) sum(method int, rows []int, y []int64) (form, bool) {
	own := f.arguments(method)
	plain := slices.Concat(own, f.counted(false, history.Kind{}), f.counted(true, history.Kind{}))
	if sum, ok := f.explain(method, plain, rows, y); ok {
		return sum, true
	}
	for at := range f.methods[method].Params {
		xs := slices.Concat(own, f.keyed(method, at, false), f.keyed(method, at, true))
		if sum, ok := f.explain(method, xs, rows, y); ok {
			return sum, true
		}
	}
	if told := f.told(history.Kind{}); told != nil {
		for _, xs := range [][]term{told, slices.Concat(told, f.counted(true, history.Kind{}))} {
			if sum, ok := f.explain(method, slices.Concat(own, xs), rows, y); ok {
				return sum, true
			}
		}
	}
	var best form
	found := false
	for _, k := range f.kinds {
		xs := slices.Concat(own, f.counted(false, k), f.counted(true, k))
		if sum, ok := f.explain(method, xs, rows, y); ok && (!found || sum.cost() < best.cost()) {
			best, found = sum, true
		}
	}
	for i := 0; i <= len(f.kinds) && !found; i++ {
		xs := f.greatest(append([]history.Kind{{}}, f.kinds...)[i])
		best, found = f.explain(method, slices.Concat(own, xs), rows, y)
	}
	return best, found
}

// Events from which a tree is grown.
const (
	enough  = 600 // at first
	learned = 50  // that contradict it and are looked at, too
)

// outcomes explains the outcomes of a method; nil: they follow no formula.
func (f *fit) outcomes(method int) *tree {
	g := &grower{table: f.table, method: method}
	rows := make([]int, len(f.calls[method]))
	for i, e := range f.calls[method] {
		n := slices.Index(g.names, e.label.Outcome)
		if n < 0 {
			n, g.names = len(g.names), append(g.names, e.label.Outcome)
		}
		rows[i], g.outcome = i, append(g.outcome, n)
	}
	if len(g.names) < 2 {
		return g.leaf(0)
	}
	g.forms = f.candidates(method)
	var few []int
	for i := 0; i < len(rows); i += 1 + len(rows)/enough {
		few = append(few, i)
	}
	for levels := 1; levels <= deepest; {
		t := g.grow(few, levels)
		if t == nil {
			levels++
			continue
		}
		if levels == 1 && t.cost() > plain {
			t = g.grow(few, 2)
		}
		n := len(few)
		for _, r := range rows {
			if g.decide(t, r).outcome != g.names[g.outcome[r]] && len(few) < n+learned {
				few = append(few, r)
			}
		}
		if len(few) == n {
			return g.pruned(t, rows)
		}
	}
	return nil
}

// candidates are the forms that may decide outcomes of a method, cheap ones first.
func (f *fit) candidates(method int) (all []candidate) {
	own := f.arguments(method)
	add := func(c form, known bool) {
		all = append(all, candidate{form: c, known: known})
		for _, x := range own {
			if f.register && counting(&c) <= simple && !slices.ContainsFunc(c.terms, func(y multiple) bool { return y.arg >= 0 }) {
				all = append(all, candidate{form: form{terms: []multiple{{term{arg: x.arg, text: true, equals: &c, sum: -1, key: -1}, 1}}}, known: known})
			}
			for _, times := range []int64{-1, 1} {
				all = append(all, candidate{form: form{terms: append(slices.Clone(c.terms), multiple{x, times}), constant: c.constant}, known: known})
			}
		}
	}
	for i, x := range own {
		all = append(all, candidate{form: form{terms: []multiple{{x, 1}}}, known: true})
		for _, y := range own[:i] {
			all = append(all, candidate{form: form{terms: []multiple{{x, 1}, {y, -1}}}, known: true})
		}
	}
	for _, x := range slices.Concat(f.texts(method), f.compared(method)) {
		all = append(all, candidate{form: form{terms: []multiple{{x, 1}}}, known: true})
	}
	for _, c := range f.answers(method) {
		add(c, true)
	}
	counts, sums := f.counted(false, history.Kind{}), f.counted(true, history.Kind{})
	families := [][]term{counts, sums}
	if len(sums) > 0 {
		families = append(families, slices.Concat(counts, sums))
	}
	for at := range f.methods[method].Params {
		families = append(families, f.keyed(method, at, false), f.keyed(method, at, true))
	}
	for _, k := range f.kinds {
		families = append(families, f.counted(false, k), f.counted(true, k))
	}
	families = append(families, f.greatest(history.Kind{}))
	if told := f.told(history.Kind{}); told != nil {
		families = append(families, told, slices.Concat(told, sums))
	}
	for _, xs := range families {
		most := 2
		switch n := len(xs); {
		case n <= 6:
			most = 4
		case n <= 10:
			most = 3
		}
		signed(xs, most, nil, func(ms []multiple) { add(form{terms: slices.Clone(ms)}, false) })
	}
	for i := range all {
		for _, x := range all[i].terms {
			all[i].columns = append(all[i].columns, f.column(method, x.term))
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.cost(), b.cost()) })
	return all
}

// signed visits the sums and differences of up to so many terms; the first is never
// subtracted.
func signed(xs []term, most int, ms []multiple, visit func([]multiple)) {
	if len(ms) > 0 {
		visit(ms)
	}
	if most == 0 {
		return
	}
	for i, x := range xs {
		signed(xs[i+1:], most-1, append(ms, multiple{x, 1}), visit)
		if len(ms) > 0 {
			signed(xs[i+1:], most-1, append(ms, multiple{x, -1}), visit)
		}
	}
}

// answers are the forms of answers, without arguments of the call, as a method can
// use them: each argument of the right type may be the key.
func (f *fit) answers(method int) (forms []form) {
	for _, k := range f.kinds {
		for _, a := range f.rets[k] {
			if a.form == nil {
				continue
			}
			c := form{terms: slices.DeleteFunc(slices.Clone(a.form.terms), func(x multiple) bool { return x.arg >= 0 })}
			at := slices.IndexFunc(c.terms, func(x multiple) bool { return x.key >= 0 })
			switch {
			case len(c.terms) == 0:
			case at < 0:
				forms = append(forms, c)
			default:
				key := f.method(k).Args[c.terms[at].at]
				for p, typ := range f.methods[method].Args {
					if typ == key {
						d := form{terms: slices.Clone(c.terms)}
						for i := range d.terms {
							if d.terms[i].key >= 0 {
								d.terms[i].at = p
							}
						}
						forms = append(forms, d)
					}
				}
			}
		}
	}
	return forms
}

// open is a method with a threshold that might as well be another; "" if there is none.
func (f *fit) open() string {
	for m, t := range f.trees {
		if slices.ContainsFunc(t.cuts(), (*tree).open) {
			return f.methods[m].Name
		}
	}
	return ""
}

// missing says which values no formula gives; "" if there are none.
func (f *fit) missing() string {
	var kinds []string
	for _, k := range f.kinds {
		if slices.ContainsFunc(f.rets[k], func(a answer) bool { return a.form == nil && a.register == nil && a.term.Kind == automata.Any }) {
			kinds = append(kinds, k.Method)
		}
	}
	if kinds = slices.Compact(kinds); len(kinds) == 0 {
		return ""
	}
	return "values that follow from no count of operations are returned by " + strings.Join(kinds, ", ")
}

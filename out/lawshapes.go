package out

import (
	"slices"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// shapesOf names what laws do with an observer: all that they do with it, in order. Of
// records, {f} is by what they are put in. A plus stands between what one law does.
var shapesOf = []struct{ does, is string }{
	{"append rest", "first in, first out"},
	{"prepend rest", "last in, first out"},
	{"append front", "last in, first out"},
	{"append append+rest", "the latest, in order of arrival"},
	{"append append+rest rest", "first in, first out, the oldest lost when it is full"},
	{"append", "all that came, in order of arrival"},
	{"append without", "what is there, in order of arrival"},
	{"append append+without without", "what is there, in order of arrival"},
	{"insert without", "what is there, in order"},
	{"insert+without without", "what is there, in order"},
	{"insertBy+without without", "what is there, by {f}"},
	{"insertDown+without without", "what is there, by {f}, the largest first"},
	{"answer const", "what was put there last, until it is taken away"},
	{"const var", "what was put there last, until it is taken away"},
	{"var", "what was put there last"},
	{"+ -", "a count that rises and falls"},
	{"+", "a count that rises"},
}

// shapes says in words what a type is, as far as its laws have shapes that have names.
func (p *lawPage) shapes() string {
	heads := map[string][]string{}
	var order []string
	for n := range p.set.Observers {
		o := &p.set.Observers[n]
		if len(o.Is.Rules) > 0 || o.How.Method == "" {
			continue
		}
		if s := p.shape(n); s != "" {
			if heads[s] == nil {
				order = append(order, s)
			}
			heads[s] = append(heads[s], p.head(n, nil))
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return strings.Count(a, "count") - strings.Count(b, "count") })
	var all []string
	for _, s := range order[:min(2, len(order))] {
		is := " is "
		if len(heads[s]) > 1 {
			is = " are each "
		}
		all = append(all, listed(heads[s])+is+s)
	}
	return strings.Join(all, "; ")
}

// shape is what an observer is in words; "": it has no shape that has a name.
func (p *lawPage) shape(n int) string {
	o := &p.set.Observers[n]
	var does []string
	by := ""
	for m := range o.After {
		me := &p.set.Methods[m]
		for _, r := range o.After[m].Rules {
			if me.Pure || isBefore(r.Then, o, me) {
				continue
			}
			var ops []string
			r.Then.Walk(func(e *eq.Expr) {
				base := strings.TrimRight(e.Name, "0123456789")
				if e.Form == eq.Op && base != "record" {
					if strings.HasPrefix(base, "insert") {
						base, _, _ = strings.Cut(base, "then")
						base = strings.TrimRight(base, "0123456789")
						if field := strings.TrimPrefix(e.Name, base); field != "" {
							by = p.field(int(field[0] - '0'))
						}
					}
					ops = append(ops, base)
				}
			})
			switch r.Then.Form {
			case eq.Var:
				ops = append(ops, "var")
			case eq.Const:
				ops = append(ops, "const")
			}
			slices.Sort(ops)
			does = append(does, strings.Join(slices.Compact(ops), "+"))
		}
	}
	slices.Sort(does)
	for _, s := range shapesOf {
		if s.does == strings.Join(slices.Compact(does), " ") {
			return strings.ReplaceAll(s.is, "{f}", by)
		}
	}
	return ""
}

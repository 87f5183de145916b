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
	{"insert without", "what is there, in ascending order"},
	{"insert+without without", "what is there, in ascending order"},
	{"insertBy+without without", "what is there, by {f}"},
	{"insertDown+without without", "what is there, by {f}, the largest first"},
	{"const var", "what was put there last, until it is taken away"},
	{"var", "what was put there last"},
}

// shapes says in words what a type is, as far as its laws have shapes that have names.
func (p *lawPage) shapes() string {
	heads := map[string][]string{}
	var order, plain []string
	for n := range p.set.Observers {
		o := &p.set.Observers[n]
		if second, ok := p.twins[n-1]; len(o.Is.Rules) > 0 || o.How.Method == "" || o.How.First != nil || ok && second == n {
			continue
		}
		plain = append(plain, p.heading(n, nil))
		if s := p.shape(n); s != "" {
			if heads[s] == nil {
				order = append(order, s)
			}
			heads[s] = append(heads[s], p.heading(n, nil))
		}
	}
	var all []string
	for _, s := range order[:min(2, len(order))] {
		is := " is "
		if len(heads[s]) > 1 {
			is = " are each "
		}
		all = append(all, listed(heads[s])+is+s)
	}
	if len(all) == 0 && len(plain) > 0 && len(plain) < 6 {
		return "laws of " + listed(plain)
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
				if ops = append(ops, "var"); r.Then.Slot() >= len(me.Params) {
					ops = append(ops, "answer")
				}
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
			is := strings.ReplaceAll(s.is, "{f}", by)
			if most := p.most(n); most != "" {
				is += ", at most " + most
			}
			return is
		}
	}
	return ""
}

// most is the length with which laws compare that of a list; "": none, or several.
func (p *lawPage) most(n int) (most string) {
	isLen := func(e *eq.Expr) bool {
		if e.Form == eq.Obs && len(p.set.Observers[e.Slot()].Is.Rules) == 1 {
			e = p.set.Observers[e.Slot()].Is.Rules[0].Then
		}
		return e.Form == eq.Op && e.Name == "len" && e.Args[0].Form == eq.Obs && e.Args[0].Slot() == n
	}
	several := false
	for o := range p.set.Observers {
		ob := &p.set.Observers[o]
		for _, l := range append([]eq.Law{ob.Is}, ob.After...) {
			l.Walk(func(e *eq.Expr) {
				if e.Form != eq.Op || len(e.Args) != 2 {
					return
				}
				size, c := e.Args[0], e.Args[1]
				if e.Name == "<=" {
					size, c = c, size
				}
				if slices.Contains([]string{"==", "!=", "<", "<="}, e.Name) && isLen(size) && c.Form == eq.Const && c.Name != "0" {
					several = several || most != "" && most != c.Name
					most = c.Name
				}
			})
		}
	}
	if several {
		return ""
	}
	return most
}

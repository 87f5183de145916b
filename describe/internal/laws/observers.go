package laws

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/reference"
)

// stage says which observers there are: each later stage has more.
type stage int

const (
	answers stage = iota // what methods answer, on copies
	counted              // how many calls there were of each kind
	drains               // what they answer if they are called until nothing changes
	alongs               // what one method answers while another is called until nothing changes
	indexed              // counted, and the lists of what they answer by index
	renewed              // counted, and what they answer to new arguments, one after the other
	untils               // answers, and from which argument on what methods answer is another word
	firsts               // counted, and what they would answer if another call came first
	stages
)

// observers lists what can be seen of a state, by names that laws can have.
func (l *learner) observers(s stage) []*observer {
	all := l.unnamed(s)
	taken := map[string]bool{}
	for _, o := range all {
		o.name = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return '_'
		}, o.name)
		for taken[o.name] {
			o.name += "_"
		}
		taken[o.name] = true
		if !o.counts {
			o.number = l.w.number(o)
		}
	}
	return all
}

// unnamed are the observers, whose names may be of no use yet.
func (l *learner) unnamed(s stage) (all []*observer) {
	w := l.w
	for m := range w.methods {
		for k, part := range w.parts[m] {
			o := &observer{name: nameOf(w.methods[m].Name, part, len(w.parts[m]), len(l.params[m])), params: l.params[m], sort: part.Sort, method: m, part: k, repeat: -1}
			all = append(all, o)
			if n := len(o.params) - 1; n == mostParams && o.params[n].Sort == eq.Ints && w.methods[m].Params[n].Kind == values.KindInt {
				all = append(all, &observer{name: "one_" + o.name, params: o.params[:n], sort: part.Sort, method: m, part: k, repeat: -1, large: true, last: 1})
			}
			if last := len(o.params) - 1; l.pure[m] && part.Sort.IsList() && last >= 0 && o.params[last].Sort == eq.Ints && w.methods[m].Params[last].Kind == values.KindInt {
				with := func(prefix string, large int64) {
					all = append(all, &observer{name: prefix + o.name, params: o.params[:last], sort: part.Sort, method: m, part: k, repeat: -1, large: true, last: large})
				}
				with("all_", large)
				with("zero_", 0)
			}
		}
	}
	for k, kind := range w.kinds {
		if s < counted || s == untils || l.pure[kind.method] {
			continue
		}
		name := "calls_of_" + w.methods[kind.method].Name
		if kind.word != eq.Undefined && len(w.parts[kind.method]) > 0 {
			name += "_" + w.store.TextOf(kind.word)
		}
		all = append(all, &observer{name: name, sort: eq.Ints, method: kind.method, part: k, repeat: -1, counts: true})
	}
	if s >= special {
		for _, o := range l.listed {
			own := *o
			all = append(all, &own)
		}
		return all
	}
	if s < drains {
		return all
	}
	for m := range w.methods {
		if l.pure[m] || !l.ends(m) {
			continue
		}
		for k, part := range w.parts[m] {
			if part.Ret < 0 && len(w.parts[m]) > 1 {
				continue
			}
			all = append(all, &observer{name: "all_" + nameOf(w.methods[m].Name, part, len(w.parts[m]), len(l.params[m])), params: l.params[m], sort: eq.ListOf(part.Sort), method: m, part: k, repeat: m})
		}
		if s < alongs || len(l.params[m]) > 0 {
			continue
		}
		for p := range w.methods {
			if !l.pure[p] || len(l.params[p]) > 1 {
				continue
			}
			for k, part := range w.parts[p] {
				name := nameOf(w.methods[p].Name, part, len(w.parts[p]), len(l.params[p]))
				all = append(all, &observer{name: name + "_along_" + w.methods[m].Name, params: l.params[p], sort: eq.ListOf(part.Sort), method: p, part: k, repeat: m})
			}
		}
	}
	return all
}

// nameOf names what a method answers. Operators keep their names for themselves.
func nameOf(method string, part eq.Part, parts, params int) string {
	if parts == 1 && !eq.IsReserved(method, params) {
		return method
	}
	return fmt.Sprintf("%s_%s", method, part.Name)
}

// rank orders observers: those that say least come first, and are left out if others say
// what they say.
func (l *learner) rank(o *observer) int {
	switch {
	case o.counts:
		return 10
	case o.first != nil:
		return 9
	case o.from != nil:
		return 4
	case o.news != nil:
		return 8
	case o.repeat >= 0 && o.repeat != o.method:
		return 0
	case o.repeat >= 0:
		return 1
	case !l.pure[o.method]:
		return 2
	case o.sort == eq.Words:
		return 3
	case o.sort == eq.Ints && len(o.params) > 0:
		return 4
	case o.sort == eq.Ints:
		return 5
	case o.large:
		return 9
	case o.sort.IsList() && len(o.params) == 0:
		return 8
	case len(o.params) > 0:
		return 6
	}
	return 7
}

// ends reports whether a method that is called again and again comes to change nothing,
// in all states that were met.
func (l *learner) ends(m int) bool {
	w := l.w
	o := &observer{method: m, repeat: m}
	ends := true
	err := w.fill(func() {
		n := 0
		for i := range l.first {
			t := &l.first[i]
			if t.method != m && len(l.params[m]) > 0 || n > 150 {
				continue
			}
			n++
			var args []eq.Value
			if t.method == m {
				args = t.args
			}
			if v, ok := w.see(t.from, o, args); ok && v == eq.Undefined {
				ends = false
				return
			}
		}
	})
	return err == nil && ends
}

// byRank orders numbers of observers.
func (l *learner) byRank(all []*observer) []int {
	ns := make([]int, len(all))
	for i := range ns {
		ns[i] = i
	}
	slices.SortStableFunc(ns, func(a, b int) int { return l.rank(all[a]) - l.rank(all[b]) })
	return ns
}

// paramsOf are the parameters of a method, by names that laws can have.
func (l *learner) paramsOf(m int) []eq.Param {
	me := &l.w.methods[m]
	ps := make([]eq.Param, len(me.Params))
	for i := range ps {
		ps[i].Sort = eq.SortOf(&me.Params[i])
		if l.o.Names != nil && i < len(l.o.Names[m]) {
			ps[i].Name = l.o.Names[m][i]
		}
		if ps[i].Name == "" || ps[i].Name == "_" {
			ps[i].Name = map[eq.Sort]string{eq.Ints: "n", eq.Texts: "s", eq.Words: "w"}[ps[i].Sort]
		}
		if ps[i].Name == "" {
			ps[i].Name = "x"
		}
		for l.isWord(ps[i].Name) || slices.ContainsFunc(ps[:i], func(p eq.Param) bool { return p.Name == ps[i].Name }) {
			ps[i].Name += "'"
		}
	}
	return ps
}

// isWord reports whether a name means something else in laws than a parameter: an answer,
// or a word for an outcome.
func (l *learner) isWord(name string) bool {
	if slices.Contains([]string{"ok", "nil", "true", "false", "waits", "panic", "error", "outcome", "map", "in", "always", "never"}, name) || strings.HasPrefix(name, "answer") {
		return true
	}
	for _, m := range l.w.methods {
		for _, b := range slices.Concat(m.Params, m.Results) {
			if slices.ContainsFunc(b.Names, func(n values.Named) bool { return n.Text == name }) {
				return true
			}
		}
		if slices.ContainsFunc(m.Outcomes, func(o reference.OutcomeArity) bool { return string(o.Outcome) == name }) {
			return true
		}
	}
	return false
}

package laws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// news are new values of an argument. All that an object was never told of begin alike.
type news struct {
	at     int        // the argument
	prefix string     // of new texts
	given  []eq.Value // other arguments, that are no parameters
}

// mostAsked bounds the transitions before which new arguments are tried.
const mostAsked = 60

// toNews are the values that methods answer to new arguments, one after the other: what they
// hand out, or what has to go. A new argument changes something where one that was there
// would not. Other arguments are parameters if the answers depend on them, and constant if
// they do not.
func (l *learner) toNews() (all []*observer, err error) {
	w := l.w
	for m := range w.methods {
		if l.pure[m] {
			continue
		}
		for at, p := range l.params[m] {
			if k := w.methods[m].Params[at].Kind; p.Sort != eq.Texts && p.Sort != eq.Ints || k != values.KindString && k != values.KindInt {
				continue
			}
			for k, part := range w.parts[m] {
				if part.Ret < 0 || part.Sort == eq.Words {
					continue
				}
				o := &observer{name: "free_" + nameOf(w.methods[m].Name, part, len(w.parts[m]), len(l.params[m])), sort: eq.ListOf(part.Sort), method: m, part: k, repeat: -1, news: &news{at: at}}
				if o, err = l.asked(o); err != nil {
					return nil, err
				}
				if o != nil {
					all = append(all, o)
				}
			}
		}
	}
	return all, nil
}

// asked fills in the other arguments of an observer with new arguments; nil: it is none, for
// it does not end, or is the same in all states that were met.
func (l *learner) asked(o *observer) (*observer, error) {
	w := l.w
	o.news.prefix = l.unused()
	o.params = append(o.params, slices.Delete(slices.Clone(l.params[o.method]), o.news.at, o.news.at+1)...)
	var others [][]eq.Value // arguments that changed something, without the new one
	for i := range l.first {
		if t := &l.first[i]; t.method == o.method && t.from != t.to && len(others) < 4 {
			args := slices.Delete(slices.Clone(t.args), o.news.at, o.news.at+1)
			if !slices.ContainsFunc(others, func(a []eq.Value) bool { return slices.Equal(a, args) }) {
				others = append(others, args)
			}
		}
	}
	if len(others) == 0 || len(o.params) > mostParams {
		return nil, nil
	}
	is, same := true, true
	seen := map[eq.Value]bool{}
	err := w.fill(func() {
		is, same = true, true
		for i := range min(mostAsked, len(l.first)) {
			for k, args := range others {
				v, ok := w.see(l.first[i].from, o, args)
				if !ok {
					continue
				}
				if is = is && v != eq.Undefined; !is {
					return
				}
				seen[v] = true
				first, ok := w.see(l.first[i].from, o, others[0])
				same = same && (k == 0 || !ok || v == first)
			}
		}
	})
	if err != nil || !is || len(seen) < 2 {
		return nil, err
	}
	if same {
		o.params, o.news.given = nil, others[0]
	}
	return o, nil
}

// unused begins no text of the sample or the source.
func (l *learner) unused() string {
	texts := slices.Concat(l.w.literals.Given.Texts, l.w.literals.Source.Texts)
	for v := range l.w.texts {
		if l.w.store.Is(v, eq.Text) {
			texts = append(texts, l.w.store.TextOf(v))
		}
	}
	prefix := "new"
	for slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, prefix) }) {
		prefix += "er"
	}
	return prefix
}

// firstNew is the first integer that is new.
const firstNew = 1_000_003

// new is the new argument with a number.
func (w *world) new(o *observer, k int) eq.Value {
	if w.methods[o.method].Params[o.news.at].Kind == values.KindInt {
		return eq.IntOf(firstNew + int64(k))
	}
	text := fmt.Sprint(o.news.prefix, k+1)
	v := w.store.Plain(eq.Text, text)
	w.note(v, text)
	return v
}

// handed are the values that a method answers to new arguments, until nothing changes, or the
// answer is one of them.
func (w *world) handed(state int32, o *observer, args []eq.Value) (eq.Value, bool) {
	if len(o.news.given) > 0 {
		args = o.news.given
	}
	var all []eq.Value
	asked := map[eq.Value]bool{}
	for k := range longest {
		x := w.new(o, k)
		asked[x] = true
		s, made, known := w.made(state, o.method, slices.Insert(slices.Clone(args), o.news.at, x))
		if !made || !known {
			return eq.Undefined, known
		}
		v := w.answer(o.method, s.answer)[o.part]
		if s.next == state || asked[v] {
			return w.store.Compound(eq.List, all), true
		}
		if state = s.next; !w.store.Is(v, eq.Word) {
			all = append(all, v)
		}
	}
	return eq.Undefined, true
}

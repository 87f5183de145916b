package reasons

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/theory"
)

// Most is how many rows a page has.
const Most = 7

// Page is what a theory says, on one page.
type Page struct {
	Shape string // "LIFO for take, FIFO for steal"; "" if none is recognized
	Key   string // which arguments are keys, each of which stands for itself; "" if none are
	Whole bool   // patterns are not what it is about, though there are some: rows hold of all executions
	Rows  []Row
	More  int // reasons for which there is no room
}

// Row is a reason.
type Row struct {
	Says    string
	Never   bool // the example is wrong
	Example []Step

	about string // method
}

// Step is a call with its answer, so many times in a row. Of more than one, values that
// count are the first one's.
type Step struct {
	Times int
	Label history.Label
	Count bool // the argument grows by one each time
}

// String is "add(1); 10 × offer(1…) => true".
func (r *Row) String() string {
	var parts []string
	for _, s := range r.Example {
		text := s.Label.String()
		if s.Count {
			text = strings.Replace(text, ")", "…)", 1)
		}
		if s.Times > 1 {
			text = strconv.Itoa(s.Times) + " × " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// Of makes the page of a theory that is not the reference itself.
func Of(t *theory.Theory) *Page {
	p := &Page{}
	s := &t.Spec
	switch {
	case s.Headline() == theory.ByPatterns:
		q := newPatternPage(s)
		p.Rows, p.Shape = q.rows()
		other := q.unnamed > 2 || q.unnamed > 0 && len(p.Rows) > Most
		if alike := described(s); other && len(alike.Rows) > 0 && len(alike.Rows) <= Most {
			*p = *alike
			p.Whole = true
			break
		}
		for _, r := range s.Axioms {
			p.Rows = append(p.Rows, Row{Says: cmp.Or(r.Reading, r.Name)})
		}
	default:
		p = described(s)
	}
	decides := t.Sequences()
	for i := range p.Rows {
		if r := &p.Rows[i]; !r.holds(s, decides) {
			r.Example, r.Never = nil, false
		}
	}
	for i := range p.Rows {
		p.Rows[i].names(s.Methods)
	}
	if n := len(p.Rows); n > Most {
		p.Rows, p.More = p.Rows[:Most], n-Most
	}
	return p
}

// described is the page of a product or an automaton.
func described(s *theory.Spec) *Page {
	p := &Page{}
	switch {
	case s.Product != nil && s.Product.Part.Headline() == theory.ByPatterns:
		q := newPatternPage(&s.Product.Part)
		p.Rows, p.Shape = q.rows()
		p.keyed(s)
	case s.Product != nil && s.Product.Part.Automaton != nil:
		p.Rows, p.Shape = automatonRows(s.Product.Part.Automaton, s.Product.Part.Methods, keyOf(s))
		p.keyed(s)
	case s.Automaton != nil:
		p.Rows, p.Shape = automatonRows(s.Automaton, s.Methods, nil)
	}
	return p
}

// keyed puts a key into all examples.
func (p *Page) keyed(s *theory.Spec) {
	key := keyOf(s)
	var names []string
	for _, k := range s.Product.Keys {
		switch k.Role {
		case theory.ByKey:
			names = append(names, k.Method)
		case theory.SumOfAll:
			p.Rows = append(p.Rows, Row{Says: k.Method + " => the sum of what it is for each key"})
		}
	}
	p.Key = "each key of " + listed(names, "and") + " on its own"
	for i := range p.Rows {
		for j := range p.Rows[i].Example {
			key.label(&p.Rows[i].Example[j].Label)
		}
	}
}

// keyed is the key of a product in examples.
type keyed struct {
	by   map[string]theory.Key
	name string
}

func keyOf(s *theory.Spec) *keyed {
	k := &keyed{by: map[string]theory.Key{}, name: string(keyName(s))}
	for _, x := range s.Product.Keys {
		k.by[x.Method] = x
	}
	return k
}

// with are arguments with the key.
func (k *keyed) with(method string, args []string) []string {
	if k == nil || k.by[method].Role != theory.ByKey {
		return args
	}
	return slices.Insert(slices.Clone(args), min(k.by[method].Arg, len(args)), k.name)
}

// sums reports whether a method adds up over all keys.
func (k *keyed) sums(method string) bool { return k != nil && k.by[method].Role == theory.SumOfAll }

func (k *keyed) label(l *history.Label) {
	x := k.by[l.Method]
	if x.Role != theory.ByKey {
		return
	}
	l.Args = slices.Insert(slices.Clone(l.Args), min(x.Arg, len(l.Args)), history.Value(k.name))
	if n := x.Ret - 1; n >= 0 && n < len(l.Rets) && l.Rets[n] == ofPart { // in its part, the answer is that it is the key
		l.Rets = slices.Clone(l.Rets)
		l.Rets[n] = history.Value(k.name)
	}
}

// ofPart is what a part answers where the whole answers the key.
const ofPart = "key"

// mostFormulas is how many operations of an example formulas are evaluated for.
const mostFormulas = 8

// holds reports whether the theory says of the example what the row says.
func (r *Row) holds(s *theory.Spec, decides *theory.Sequences) bool {
	if len(r.Example) == 0 {
		return true
	}
	var labels []history.Label
	for _, step := range r.Example {
		labels = append(labels, step.labels()...)
	}
	if s.Headline() == theory.ByPatterns && len(labels) > mostFormulas {
		return s.Control == nil || runs(s.Control.Automaton, labels) != r.Never
	}
	admitted, covered, err := decides.Admits(context.Background(), labels)
	return err == nil && covered && admitted != r.Never
}

// names gives the values of an example the names that their types have.
func (r *Row) names(methods []history.MethodSig) {
	for i := range r.Example {
		l := &r.Example[i].Label
		if k := slices.IndexFunc(methods, func(m history.MethodSig) bool { return m.Name == l.Method }); k >= 0 {
			l.Args, l.Rets = shown(methods[k].Params, l.Args), shown(methods[k].Results, l.Rets)
		}
	}
}

func shown(types []values.Basic, vs []history.Value) []history.Value {
	if len(types) < len(vs) {
		return vs
	}
	return typename.Shown(types, vs)
}

func runs(a *automata.Automaton, labels []history.Label) bool {
	s, ok := a.Start(), true
	for i := 0; ok && i < len(labels); i++ {
		s, ok = a.Step(s, &labels[i])
	}
	return ok
}

func (s *Step) labels() (all []history.Label) {
	for i := range max(s.Times, 1) {
		l := s.Label
		if s.Count {
			first, _ := strconv.Atoi(string(l.Args[0]))
			l.Args = []history.Value{history.Value(strconv.Itoa(first + i))}
		}
		all = append(all, l)
	}
	return all
}

// listed is "a", "a and b", "a, b and c".
func listed(names []string, and string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " " + and + " " + names[n-1]
	}
	return strings.Join(names, "")
}

// steps are labels with the same ones in a row put together.
func steps(labels []history.Label) (all []Step) {
	for _, l := range labels {
		if n := len(all); n > 0 && all[n-1].Label.String() == l.String() {
			all[n-1].Times++
			continue
		}
		all = append(all, Step{Times: 1, Label: l})
	}
	return all
}

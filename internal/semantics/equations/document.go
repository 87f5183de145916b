package equations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Document is a Set as files have it.
type Document struct {
	Closed    bool           `json:"closed"`             // the laws determine every answer
	States    int            `json:"states"`             // on which they were tested
	Calls     int            `json:"calls"`              // of the longest run that led to one
	Replayed  int            `json:"replayed,omitempty"` // answers that followed from closed laws alone, without the reference; all were right
	Methods   []MethodText   `json:"methods"`
	Observers []ObserverText `json:"observers"`
}

// Decides reports whether the laws say what each call answers.
func (d *Document) Decides() bool { return d != nil && d.Closed }

// MethodText is a Method of a Document.
type MethodText struct {
	Name    string   `json:"name"`
	Params  []string `json:"params,omitempty"`  // "amount int"
	Answers []string `json:"answers,omitempty"` // "answer word withdraw": a part, its sort, and the observer that it is
	Pure    bool     `json:"pure,omitempty"`
}

// ObserverText is an Observer of a Document.
type ObserverText struct {
	Name   string      `json:"name"`
	Params []string    `json:"params,omitempty"`
	Sort   string      `json:"sort"`
	Method string      `json:"method,omitempty"` // how it is seen; see How. "": it counts calls
	Part   int         `json:"part,omitempty"`
	Repeat string      `json:"repeat,omitempty"`
	Last   *int        `json:"last,omitempty"`
	First  string      `json:"first,omitempty"` // a call: "define(flag, true)"
	Least  string      `json:"least,omitempty"`
	Word   string      `json:"word,omitempty"`
	From   *int        `json:"from,omitempty"`
	New    *int        `json:"new,omitempty"`
	Given  []string    `json:"given,omitempty"`
	Is     string      `json:"is,omitempty"` // laws, as Law.String writes them; "": none
	Start  string      `json:"start,omitempty"`
	After  []AfterText `json:"after,omitempty"`
}

// AfterText is what an observer is after a method.
type AfterText struct {
	Method string `json:"method"`
	Law    string `json:"law"`
}

// Document is the set as files have it.
func (s *Set) Document() *Document {
	d := &Document{Closed: s.Closed()}
	for _, m := range s.Methods {
		t := MethodText{Name: m.Name, Params: paramTexts(m.Params), Pure: m.Pure}
		for i, p := range m.Parts {
			t.Answers = append(t.Answers, fmt.Sprintf("%s %s %s", p.Name, s.Observers[m.Answers[i]].Name, p.Sort))
		}
		d.Methods = append(d.Methods, t)
	}
	for _, o := range s.Observers {
		h := o.How
		t := ObserverText{Name: o.Name, Params: paramTexts(o.Params), Sort: string(o.Sort), Method: h.Method, Part: h.Part, Repeat: h.Repeat, Least: h.Least, Word: h.Word}
		t.Last, t.From, t.New, t.Given = number[int](h.Last), number[int](h.From), h.New, h.Given
		if h.First != nil {
			t.First = h.First.String()
		}
		if len(o.Is.Rules) > 0 {
			t.Is = o.Is.String()
			d.Observers = append(d.Observers, t)
			continue
		}
		t.Start = o.Start.String()
		for m, l := range o.After {
			if !s.Methods[m].Pure {
				t.After = append(t.After, AfterText{s.Methods[m].Name, l.String()})
			}
		}
		d.Observers = append(d.Observers, t)
	}
	return d
}

// number is a number of another type; nil if there is none.
func number[T, F int | int64](n *F) *T {
	if n == nil {
		return nil
	}
	t := T(*n)
	return &t
}

// named counts the parameters of a name.
func named(ps []Param, name string) (n int) {
	for _, p := range ps {
		if p.Name == name {
			n++
		}
	}
	return n
}

func paramTexts(ps []Param) (all []string) {
	for _, p := range ps {
		all = append(all, p.Name+" "+string(p.Sort))
	}
	return all
}

func paramsOf(texts []string) (all []Param, err error) {
	for _, t := range texts {
		name, sort, ok := strings.Cut(t, " ")
		if !ok {
			return nil, fmt.Errorf("%q is no name with a sort", t)
		}
		all = append(all, Param{name, Sort(sort)})
	}
	return all, nil
}

// Parse reads a document.
func Parse(d *Document) (*Set, error) {
	s := &Set{Store: NewStore()}
	var err error
	for _, o := range d.Observers {
		e := Observer{Name: o.Name, Sort: Sort(o.Sort), How: How{Method: o.Method, Part: o.Part, Repeat: o.Repeat, Least: o.Least, Word: o.Word, Last: number[int64](o.Last), From: number[int64](o.From), New: o.New, Given: o.Given}, After: make([]Law, len(d.Methods))}
		if err := e.How.valid(e.Sort); err != nil {
			return nil, fmt.Errorf("observer %s: %w", o.Name, err)
		}
		if e.Params, err = paramsOf(o.Params); err != nil {
			return nil, fmt.Errorf("observer %s: %w", o.Name, err)
		}
		if slices.ContainsFunc(s.Observers, func(p Observer) bool { return p.Name == o.Name }) {
			return nil, fmt.Errorf("there are two observers %s", o.Name)
		}
		s.Observers = append(s.Observers, e)
	}
	for _, m := range d.Methods {
		e := Method{Name: m.Name, Pure: m.Pure}
		if e.Params, err = paramsOf(m.Params); err != nil {
			return nil, fmt.Errorf("method %s: %w", m.Name, err)
		}
		for _, a := range m.Answers {
			f := strings.SplitN(a, " ", 3)
			if len(f) < 3 {
				return nil, fmt.Errorf("method %s: %q is no part, observer and sort", m.Name, a)
			}
			o := slices.IndexFunc(s.Observers, func(o Observer) bool { return o.Name == f[1] })
			if o < 0 || len(s.Observers[o].Params) != len(e.Params) {
				return nil, fmt.Errorf("method %s: there is no observer %s with its parameters", m.Name, f[1])
			}
			e.Parts, e.Answers = append(e.Parts, Part{Name: f[0], Sort: Sort(f[2])}), append(e.Answers, o)
		}
		if slices.ContainsFunc(e.Params, func(p Param) bool { return p.Name == "answer" || p.Name == "outcome" || named(e.Params, p.Name) > 1 }) {
			return nil, fmt.Errorf("method %s: its parameters have names that are taken", m.Name)
		}
		s.Methods = append(s.Methods, e)
	}
	for i, o := range d.Observers {
		if err := cmp.Or(s.threshold(&s.Observers[i]), s.takesNew(&s.Observers[i])); err != nil {
			return nil, fmt.Errorf("observer %s: %w", o.Name, err)
		}
		if err := s.laws(&s.Observers[i], &o); err != nil {
			return nil, fmt.Errorf("observer %s: %w", o.Name, err)
		}
	}
	return s, s.ends()
}

// threshold is the error of an observer that is the least value of what is no such parameter.
func (s *Set) threshold(o *Observer) error {
	if o.How.Least == "" {
		if o.How.Word != "" {
			return fmt.Errorf("there is a word, and no parameter from which on it is answered")
		}
		return nil
	}
	m := s.Method(o.How.Method)
	if m < 0 {
		return fmt.Errorf("there is no method %q", o.How.Method)
	}
	q := s.Methods[m].fromOf(o)
	if q < 0 || o.How.Repeat != "" || o.How.Last != nil || o.Sort != Ints {
		return fmt.Errorf("it is not the least value of a parameter %s of %s, by the others", o.How.Least, o.How.Method)
	}
	return nil
}

// takesNew is an error if the method of an observer does not have the argument that is new,
// and the others.
func (s *Set) takesNew(o *Observer) error {
	h := &o.How
	m := s.Method(h.Method)
	if h.New != nil && (m < 0 || *h.New < 0 || *h.New >= len(s.Methods[m].Params) || len(o.Params)+len(h.Given) != len(s.Methods[m].Params)-1) {
		return fmt.Errorf("%s does not take a new argument and the others", h.Method)
	}
	return nil
}

// fromOf is the parameter of a method whose least value an observer is; -1: there is none,
// or the others are not those of the observer.
func (m *Method) fromOf(o *Observer) int {
	q := slices.IndexFunc(m.Params, func(p Param) bool { return p.Name == o.How.Least && p.Sort == Ints })
	if q >= 0 && !slices.Equal(slices.Delete(slices.Clone(m.Params), q, q+1), o.Params) {
		return -1
	}
	return q
}

func (s *Set) laws(o *Observer, t *ObserverText) (err error) {
	if o.How.First, err = s.first(o, t.First); err != nil {
		return err
	}
	if o.Is, err = s.parse(t.Is, o.Params); err != nil {
		return err
	}
	if o.Start, err = s.parse(t.Start, o.Params); err != nil {
		return err
	}
	for _, a := range t.After {
		m := s.Method(a.Method)
		if m < 0 {
			return fmt.Errorf("there is no method %s", a.Method)
		}
		if o.After[m], err = s.parse(a.Law, s.Methods[m].Scope(o)); err != nil {
			return err
		}
	}
	return nil
}

package observers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// projection is words as some registers see them.
type projection struct {
	*oracle
	letters []Letter
	known   map[string]verdict // of words
}

// What a projection has at most.
const (
	mostStates  = 16
	mostLetters = 48
)

// errLarge is the error of a projection that has more.
var errLarge = errors.New("what some of its values show has too many states")

// project is what some registers see of a data type: an automaton of which a state is the words with
// the same continuations up to a length.
func (o *oracle) project(registers int, letters []Letter, depth int) (*Observer, error) {
	p := &projection{oracle: o, letters: letters, known: map[string]verdict{}}
	x := &Observer{Name: o.theory.Name, Registers: registers, Constants: o.constants}
	words := [][]int{nil} // by state
	byRest := map[string]int{}
	first, err := p.rest(nil, depth)
	if err != nil {
		return nil, err
	}
	byRest[first] = 0
	for s := 0; s < len(words); s++ {
		for i := range p.letters {
			word := append(slices.Clip(words[s]), i)
			v, err := p.says(word)
			if err != nil {
				return nil, err
			}
			to := -1 // bad
			switch v {
			case silent:
				continue
			case admitted:
				rest, err := p.rest(word, depth)
				if err != nil {
					return nil, err
				}
				var ok bool
				if to, ok = byRest[rest]; !ok {
					to = len(words)
					byRest[rest] = to
					words = append(words, word)
				}
				if len(words) > mostStates {
					return nil, errLarge
				}
				if to == s {
					continue
				}
			}
			x.Transitions = append(x.Transitions, Transition{s, p.letters[i], to})
		}
	}
	for s := range words {
		x.States = append(x.States, fmt.Sprintf("s%d", s))
	}
	x.States, x.Bad = append(x.States, "bad"), len(words)
	for i := range x.Transitions {
		if x.Transitions[i].To < 0 {
			x.Transitions[i].To = x.Bad
		}
	}
	return x, nil
}

// letters lists what some registers see: each value is that of one, a constant, or another one. Operations
// with others alone are seen if others says so.
func (o *oracle) letters(registers int, others bool) (letters []Letter) {
	classes := []Class{Other}
	for i := range registers {
		classes = append(classes, Class(i))
	}
	for i := range o.constants {
		classes = append(classes, Constant-Class(i))
	}
	for _, m := range o.methods {
		for _, out := range m.Outcomes {
			all := [][]Class{nil}
			for range m.Args + out.Rets {
				var longer [][]Class
				for _, own := range all {
					for _, c := range classes {
						longer = append(longer, append(slices.Clip(own), c))
					}
				}
				all = longer
			}
			for _, own := range all {
				sees := func(c Class) bool { return c >= 0 }
				if others || !slices.Contains(own, Other) || slices.ContainsFunc(own, sees) {
					k := history.Kind{Method: m.Name, Outcome: out.Outcome}
					letters = append(letters, Letter{k, own[:m.Args:m.Args], own[m.Args:]})
				}
			}
		}
	}
	return letters
}

// rest is what may follow a word, up to a length.
func (p *projection) rest(word []int, depth int) (string, error) {
	var b strings.Builder
	for i := range p.letters {
		longer := append(slices.Clip(word), i)
		v, err := p.says(longer)
		if err != nil {
			return "", err
		}
		fmt.Fprint(&b, v)
		if v == admitted && depth > 1 {
			more, err := p.rest(longer, depth-1)
			if err != nil {
				return "", err
			}
			b.WriteString("(" + more + ")")
		}
	}
	return b.String(), nil
}

// says is whether some sequence that is seen as a word is admitted.
func (p *projection) says(word []int) (verdict, error) {
	key := fmt.Sprint(word)
	v, ok := p.known[key]
	if !ok {
		var err error
		if v, err = p.some(nil, word, 0); err != nil {
			return v, err
		}
		p.known[key] = v
	}
	return v, nil
}

// some is says of words that begin with given operations: other values are each of those before, or a
// new one.
func (p *projection) some(labels []history.Label, word []int, others int) (verdict, error) {
	if len(labels) == len(word) {
		return p.oracle.says(labels)
	}
	x := &p.letters[word[len(labels)]]
	best := silent
	err := p.concrete(history.Label{Kind: x.Kind}, x, others, func(l history.Label, others int) error {
		longer := append(slices.Clip(labels), l)
		v, err := p.oracle.says(longer)
		if v == admitted && err == nil {
			v, err = p.some(longer, word, others)
		}
		best = min(best, v)
		if err == nil && best == admitted {
			return errFound
		}
		return err
	})
	if err == errFound {
		err = nil
	}
	return best, err
}

var errFound = errors.New("found")

// concrete calls yield with the operations that a letter reads.
func (p *projection) concrete(l history.Label, x *Letter, others int, yield func(history.Label, int) error) error {
	own, classes := &l.Args, x.Args
	if len(l.Args) == len(x.Args) {
		own, classes = &l.Rets, x.Rets
	}
	if len(*own) == len(classes) {
		return yield(l, others)
	}
	was := *own
	next := func(v history.Value, others int) error {
		*own = append(slices.Clip(was), v)
		return p.concrete(l, x, others, yield)
	}
	switch c := classes[len(was)]; {
	case c >= 0:
		return next(history.Value(registerName(int(c))), others)
	case c <= Constant:
		return next(p.constants[Constant-c], others)
	}
	for i := range others + 1 {
		if err := next(value(i), max(others, i+1)); err != nil {
			return err
		}
	}
	return nil
}

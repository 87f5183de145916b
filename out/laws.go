package out

import (
	"fmt"
	"slices"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// lawGroup is the laws about one thing: a title, what it is, and a line for each law.
type lawGroup struct {
	title, says string
	lines       []lawLine
}

// lawLine is a law, with its smallest examples.
type lawLine struct {
	text     string
	examples []string
}

// lawPage is the laws of a theory in words.
type lawPage struct {
	title   string
	lead    []string
	seen    []lawGroup // by observer: what it is at first, and what changes it
	answers []lawGroup // by method
	unknown []string
	legend  []string

	set    *eq.Set
	fields []string       // of the records, if there is one type of them
	names  map[int]string // of observers
	twins  map[int]int    // two parts of an answer to which the same happens
	spec   *theory.Spec
	runs   *lawRuns // nil: the laws are open
}

// lawsOf puts the laws of a theory into words; nil: it has none.
func lawsOf(t *theory.Theory) *lawPage {
	if t.Spec.Laws == nil {
		return nil
	}
	set, err := eq.Parse(t.Spec.Laws)
	if err != nil {
		return nil
	}
	p := &lawPage{set: set, spec: &t.Spec, fields: fieldNames(t), names: map[int]string{}, twins: map[int]int{}}
	for o := range set.Observers {
		p.names[o] = p.nameOf(o)
	}
	for o := range set.Observers {
		p.pair(o)
	}
	d := t.Spec.Laws
	tested := fmt.Sprintf("tested on %s of runs of up to %s", wording.Count(d.States, "state"), wording.Count(d.Calls, "call"))
	if d.Closed {
		p.runs = runsOf(t, set)
		p.lead = append(p.lead, fmt.Sprintf("What stands here determines every answer: %s followed from it alone, all right; it was %s.", wording.Count(d.Replayed, "answer"), tested))
	} else {
		p.lead = append(p.lead, fmt.Sprintf("These laws do not determine every answer; they were %s.", tested))
	}
	for o := range set.Observers {
		if n, ok := p.twins[o-1]; !ok || n != o {
			p.observer(o)
		}
	}
	for m := range set.Methods {
		p.method(m, exampleOf(t, set.Methods[m].Name))
	}
	for o := range set.Observers {
		if set.Observers[o].How.Method == "" && p.mentions(p.names[o]) {
			p.note(o, p.seenBy(o))
		}
	}
	p.lead = append(p.lead, p.reading(t.New))
	p.title = p.shapes()
	return p
}

// reading says how laws are read.
func (p *lawPage) reading(made string) string {
	var all []string
	if made != "" {
		all = append(all, "Objects are made by "+made+".")
	}
	if p.mentions("fails") || p.mentions("succeeds") {
		all = append(all, "A call fails if it answers an error, and succeeds otherwise.")
	}
	all = append(all, "Of several cases the first that fits counts; a comparison with what is not there does not hold. What stands to the right of =, and behind if, was so before the call; the answer is what the call answered; what is not named stays.")
	return strings.Join(append(all, p.pure()...), " ")
}

// exampleOf is the longest of the short sequences that end in a call of a method.
func exampleOf(t *theory.Theory, method string) (best string) {
	if t.Status.Trial == nil {
		return ""
	}
	for _, k := range t.Status.Trial.Kinds {
		if _, last := cutLast(k, "; "); strings.HasPrefix(last, method+"(") || last == method || strings.HasPrefix(last, method+" ") {
			if len(k) > len(best) {
				best = k
			}
		}
	}
	return best
}

// pure names the methods that change nothing.
func (p *lawPage) pure() []string {
	var all []string
	for _, m := range p.set.Methods {
		if m.Pure {
			all = append(all, m.Name)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []string{listed(all) + map[bool]string{true: " changes", false: " change"}[len(all) == 1] + " nothing."}
}

// mentions reports whether a name stands somewhere.
func (p *lawPage) mentions(name string) bool {
	return slices.ContainsFunc(slices.Concat(p.seen, p.answers), func(g lawGroup) bool {
		return slices.ContainsFunc(g.lines, func(l lawLine) bool { return strings.Contains(l.text, name) })
	})
}

func callText(name string, params []eq.Param) string {
	if len(params) == 0 {
		return name
	}
	return eq.Head(name, params)
}

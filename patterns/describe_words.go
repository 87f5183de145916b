package patterns

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// A phrase says what an operation of one kind does with the value of its
// match: "remove returns V", "insert returns true for V", "add is called with V".
type phrase struct {
	method  string
	verb    verb
	object  string // what it returns beside or instead of the value: "true", "nil"
	prep    string // between object and value; "" where the value is the object
	noValue bool   // the kind speaks of no value
	noun    string // what the value is called
}

type verb struct{ present, never, ever, past string }

var (
	returns  = verb{"returns", "never returns", "ever returns", "returned"}
	succeeds = verb{"succeeds", "never succeeds", "ever succeeds", "succeeded"}
	panics   = verb{"panics", "never panics", "ever panics", "panicked"}
	isCalled = verb{"is called", "is never called", "is ever called", "was called"}
)

// phrase finds the words for a kind from its signature.
func (d *describer) phrase(k history.Kind) phrase {
	args, rets, outcomes := d.arity(k)
	p := phrase{method: k.Method, verb: returns, object: outcomeWord(k.Outcome), noun: d.noun}
	byArg := args > 0 && (rets == 0 || d.byArg && !d.echo[k] || d.isTarget[k])
	if shared, drawn := d.shared[k]; drawn && !shared && !d.isTarget[k] && !d.echo[k] {
		byArg = false // the argument belongs to nothing
	}
	switch {
	case k.Outcome == history.None && outcomes > 1:
		p.verb, p.object, p.prep = succeeds, "", "with"
	case k.Outcome == history.None:
		p.verb, p.object, p.prep = isCalled, "", "with"
	case k.Outcome == history.Panic:
		p.verb, p.object, p.prep = panics, "", "with"
	case byArg:
		p.prep = "for"
		if k.Outcome == history.Some && !d.keyed(k) {
			p.object = "something"
		}
	case k.Outcome == history.Some:
		p.object = ""
	case rets > 0:
		p.prep = "with"
	}
	p.noValue = !byArg && rets == 0
	return p
}

// arity is the number of argument and return values of a kind, and the number
// of outcomes its method has.
func (d *describer) arity(k history.Kind) (args, rets, outcomes int) {
	m := d.methods[k.Method]
	if m == nil {
		return 0, 0, 0
	}
	for _, o := range m.Outcomes {
		if o.Outcome == k.Outcome {
			rets = o.Rets
		}
	}
	return m.Args, rets, len(m.Outcomes)
}

// event: "insert returns true for it".
func (p phrase) event(value string) string {
	return words(p.method, p.verb.present, p.tail(value))
}

// twice: "insert returns true twice for the same value".
func (p phrase) twice() string {
	switch {
	case p.noValue:
		return words(p.method, p.verb.present, p.object, "twice")
	case p.prep == "":
		return words(p.method, p.verb.present, "the same "+p.noun+" twice")
	}
	return words(p.method, p.verb.present, p.object, "twice", p.prep, "the same "+p.noun)
}

// which: "that remove" + predicate, "for which insert" + predicate + " true".
func (p phrase) which(subject, predicate string) string {
	if p.prep == "" {
		return words("that", subject, predicate)
	}
	return words(p.prep, "which", subject, predicate, p.object)
}

// nobody joins phrases that differ in the method alone: subject and verb of
// "remove never returns", "neither take nor steal ever returns".
func nobody(ps []phrase) (subject, predicate string) {
	var names []string
	for _, p := range ps {
		names = append(names, p.method)
	}
	switch v := ps[0].verb; len(ps) {
	case 1:
		return names[0], v.never
	case 2:
		return "neither " + list(names, "nor"), v.ever
	default:
		return "none of " + list(names, "and"), v.ever
	}
}

// alike puts together phrases that differ in the method alone.
func alike(ps []phrase) [][]phrase {
	var groups [][]phrase
next:
	for _, p := range ps {
		for i, g := range groups {
			q := g[0]
			if q.method = p.method; q == p {
				groups[i] = append(g, p)
				continue next
			}
		}
		groups = append(groups, []phrase{p})
	}
	return groups
}

func (p phrase) tail(value string) string {
	if p.noValue {
		return p.object
	}
	return words(p.object, p.prep, value)
}

// words joins what is not empty.
func words(ws ...string) string { return joined(" ", ws) }

func joined(sep string, parts []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" }), sep)
}

// outcomeWord is an outcome as the object of "returns".
func outcomeWord(o history.Outcome) string {
	switch o {
	case history.None:
		return ""
	case history.Some:
		return "a value"
	case history.Error:
		return "an error"
	}
	return string(o)
}

// list joins words: "a", "a and b", "a, b and c".
func list(ws []string, and string) string {
	if len(ws) < 2 {
		return strings.Join(ws, "")
	}
	last := len(ws) - 1
	return strings.Join(ws[:last], ", ") + " " + and + " " + ws[last]
}

// ordinal is "first", "second", ...; numbers from the eleventh on.
func ordinal(n int) string {
	small := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if n <= len(small) {
		return small[n-1]
	}
	switch {
	case n%10 == 1 && n%100 != 11:
		return strconv.Itoa(n) + "st"
	case n%10 == 2 && n%100 != 12:
		return strconv.Itoa(n) + "nd"
	case n%10 == 3 && n%100 != 13:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}

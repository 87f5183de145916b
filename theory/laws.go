package theory

import (
	"github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// lawsForm is the form of laws. What they say is read once all of it is there.
var lawsForm = object("laws",
	need("closed", truth("closed"), func(l *equations.Document) *bool { return &l.Closed }).
		about("They determine every answer."),
	count("states", func(l *equations.Document) *int { return &l.States }),
	count("calls", func(l *equations.Document) *int { return &l.Calls }),
	may("replayed", number("replayed", 0, -1).defined("count"), func(l *equations.Document) *int { return &l.Replayed }).
		about("Answers that followed from the laws alone, and were right."),
	need("methods", list("methods", object("a method with laws",
		need("name", name("a method's name"), func(m *equations.MethodText) *string { return &m.Name }),
		may("params", list("params", line("a parameter")).flow(), func(m *equations.MethodText) *[]string { return &m.Params }).
			about("Names with sorts: amount int."),
		may("answers", list("answers", line("a part of an answer")).flow(), func(m *equations.MethodText) *[]string { return &m.Answers }).
			about("Parts of its answer, each with the observer that it is and a sort: answer balance int."),
		may("pure", truth("pure"), func(m *equations.MethodText) *bool { return &m.Pure }).
			about("It changes nothing."),
	)), func(l *equations.Document) *[]equations.MethodText { return &l.Methods }),
	need("observers", list("observers", object("an observer",
		need("name", name("an observer's name"), func(o *equations.ObserverText) *string { return &o.Name }),
		may("params", list("params", line("a parameter")).flow(), func(o *equations.ObserverText) *[]string { return &o.Params }),
		need("sort", line("a sort"), func(o *equations.ObserverText) *string { return &o.Sort }),
		may("method", name("a method's name"), func(o *equations.ObserverText) *string { return &o.Method }).
			about("What answers it, on a copy of the object; without one it counts calls."),
		may("part", number("part", 0, -1).defined("count"), func(o *equations.ObserverText) *int { return &o.Part }).
			about("The part of that answer, from 0."),
		may("repeat", name("a method's name"), func(o *equations.ObserverText) *string { return &o.Repeat }).
			about("The method that is called again and again, until nothing changes: the observer is the list of the answers."),
		may("last", some(number("last", 0, -1).defined("count")), func(o *equations.ObserverText) **int { return &o.Last }).
			about("The last argument, if it is no parameter."),
		may("first", line("a call"), func(o *equations.ObserverText) *string { return &o.First }).
			about("A call that comes before the one that answers, of parameters and constants: define(flag, true). The first parameters are those of the one that answers."),
		may("least", line("a parameter"), func(o *equations.ObserverText) *string { return &o.Least }).
			about("The int parameter of the method that is none of the observer's: the observer is its least value from which on the method answers word; always, never."),
		may("word", line("a word"), func(o *equations.ObserverText) *string { return &o.Word }).
			about("The word that the method answers from there on; without one it answers a value."),
		may("from", some(number("from", 0, -1).defined("count")), func(o *equations.ObserverText) **int { return &o.From }).
			about("The first of the last arguments, each larger by 1, of calls that answer values: the observer is the list of these."),
		may("new", some(number("new", 0, -1).defined("count")), func(o *equations.ObserverText) **int { return &o.New }).
			about("The argument, from 0, that is new, one call after the other, until nothing changes, or it is answered: the observer is the list of the answers that are values."),
		may("given", list("given", line("a value")).flow(), func(o *equations.ObserverText) *[]string { return &o.Given }).
			about("The other arguments, if they are no parameters."),
		may("is", line("a law"), func(o *equations.ObserverText) *string { return &o.Is }).
			about("What it is by other observers, at any time."),
		may("start", line("a law"), func(o *equations.ObserverText) *string { return &o.Start }).
			about("What it is at first."),
		may("after", list("after", object("what an observer is after a method",
			need("method", name("a method's name"), func(a *equations.AfterText) *string { return &a.Method }),
			need("law", line("a law"), func(a *equations.AfterText) *string { return &a.Law }),
		)), func(o *equations.ObserverText) *[]equations.AfterText { return &o.After }).
			about("What it is after each method that changes anything, by observers before; ? where nothing is known."),
	)), func(l *equations.Document) *[]equations.ObserverText { return &l.Observers }),
).defined("laws")

var lawsField = may("laws", some(lawsForm), func(s *Spec) **equations.Document { return &s.Laws }).
	then(func(d *decoder, n *node, s *Spec) {
		if s.Laws == nil {
			return
		}
		set, err := equations.Parse(s.Laws)
		switch {
		case err != nil:
			d.fail(n, "%v", err)
		case s.Laws.Closed && !set.Closed():
			d.fail(n, "laws are said to be closed, and some are missing")
		}
	}).
	about("Conditional equations between what can be seen of an object. Closed ones decide logs where the reference is not at hand.")

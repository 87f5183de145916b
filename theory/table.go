package theory

import (
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// The forms of plain values, which messages call what.

func text(what string) form[string] {
	return form[string]{
		read:   func(d *decoder, n *node, to *string) { *to = d.text(n, what) },
		node:   func(s *string) *node { return str(*s) },
		schema: schema{{"type", "string"}},
	}
}

// line is a text of one line.
func line(what string) form[string] {
	f := text(what).with("pattern", `^[^\r\n]*\S[^\r\n]*$`).defined("line")
	f.read = func(d *decoder, n *node, to *string) { *to = d.line(n, what) }
	return f
}

// matching is a text that has a pattern, which messages call like.
func matching(what, pattern, like string) form[string] {
	f, re := text(what).with("pattern", pattern), wording.Regexp(pattern)
	f.read = func(d *decoder, n *node, to *string) {
		if *to = d.text(n, what); d.err == nil && !re().MatchString(*to) {
			d.fail(n, "%s is %s, not %q", what, like, *to)
		}
	}
	return f
}

// name is a name that formulas may use.
func name(what string) form[string] {
	f := text(what).with("pattern", `^[\p{L}_][\p{L}\p{Nd}_]*$`).defined("name")
	f.read = func(d *decoder, n *node, to *string) { *to = d.name(n, what) }
	return f
}

// word is one of several words.
func word(what string, words ...string) form[string] {
	var all []any
	for _, w := range words {
		all = append(all, w)
	}
	f := text(what)
	f.read = func(d *decoder, n *node, to *string) { *to = d.word(n, what, words...) }
	f.schema = schema{{"enum", all}}
	return f
}

// number is a number from least to most, or without end if most is negative.
func number(what string, least, most int) form[int] {
	f := form[int]{
		read:   func(d *decoder, n *node, to *int) { *to = d.number(n, what, least, most) },
		node:   func(i *int) *node { return num(*i) },
		schema: schema{{"type", "integer"}, {"minimum", least}},
	}
	if most >= 0 {
		f = f.with("maximum", most)
	}
	return f
}

func arity(what string) form[int] { return number(what, 0, maxArity).defined("arity") }

// count is a required number.
func count[S any](name string, of func(*S) *int) field[S] {
	return need(name, number(name, 0, -1).defined("count"), of)
}

func truth(what string) form[bool] {
	return form[bool]{
		read:   func(d *decoder, n *node, to *bool) { *to = d.truth(n, what) },
		node:   func(b *bool) *node { return boolean(*b) },
		schema: schema{{"type", "boolean"}},
	}
}

// formulaOf is a formula with the given free variables.
func formulaOf(free ...string) form[formula.Formula] {
	return form[formula.Formula]{
		read: func(d *decoder, n *node, to *formula.Formula) { *to = d.formula(n, free...) },
		node: func(f *formula.Formula) *node { return formulaNode(*f) },
		schema: schema{{"$ref", definition{"formula", schema{{"type", "string"},
			{"description", "A first-order formula over operations, in the grammar of docs/formats.md."}}}}},
	}
}

// constant is a field that is the same in all files; head has checked it.
func constant(name, value string) field[Theory] {
	return field[Theory]{
		name: name, required: true, schema: schema{{"const", value}},
		read: func(*decoder, *node, *Theory) {},
		node: func(*Theory) *node { return str(value) },
	}
}

var theoryForm = object("a theory",
	constant("apiVersion", APIVersion),
	constant("kind", theoryKind),
	need("metadata", object("metadata",
		need("name", line("a theory's name"), func(t *Theory) *string { return &t.Name }),
		may("new", line("a constructor's call"), func(t *Theory) *string { return &t.New }).
			about("The Go expression that made the objects of the reference, such as NewRing(4)."),
	), func(t *Theory) *Theory { return t }),
	need("spec", specForm, func(t *Theory) *Spec { return &t.Spec }),
	given("status", statusOf, func(t *Theory) *Status { return &t.Status }).
		when(func(t *Theory) bool { return t.Status.given() }).
		then(func(d *decoder, n *node, t *Theory) { d.agree(n, &t.Spec, &t.Status) }),
)

var specForm = object("spec",
	given("width", number("width", 1, maxDrawn), func(s *Spec) *int { return &s.Width }).
		when(func(s *Spec) bool { return !s.bare() }).otherwise(1).
		about("How many operations may take effect together, and of a pattern overlap; 1 is sequential."),
	methodsField,
	may("mayFail", list("mayFail", kindForm("what may fail")).with("uniqueItems", true).flow(), func(s *Spec) *[]history.Kind { return &s.MayFail }).
		then(func(d *decoder, n *node, s *Spec) { once(d, n, s.MayFail) }).after().
		about("Operations, as METHOD=OUTCOME, that are allowed in every state and change nothing; the rest of the theory does not see them."),
	languageField,
	predicatesField,
	matchingField.when(func(s *Spec) bool { return !s.bare() }),
	may("beyond", list("beyond", rule("statement beyond the language")), func(s *Spec) *[]Rule { return &s.Beyond }).after().
		about("What holds of every admitted execution, whether in the language or not."),
	may("axioms", list("axioms", rule("axiom")), func(s *Spec) *[]Rule { return &s.Axioms }).after().
		about("What holds of every admitted execution in the language, beside the patterns or instead of them."),
	may("patterns", list("patterns", patternForm), func(s *Spec) *[]Pattern { return &s.Patterns }).after(),
	controlField, productField, automatonField, modelField, lawsField,
).defined("spec")

// schemeForm is the part of a spec that scheme files have, each field optional.
var schemeForm = object("a scheme", languageField, predicatesField, matchingField)

var (
	methodsField  = need("methods", list("methods", methodForm), func(s *Spec) *[]history.MethodSig { return &s.Methods })
	languageField = may("language", list("language", rule("rule of the language")), func(s *Spec) *[]Rule { return &s.Language }).after().
			about("Which executions the theory speaks of.")
	predicatesField = may("predicates", list("predicates", predicateForm), func(s *Spec) *[]formula.Predicate { return &s.Predicates })
	matchingField   = given("matching", matchingForm, func(s *Spec) *Matching { return &s.Matching }).after()
)

var methodForm = object("a method",
	need("name", name("a method's name"), func(m *history.MethodSig) *string { return &m.Name }).
		then(func(d *decoder, n *node, m *history.MethodSig) { d.declare(n, "method", m.Name) }),
	given("args", arity("args"), func(m *history.MethodSig) *int { return &m.Args }).
		otherwise(0).about("Number of argument values."),
	may("variadic", truth("variadic"), func(m *history.MethodSig) *bool { return &m.Variadic }).
		then(func(d *decoder, n *node, m *history.MethodSig) {
			if m.Variadic && m.Args == 0 {
				d.fail(n, "method %s takes no arguments, so none of them is a list of any number", m.Name)
			}
		}).about("The last argument is a list, such as [1 2]; logs may also write any number of arguments for it."),
	paramsField,
	need("outcomes", list("outcomes", outcomeForm).with("minItems", 1).flow(), func(m *history.MethodSig) *[]history.OutcomeSig { return &m.Outcomes }).
		then((*decoder).outcomes),
	resultsField,
	structsField,
	may("aliases", list("aliases", name("an alias")).flow(), func(m *history.MethodSig) *[]string { return &m.Aliases }).
		then(func(d *decoder, n *node, m *history.MethodSig) {
			for i, a := range m.Aliases {
				d.declare(n.Content[i], "method", a)
			}
		}).about("Names that logs use for the same method."),
	may("notNil", list("notNil", number("an argument's number", 1, maxArity)).with("uniqueItems", true).flow(), func(m *history.MethodSig) *[]int { return &m.NotNil }).
		then(func(d *decoder, n *node, m *history.MethodSig) {
			for i, p := range m.NotNil {
				if p > m.Args || slices.Contains(m.NotNil[:i], p) {
					d.fail(n.Content[i], "method %s has %s, so %d is not another one of them", m.Name, counted(m.Args, "argument"), p)
				}
			}
		}).about("Arguments, from 1, that must not be nil: of calls in which they are the theory says nothing."),
).defined("method")

var outcomeForm = object("an outcome",
	need("outcome", form[history.Outcome]{
		read: func(d *decoder, n *node, to *history.Outcome) { *to = d.outcome(n) },
		node: func(o *history.Outcome) *node { return str(string(*o)) },
		schema: schema{{"type", "string"}, {"pattern", `^\p{L}[\p{L}_-]+$`},
			{"not", schema{{"enum", []any{"null", "empty"}}}}},
	}, func(o *history.OutcomeSig) *history.Outcome { return &o.Outcome }),
	may("returns", arity("returns"), func(o *history.OutcomeSig) *int { return &o.Rets }).
		otherwise(0).about("Number of values that come with the outcome."),
	may("error", line("an error's text"), func(o *history.OutcomeSig) *string { return &o.Error }).
		about("The text of the error that the outcome is: logs write it behind \"error:\"."),
	may("beside", list("beside", text("a result")).with("minItems", 1).flow(), func(o *history.OutcomeSig) *[]string { return &o.Beside }).
		about("What the method's results are in front of false or the error, if not zero: always these."),
).flow().defined("outcome")

// kindForm is a method with an outcome, as METHOD=OUTCOME.
func kindForm(what string) form[history.Kind] {
	return form[history.Kind]{
		read: func(d *decoder, n *node, to *history.Kind) {
			ks, err := history.Parse(d.spec.Methods, []string{d.text(n, what)})
			if err != nil {
				d.fail(n, "%s", strings.Replace(err.Error(), "what may fail", what, 1))
				return
			}
			*to = ks[0]
		},
		node:   func(k *history.Kind) *node { return str(history.Kinds{*k}.Texts()[0]) },
		schema: schema{{"type", "string"}, {"pattern", `^[^=]+=[^=]+$`}},
	}
}

// once refuses kinds that are listed twice.
func once(d *decoder, n *node, ks []history.Kind) {
	for i, k := range ks {
		if slices.Contains(ks[:i], k) {
			d.fail(n.Content[i], "%s=%s is listed twice", k.Method, k.Outcome)
		}
	}
}

// rule is the form of a rule, which messages call what.
func rule(what string) form[Rule] {
	article := "a "
	if what == "axiom" {
		article = "an "
	}
	return object(article+what,
		need("name", line("a rule's name"), func(r *Rule) *string { return &r.Name }).
			then(func(d *decoder, n *node, r *Rule) { d.declare(n, what, r.Name) }),
		may("reading", line("a reading"), func(r *Rule) *string { return &r.Reading }),
		need("formula", formulaOf(), func(r *Rule) *formula.Formula { return &r.Formula }).
			then(func(d *decoder, n *node, r *Rule) {
				if f := formula.Expand(r.Formula, d.spec.vocabulary()); what != "statement beyond the language" && !formula.Compile(f)(&run{}, nil) {
					d.fail(n, "this does not hold of an execution without operations, which every data type has: then no execution would be right")
				}
			}),
	).defined("rule")
}

var predicateForm = object("a predicate",
	need("name", name("a predicate's name"), func(p *formula.Predicate) *string { return &p.Name }).
		then(func(d *decoder, n *node, p *formula.Predicate) {
			if d.declare(n, "predicate", p.Name); slices.Contains(builtin, p.Name) {
				d.fail(n, "%q has a meaning of its own in formulas; choose another name", p.Name)
			}
		}),
	need("params", list("params", name("a parameter")).with("uniqueItems", true).flow(), func(p *formula.Predicate) *[]string { return &p.Params }).
		then(func(d *decoder, n *node, p *formula.Predicate) {
			for i, x := range p.Params {
				if slices.Contains(p.Params[:i], x) {
					d.fail(n.Content[i], "parameter %q is declared twice", x)
				}
			}
		}),
	field[formula.Predicate]{
		name: "formula", required: true, schema: formulaOf().schema,
		read: func(d *decoder, n *node, p *formula.Predicate) { p.Body = d.formula(n, p.Params...) },
		node: func(p *formula.Predicate) *node { return formulaNode(p.Body) },
	},
).defined("predicate")

// modes are the words for matching schemes that are not, and are, Past.
var modes = map[bool]string{false: "timeless", true: "past"}

var matchingForm = object("matching",
	given("mode", form[bool]{
		read: func(d *decoder, n *node, to *bool) {
			*to = d.word(n, "mode", modes[false], modes[true]) == modes[true]
		},
		node:   func(past *bool) *node { return str(modes[*past]) },
		schema: schema{{"enum", []any{modes[false], modes[true]}}},
	}, func(m *Matching) *bool { return &m.Past }).otherwise(modes[false]),
	need("target", list("target", formulaOf("x", "y")), func(m *Matching) *[]formula.Formula { return &m.Target }).
		about("The match target of x is the y that satisfies the first formula any y satisfies."),
	field[Matching]{
		name: "readonly", schema: formulaOf().schema.with("default", "false"),
		read: func(d *decoder, n *node, m *Matching) { m.ReadOnly = d.formula(n, "x") },
		node: func(m *Matching) *node {
			if m.ReadOnly == nil {
				return formulaNode(formula.Const(false))
			}
			return formulaNode(m.ReadOnly)
		},
	},
).defined("matching")

var patternForm = object("a pattern",
	need("name", line("a pattern's name"), func(p *Pattern) *string { return &p.Name }).
		then(func(d *decoder, n *node, p *Pattern) { d.declare(n, "pattern", p.Name) }),
	need("weight", number("a weight", 0, -1).defined("count"), func(p *Pattern) *int { return &p.Weight }).
		then(func(d *decoder, n *node, p *Pattern) {
			if w := p.History.Weight(); p.Weight != w {
				d.fail(n, "the drawing's weight is %d, not %d", w, p.Weight)
			}
		}).after(),
	may("group", line("a group"), func(p *Pattern) *string { return &p.Group }),
	may("reading", line("a reading"), func(p *Pattern) *string { return &p.Reading }),
	field[Pattern]{
		name: "drawing", required: true, schema: text("").schema,
		read: (*decoder).drawing,
		node: func(p *Pattern) *node {
			if strings.TrimSpace(p.Drawing) == "" {
				return str(tidy(history.Draw(&p.History, nil)))
			}
			return str(tidy(p.Drawing))
		},
	},
	field[Pattern]{
		name: "formula", required: true, late: true, schema: formulaOf().schema,
		read: func(d *decoder, n *node, p *Pattern) { p.Formula = d.formula(n) },
		node: func(p *Pattern) *node {
			if p.Formula == nil {
				return formulaNode(formula.Simplify(formula.Embed(&p.History)))
			}
			return formulaNode(p.Formula)
		},
	}.then((*decoder).compare),
).defined("pattern")

var statusForm = object("status",
	need("strategy", word("strategy", "frontier"), func(s *Status) *string { return &s.Strategy }),
	need("faithful", checked("faithful"), func(s *Status) *Check { return &s.Faithful }),
	need("normal", checked("normal"), func(s *Status) *Check { return &s.Normal }),
	need("weights", list("weights", object("a weight's status",
		count("weight", func(w *WeightStatus) *int { return &w.Weight }),
		count("candidates", func(w *WeightStatus) *int { return &w.Candidates }),
		count("admitted", func(w *WeightStatus) *int { return &w.Admitted }),
		count("new", func(w *WeightStatus) *int { return &w.New }),
	).flow()), func(s *Status) *[]WeightStatus { return &s.Weights }),
	need("crossCheck", object("crossCheck",
		count("length", func(c *CrossCheck) *int { return &c.Length }),
		count("histories", func(c *CrossCheck) *int { return &c.Histories }),
		count("admitted", func(c *CrossCheck) *int { return &c.Admitted }),
		count("falseAlarms", func(c *CrossCheck) *int { return &c.FalseAlarms }),
		count("missed", func(c *CrossCheck) *int { return &c.Missed }),
	), func(s *Status) *CrossCheck { return &s.CrossCheck }),
	may("synthesis", some(object("synthesis",
		count("languages", func(s *Synthesis) *int { return &s.Languages }),
		count("length", func(s *Synthesis) *int { return &s.Length }),
		count("executions", func(s *Synthesis) *int { return &s.Executions }),
		count("pairs", func(s *Synthesis) *int { return &s.Pairs }),
	)), func(s *Status) **Synthesis { return &s.Synthesis }).
		about("How language and matching were found, if the reference did not bring them."),
	given("beyond", checked("beyond"), func(s *Status) *Check { return &s.Beyond }).
		when(func(s *Status) bool { return s.Beyond.Executions > 0 }),
	longRunsField, mutantsField,
	productStatusField, automatonStatusField, controlStatusField, triedField, notCoveredField, forcedField,
).with("description", "What was checked, to which bound, with which result. Written by the inference, never edited by hand.").
	defined("status")

// otherStatusForm is the status of a theory that has no patterns.
var otherStatusForm = object("status",
	may("trial", some(trialForm), func(s *Status) **origin.Trial { return &s.Trial }),
	productStatusField, automatonStatusField, controlStatusField, triedField,
	longRunsField, mutantsField, notCoveredField, forcedField,
).defined("otherStatus")

var statusOf = either([]string{"trial", "product", "automaton", "control", "tried"}, "strategy", otherStatusForm, statusForm, (*Status).other).
	defined("anyStatus")

var (
	longRunsField = may("longRuns", some(longRunsForm), func(s *Status) **LongRuns { return &s.LongRuns }).
			about("Random sequences of the reference that the theory was held against.")
	mutantsField = may("mutants", some(mutantsForm), func(s *Status) **Mutants { return &s.Mutants }).
			about("Wrong versions of the reference that the theory was held against.")
	forcedField = may("forced", truth("forced"), func(s *Status) *bool { return &s.Forced }).
			otherwise(false).about("Written although a check failed.")
	productStatusField = may("product", some(productStatusForm), func(s *Status) **ProductStatus { return &s.Product }).
				about("How the product was found, and its part.")
	automatonStatusField = may("automaton", some(extentForm), func(s *Status) **Extent { return &s.Automaton }).
				about("How far the automaton was compared with the reference.")
	controlStatusField = may("control", some(extentForm), func(s *Status) **Extent { return &s.Control }).
				about("How far control and patterns were compared with the reference.")
	triedField = may("tried", list("tried", line("an item of tried")), func(s *Status) *[]string { return &s.Tried }).
			about("Descriptions that were looked for, and why they do not fit.")
)

var notCoveredField = may("notCovered", list("notCovered", line("an item of notCovered")), func(s *Status) *[]string { return &s.NotCovered }).
	about("What the theory says nothing about, beside what its language leaves out.")

func checked(what string) form[Check] {
	return object(what,
		count("length", func(c *Check) *int { return &c.Length }),
		count("executions", func(c *Check) *int { return &c.Executions }),
		need("holds", truth("holds"), func(c *Check) *bool { return &c.Holds }),
		may("witness", text("witness"), func(c *Check) *string { return &c.Witness }),
	).defined("check")
}

var longRunsForm = object("longRuns",
	count("sequences", func(r *LongRuns) *int { return &r.Sequences }),
	count("calls", func(r *LongRuns) *int { return &r.Calls }),
	count("longest", func(r *LongRuns) *int { return &r.Longest }),
	may("witness", text("witness"), func(r *LongRuns) *string { return &r.Witness }).
		about("The shortest run about which the theory is wrong."),
)

func aMutant(what string) form[Mutant] {
	return object(what,
		need("name", line("a mutant's name"), func(m *Mutant) *string { return &m.Name }),
		need("shows", line("what shows a mutant"), func(m *Mutant) *string { return &m.Shows }),
		count("calls", func(m *Mutant) *int { return &m.Calls }),
	)
}

var mutantsForm = object("mutants",
	count("made", func(m *Mutants) *int { return &m.Made }),
	count("equivalent", func(m *Mutants) *int { return &m.Equivalent }),
	may("alike", number("alike", 0, -1).defined("count"), func(m *Mutants) *int { return &m.Alike }).
		about("Of the equivalent ones, those that leave the very states that the reference leaves."),
	may("states", number("states", 0, -1).defined("count"), func(m *Mutants) *int { return &m.States }).
		about("In how many states of the reference that was looked at."),
	count("seen", func(m *Mutants) *int { return &m.Seen }),
	count("words", func(m *Mutants) *int { return &m.Words }),
	may("rejected", list("rejected", aMutant("a rejected mutant")), func(m *Mutants) *[]Mutant { return &m.Rejected }).
		about("What the theory rejects of each that it has seen."),
	may("unseen", list("unseen", aMutant("an unseen mutant")), func(m *Mutants) *[]Mutant { return &m.Unseen }),
	may("dropped", list("dropped", line("an item of dropped")), func(m *Mutants) *[]string { return &m.Dropped }),
)

package theory

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// texts are one-line texts that tempt a YAML writer.
var texts = []string{
	"plain", "true", "no", "~", "null", "1", "1.5e3", "0x10", "2001-01-01", "- a", "a: b", "a #b", "#a", "'", `"`,
	"it's", " lead", "trail ", "{a}", "[a]", "*a", "&a", "!a", "%a", "@a", "`a`", "a\tb", "\u00e4\u2028", "日本", "?", "=", "<<", `\n`,
	strings.Repeat("long text ", 20) + "end",
}

// genTheory generates theories that Read must accept.
var genTheory = rapid.Custom(func(t *rapid.T) *Theory {
	text := rapid.SampledFrom(texts)
	th := &Theory{Name: text.Draw(t, "name"), Spec: Spec{Width: rapid.IntRange(1, 3).Draw(t, "width")}}
	th.Spec.Methods = genMethods(t)
	if rapid.Bool().Draw(t, "model") {
		genModel(t, th)
		return th
	}
	if rapid.Bool().Draw(t, "no formulas") {
		th.Spec.Width, th.Spec.Matching.ReadOnly = 1, formula.Const(false)
		genDescriptions(t, &th.Spec, &th.Status, 2)
		return th
	}
	v := th.Vocabulary()
	th.Spec.Language = genRules(t, v, "language")
	if rapid.Bool().Draw(t, "predicate") {
		f, _ := formula.Parse("before(a, b) | a = b", v, "a", "b")
		th.Spec.Predicates = []formula.Predicate{{Name: "leq", Params: []string{"a", "b"}, Body: f}}
	}
	th.Spec.Matching = Matching{
		Past:     rapid.Bool().Draw(t, "past"),
		Target:   rapid.SliceOfN(genFormula(v, "x", "y"), 0, 3).Draw(t, "target"),
		ReadOnly: genFormula(v, "x").Draw(t, "readonly"),
	}
	if len(th.Spec.Matching.Target) == 0 {
		th.Spec.Matching.Target = nil
	}
	th.Spec.Axioms = genRules(t, v, "axioms")
	for i, n := 0, rapid.IntRange(0, 3).Draw(t, "patterns"); i < n; i++ {
		p := genPattern(t, th.Spec.Methods)
		p.Name = texts[i] + " pattern"
		p.Group, p.Reading = text.Draw(t, "group"), text.Draw(t, "reading")
		th.Spec.Patterns = append(th.Spec.Patterns, p)
	}
	if rapid.Bool().Draw(t, "status") {
		n := rapid.IntRange(0, 1<<40)
		th.Status = Status{
			Strategy:   "frontier",
			Faithful:   Check{n.Draw(t, "length"), n.Draw(t, "executions"), true, ""},
			Normal:     Check{n.Draw(t, "length"), n.Draw(t, "executions"), false, text.Draw(t, "witness")},
			Weights:    []WeightStatus{{1, n.Draw(t, "candidates"), 3, 4}, {2, 5, n.Draw(t, "admitted"), 7}},
			CrossCheck: CrossCheck{1, n.Draw(t, "histories"), 3, 4, 5},
			Forced:     rapid.Bool().Draw(t, "forced"),
		}
		if rapid.Bool().Draw(t, "synthesis") {
			th.Status.Synthesis = &Synthesis{1, n.Draw(t, "length"), n.Draw(t, "executions"), n.Draw(t, "pairs")}
		}
		if rapid.Bool().Draw(t, "long runs") {
			th.Status.LongRuns = &LongRuns{1, n.Draw(t, "calls"), 3, text.Draw(t, "witness")}
		}
		if rapid.Bool().Draw(t, "mutants") {
			th.Status.Mutants = &Mutants{Made: 9, Equivalent: n.Draw(t, "equivalent"), Seen: 3, Words: n.Draw(t, "words")}
			if rapid.Bool().Draw(t, "unseen") {
				th.Status.Mutants.Rejected = []Mutant{{"remove does nothing", "remove => 1; remove => 1", 2}}
				th.Status.Mutants.Unseen = []Mutant{{"add does nothing", "add(1); remove => -", 2}, {"yes", "no: 1", n.Draw(t, "calls")}}
				th.Status.Mutants.Dropped = []string{"add: #1", text.Draw(t, "dropped")}
			}
		}
		if rapid.Bool().Draw(t, "covered") {
			th.Status.NotCovered = []string{"method Drain is skipped: no value", text.Draw(t, "not covered")}
		}
	}
	if rapid.Bool().Draw(t, "more descriptions") {
		st := &th.Status
		if st.Strategy == "" {
			st = &Status{}
		}
		genDescriptions(t, &th.Spec, st, 1)
	}
	if len(th.Spec.Patterns) > 0 && rapid.Bool().Draw(t, "control") {
		th.Spec.Control = &Control{Automaton: genAutomaton(t, th.Spec.Methods), Complete: rapid.Bool().Draw(t, "complete")}
		if m := th.Spec.Methods[0]; rapid.Bool().Draw(t, "hidden") {
			th.Spec.Control.Hidden = []history.Kind{{Method: m.Name, Outcome: m.Outcomes[0].Outcome}}
		}
		if th.Status.Strategy != "" {
			th.Status.Control = genExtent(t)
		}
	}
	return th
})

// genDescriptions adds descriptions without formulas, with parts up to a depth.
func genDescriptions(t *rapid.T, s *Spec, st *Status, depth int) {
	n := rapid.IntRange(0, 1<<40)
	keyed := slices.IndexFunc(s.Methods, func(m history.MethodSig) bool { return m.Args > 0 })
	if depth > 0 && keyed >= 0 && rapid.Bool().Draw(t, "product") {
		p := &Product{Part: newSpec()}
		for i, m := range s.Methods {
			k := Key{Method: m.Name, Role: InAll}
			switch {
			case m.Args > 0 && (i == keyed || rapid.Bool().Draw(t, "keyed")):
				k.Role, k.Arg = ByKey, rapid.IntRange(0, m.Args-1).Draw(t, "key")
				m.Args--
			case len(m.Outcomes) == 1 && m.Outcomes[0].Rets == 1:
				k.Role = SumOfAll
			}
			m.Aliases, m.NotNil = nil, nil
			p.Keys, p.Part.Methods = append(p.Keys, k), append(p.Part.Methods, m)
		}
		status := &ProductStatus{Words: n.Draw(t, "words"), Calls: n.Draw(t, "calls"), Longest: n.Draw(t, "longest")}
		genDescriptions(t, &p.Part, &status.Part, depth-1)
		s.Product = p
		if rapid.Bool().Draw(t, "status of the product") {
			st.Product = status
		}
	}
	if s.Product == nil || rapid.Bool().Draw(t, "automaton") {
		s.Automaton = genAutomaton(t, s.Methods)
		if rapid.Bool().Draw(t, "extent") {
			st.Automaton = genExtent(t)
		}
	}
	if rapid.Bool().Draw(t, "tried") {
		st.Tried = []string{rapid.SampledFrom(texts).Draw(t, "tried too")}
	}
}

func genExtent(t *rapid.T) *Extent {
	n := rapid.IntRange(0, 1<<40)
	return &Extent{States: n.Draw(t, "states"), Why: rapid.SampledFrom(append(texts, "")).Draw(t, "why"), Words: n.Draw(t, "words"), Longest: 3}
}

// genAutomaton generates an automaton of a location or two, with a counter.
func genAutomaton(t *rapid.T, methods []history.MethodSig) *automata.Automaton {
	text := rapid.SampledFrom(texts)
	value := func() automata.Term {
		return automata.Term{Kind: automata.Constant, Value: history.Value(text.Draw(t, "value"))}
	}
	a := &automata.Automaton{Methods: methods, Locations: make([]automata.Location, rapid.IntRange(1, 2).Draw(t, "locations"))}
	if rapid.Bool().Draw(t, "counter") {
		k := history.Kind{Method: methods[0].Name, Outcome: methods[0].Outcomes[0].Outcome}
		a.Counters = []automata.Counter{{Name: "n", Start: rapid.Int64().Draw(t, "start"), Adds: []automata.Add{{Kind: k, Times: rapid.Int64().Draw(t, "times"), Arg: -1}}}}
	}
	for i := range a.Locations {
		l := &a.Locations[i]
		if len(a.Locations) > 1 {
			l.Name, l.Registers = []string{"off", "on"}[i], []string{"r"}
		}
		for _, m := range methods {
			o := rapid.SampledFrom(m.Outcomes).Draw(t, "outcome")
			tr := automata.Transition{Method: m.Name, Outcome: o.Outcome, To: len(a.Locations) - 1}
			for range o.Rets {
				tr.Rets = append(tr.Rets, value())
			}
			if len(a.Locations) > 1 {
				tr.Load = []automata.Term{value()}
			}
			l.Transitions = append(l.Transitions, tr)
		}
	}
	if len(a.Locations) > 1 {
		a.Initial = []history.Value{value().Value}
	}
	return a
}

// genModel makes a theory that of a model.
func genModel(t *rapid.T, th *Theory) {
	text, n := rapid.SampledFrom(texts), rapid.IntRange(0, 1<<40)
	list := rapid.SliceOfN(text, 1, 3)
	th.Spec.Width, th.Spec.Matching.ReadOnly = 1, formula.Const(false)
	th.Spec.Model = &origin.Model{Package: "example.com/m/v2", Type: "T", Source: "sha256:" + strings.Repeat("09af", 16), Go: text.Draw(t, "go")}
	if rapid.Bool().Draw(t, "constructor") {
		th.New, th.Spec.Model.TypeArg, th.Spec.Model.Skip = text.Draw(t, "new"), text.Draw(t, "type argument"), []string{"Close", "yes"}
	}
	if rapid.Bool().Draw(t, "no status") {
		return
	}
	th.Status.Trial = &origin.Trial{Sequences: 1, Calls: n.Draw(t, "calls"), Deterministic: rapid.Bool().Draw(t, "deterministic"),
		Kinds: list.Draw(t, "kinds"), Examples: list.Draw(t, "examples")}
	if rapid.Bool().Draw(t, "more") {
		th.Status.NotCovered, th.Status.Trial.Why = list.Draw(t, "not covered"), text.Draw(t, "why")
		th.Status.Trial.States = &states.Kept{Copied: rapid.Bool().Draw(t, "copied"), Interned: true, Why: list.Draw(t, "states")}
	}
}

func genMethods(t *rapid.T) []history.MethodSig {
	outcomes := []history.Outcome{history.None, history.Some, history.Nil, history.True, history.False, history.Error, "full-up", "nothing", "yes", "ErrClosed", "errTooLate"}
	names := []string{"add", "remove", "on", "y", "null", "été"}
	var ms []history.MethodSig
	for i, n := 0, rapid.IntRange(1, 3).Draw(t, "methods"); i < n; i++ {
		m := history.MethodSig{Name: names[i+rapid.IntRange(0, 1).Draw(t, "name")*3], Args: rapid.IntRange(0, 2).Draw(t, "args")}
		for _, o := range rapid.SliceOfNDistinct(rapid.SampledFrom(outcomes), 1, 3, rapid.ID).Draw(t, "outcomes") {
			sig := history.OutcomeSig{Outcome: o, Rets: rapid.IntRange(0, 2).Draw(t, "returns")}
			if o == "ErrClosed" || o == "errTooLate" {
				sig.Error = rapid.SampledFrom([]string{"", "closed", "queue: \"no\" room", "true", "- 'x'"}).Draw(t, "error")
			}
			m.Outcomes = append(m.Outcomes, sig)
		}
		if rapid.Bool().Draw(t, "alias") {
			m.Aliases = []string{"alias" + m.Name, "No" + m.Name}
		}
		if m.Args > 0 && rapid.Bool().Draw(t, "not nil") {
			m.NotNil = []int{m.Args}
		}
		ms = append(ms, m)
	}
	return ms
}

func genRules(t *rapid.T, v *formula.Vocabulary, what string) []Rule {
	var rs []Rule
	for i, n := 0, rapid.IntRange(0, 2).Draw(t, what); i < n; i++ {
		r := Rule{Name: texts[i] + " rule", Formula: genFormula(v).Draw(t, "formula")}
		if !formula.Compile(formula.Expand(r.Formula, v))(&run{}, nil) { // of no operations it must hold
			r.Formula = formula.Not{F: r.Formula}
		}
		if rapid.Bool().Draw(t, "read") {
			r.Reading = rapid.SampledFrom(texts).Draw(t, "reading")
		}
		rs = append(rs, r)
	}
	return rs
}

// genFormula generates formulas over the first method, short and long ones.
func genFormula(v *formula.Vocabulary, free ...string) *rapid.Generator[formula.Formula] {
	return rapid.Custom(func(t *rapid.T) formula.Formula {
		m := v.Methods[0].Name
		atoms := []string{
			"(forall z:Op. method(z) = " + m + ")", "(exists z:Op, w:Op. before(z, w) & z != w)", "!(exists z:Op. unmatched(z))", "true",
		}
		for _, x := range free {
			atoms = append(atoms, "method("+x+") = "+m, "readonly("+x+")", "!completed("+x+")", `outcome(`+x+`) = "`+string(v.Methods[0].Outcomes[0].Outcome)+`"`)
		}
		parts := rapid.SliceOfN(rapid.SampledFrom(atoms), 1, 8).Draw(t, "atoms")
		src := strings.Join(parts, rapid.SampledFrom([]string{" & ", " | ", " -> "}).Draw(t, "op"))
		f, err := formula.Parse(src, v, free...)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		return f
	})
}

// genPattern generates a history over the methods, drawn with or without values.
func genPattern(t *rapid.T, ms []history.MethodSig) Pattern {
	n := rapid.IntRange(1, 4).Draw(t, "ops")
	h := &history.History{Ops: make([]history.Op, n)}
	for i := range h.Ops {
		m := rapid.SampledFrom(ms).Draw(t, "method")
		o := rapid.SampledFrom(m.Outcomes).Draw(t, "outcome")
		end := i + rapid.IntRange(0, 1).Draw(t, "overlap")
		h.Ops[i] = history.Op{
			Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, Completed: true, Start: i, End: end,
			Target: rapid.IntRange(-1, n-1).Draw(t, "target"), ReadOnly: rapid.Bool().Draw(t, "readonly"),
		}
	}
	for i := range h.Ops {
		if tg := h.Ops[i].Target; tg >= 0 {
			h.Ops[tg].Target = tg
		}
	}
	// What counts is the history as drawings give it: intervals in few columns.
	drawing := history.Draw(h, nil)
	h, _, err := history.ParseDrawing(drawing)
	if err != nil {
		t.Fatal(err)
	}
	return Pattern{Weight: h.Weight(), History: *h, Drawing: drawing, Formula: formula.Simplify(formula.Embed(h))}
}

// TestRoundTrip: every theory reads as it was written, is written the same
// again, and has the form that the schema describes.
func TestRoundTrip(t *testing.T) {
	s := compiledSchema(t)
	testsize.Check(t, 1, func(t *rapid.T) {
		th := genTheory.Draw(t, "theory")
		text := written(t, th)
		got, err := Read(strings.NewReader(text), "x.yaml")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(th, got); diff != "" {
			t.Fatalf("-want +got:\n%s\n%s", diff, text)
		}
		if again := written(t, got); again != text {
			t.Fatalf("written again:\n%s", cmp.Diff(text, again))
		}
		if err := validate(s, text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}

// TestPositions: a mistake in a formula is reported where it stands, however
// the formula is quoted.
func TestPositions(t *testing.T) {
	base := written(t, queue(t))
	const old = "    readonly: outcome(x) = nil\n"
	testsize.Check(t, 1, func(t *rapid.T) {
		before := rapid.SampledFrom([]string{"", "true & ", "!readonly(x) | ", "(x = x)  & "}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", " & true"}).Draw(t, "after")
		text := before + "outcome(wrong) = nil" + after
		var edit string
		switch style := rapid.SampledFrom([]string{"single", "double", "|", "|-", "|4", "comment"}).Draw(t, "style"); style {
		case "single":
			edit = "    readonly:  '" + text + "'\n"
		case "double":
			edit = `    readonly: "` + text + "\"\n"
		case "comment":
			edit = "    readonly: | # why\n\n      true &\n       " + text + "\n"
		case "|4":
			edit = "    readonly: |4\n          true &\n        " + text + "\n"
		default:
			edit = "    readonly: " + style + "\n      true &\n      " + text + "\n"
		}
		file := strings.Replace(base, old, edit, 1)
		if rapid.Bool().Draw(t, "crlf") {
			file = strings.ReplaceAll(file, "\n", "\r\n")
		}
		_, err := Read(strings.NewReader(file), "x.yaml")
		e, ok := err.(*history.ParseError)
		if !ok {
			t.Fatalf("%v\n%s", err, file)
		}
		lines := strings.Split(file, "\n")
		if !strings.HasPrefix(lines[e.Pos.Line-1][e.Pos.Col-1:], "wrong)") {
			t.Fatalf("%v points to %q", err, lines[e.Pos.Line-1])
		}
	})
}

// FuzzRead: no text makes Read panic, and a theory it accepts is written and
// read without change.
func FuzzRead(f *testing.F) {
	f.Add(written(f, queue(f)))
	f.Add(written(f, handWritten(f)))
	f.Add(written(f, model()))
	f.Add(written(f, store(f)))
	f.Add(written(f, limited(f)))
	f.Add("apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: a}\nspec: {methods: []}\n")
	f.Add("apiVersion: &a [*a]\nkind: !!set {}\n")
	f.Add("? [a]\n: b\n")
	const spec = "apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: a}\nspec:\n  methods: [{name: m, args: 32, outcomes: [{outcome: none}]}]\n"
	f.Add(spec + "  predicates:\n    - {name: p0, params: [x], formula: completed(x)}\n    - {name: p1, params: [x], formula: p0(x) & p0(x)}\n" + doubling(12))
	f.Add(spec + "  axioms:\n    - {name: a, formula: " + strings.Repeat("true -> ", 400) + "true}\n")
	f.Fuzz(func(t *testing.T, text string) {
		th, err := Read(strings.NewReader(text), "x.yaml")
		if err != nil {
			return
		}
		once := written(t, th)
		again, err := Read(strings.NewReader(once), "x.yaml")
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := written(t, again); twice != once {
			t.Fatal(cmp.Diff(once, twice))
		}
	})
}

// FuzzReadScheme: likewise for schemes.
func FuzzReadScheme(f *testing.F) {
	base := queue(f).Spec
	write := func(t testing.TB, s *Spec) string {
		var b strings.Builder
		if err := WriteScheme(&b, s); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	f.Add(write(f, &base))
	f.Add("matching: {target: [x = y]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadScheme(strings.NewReader(text), "x.yaml", base)
		if err != nil {
			return
		}
		once := write(t, &s)
		again, err := ReadScheme(strings.NewReader(once), "x.yaml", base)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := write(t, &again); twice != once {
			t.Fatal(cmp.Diff(once, twice))
		}
	})
}

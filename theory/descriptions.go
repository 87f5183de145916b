package theory

import (
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// The descriptions that need no formulas: they come after the others, in this order.
var (
	productField = may("product", some(productForm), func(s *Spec) **Product { return &s.Product }).after().
			about("The data type is made of independent parts, one for each key.")
	automatonField = may("automaton", automatonOf("describes all answers"), func(s *Spec) **automata.Automaton { return &s.Automaton }).after().
			about("An automaton that has all executions of the data type, in the grammar of docs/formats.md.")
	controlField = may("control", some(controlForm), func(s *Spec) **Control { return &s.Control }).
			then(func(d *decoder, n *node, s *Spec) {
			if len(s.Patterns)+len(s.Axioms) == 0 {
				d.fail(n, "a control stands beside patterns, and there are none; without patterns, the field is \"automaton\"")
			}
		}).after().
		about("What an execution must be beside what the patterns say of it.")
	modelField = may("model", some(modelForm), func(s *Spec) **origin.Model { return &s.Model }).
			about("The reference itself, which checking runs where nothing else decides.")
)

// bare reports whether a spec says nothing by formulas and something in another way.
func (s *Spec) bare() bool {
	return (s.Product != nil || s.Automaton != nil || s.Model != nil) && s.Width <= 1 && s.Matching.trivial() &&
		len(s.Language)+len(s.Predicates)+len(s.Beyond)+len(s.Axioms)+len(s.Patterns) == 0
}

func (m *Matching) trivial() bool {
	return !m.Past && len(m.Target) == 0 && (m.ReadOnly == nil || formula.String(m.ReadOnly) == "false")
}

// newSpec is a spec before it is read.
func newSpec() Spec { return Spec{Width: 1, Matching: Matching{ReadOnly: formula.Const(false)}} }

// automatonOf is the text of an automaton. Only one that describes some answers has
// values about which it says nothing.
func automatonOf(what string) form[*automata.Automaton] {
	all := strings.HasSuffix(what, "all answers")
	return form[*automata.Automaton]{
		read: func(d *decoder, n *node, to **automata.Automaton) {
			text := d.text(n, "an automaton")
			if d.err != nil {
				return
			}
			a, err := automata.Parse(text, d.spec.Methods)
			if err != nil {
				d.shown(n, err)
				return
			}
			*to = a
			d.constants(n, a)
			for _, l := range a.Locations {
				for _, t := range l.Transitions {
					if all && slices.ContainsFunc(t.Rets, func(r automata.Term) bool { return r.Kind == automata.Any }) {
						d.fail(n, "%s answers any value here; an automaton that does so stands under control, beside patterns that say which", t.Method)
					}
				}
			}
		},
		node:   func(a **automata.Automaton) *node { return str((*a).String()) },
		schema: schema{{"type", "string"}},
	}
}

var controlForm = object("control",
	need("automaton", automatonOf("describes some answers"), func(c *Control) **automata.Automaton { return &c.Automaton }),
	may("hidden", list("hidden", kindForm("what is hidden")).with("uniqueItems", true).flow(), func(c *Control) *[]history.Kind { return &c.Hidden }).
		then(func(d *decoder, n *node, c *Control) {
			once(d, n, c.Hidden)
			if d.err == nil && len(history.Kinds(c.Hidden).Methods(d.spec.Methods)) == 0 {
				d.fail(n, "all operations are hidden, so that the patterns say nothing; without them, the field is \"automaton\"")
			}
		}).
		about("Operations, as METHOD=OUTCOME, that the patterns do not see."),
	need("complete", truth("complete"), func(c *Control) *bool { return &c.Complete }).
		about("Nothing was found that automaton and patterns both admit and the reference does not."),
	may("guards", truth("guards"), func(c *Control) *bool { return &c.Guards }).
		about("Arguments alone say what is hidden, and the patterns say all else: both together are exact."),
).defined("control")

// partSpec and partStatus are the forms of the spec and status of a part, which are
// those of the whole.
var (
	partSpec   form[Spec]
	partStatus form[Status]
)

func init() { partSpec, partStatus = specForm, statusOf }

var productForm = object("a product",
	need("keys", list("keys", object("a key",
		need("method", name("a method's name"), func(k *Key) *string { return &k.Method }),
		field[Key]{
			name: "key", required: true,
			schema: schema{{"anyOf", []any{schema{{"enum", []any{string(InAll), string(SumOfAll)}}}, schema{{"type", "integer"}, {"minimum", 1}, {"maximum", maxArity}}}}},
			read:   readKey,
			node: func(k *Key) *node {
				if k.Role == ByKey {
					return num(k.Arg + 1)
				}
				return str(string(k.Role))
			},
		}.about("The argument that is the key, from 1; or all, or sum, if an operation is in all parts."),
		may("returns", number("the number of a value", 1, maxArity), func(k *Key) *int { return &k.Ret }).
			about("The value of answers that is the key, from 1. In the part the text key stands for it."),
	).flow()), func(p *Product) *[]Key { return &p.Keys }).then((*decoder).productKeys),
	field[Product]{
		name: "part", required: true, late: true, schema: schema{{"$ref", definition{"spec", nil}}},
		read: readPart,
		node: func(p *Product) *node { return partSpec.node(&p.Part) },
	}.about("What the operations of one key are, without their key."),
).defined("product")

// readKey reads which argument is the key, or in which parts an operation is.
func readKey(d *decoder, n *node, k *Key) {
	switch {
	case n.Kind == scalarNode && n.ShortTag() == "!!int":
		k.Role, k.Arg = ByKey, d.number(n, "a key", 1, maxArity)-1
	case n.Kind == scalarNode && (n.Value == string(InAll) || n.Value == string(SumOfAll)):
		k.Role = KeyRole(n.Value)
	default:
		d.fail(n, "a key is the number of an argument, from 1, or all, or sum, not %s%s", kindOf(n),
			wording.Hint(n.Value, []string{string(InAll), string(SumOfAll)}))
	}
}

// productKeys checks the keys of a product, and puts them in the order of the methods.
func (d *decoder) productKeys(n *node, p *Product) {
	byMethod, keyed := map[string]Key{}, false
	for i, k := range p.Keys {
		at := n.Content[i]
		m := d.spec.method(k.Method)
		if m == nil {
			var names []string
			for _, m := range d.spec.Methods {
				names = append(names, m.Name)
			}
			d.fail(valueOf(at, "method"), "unknown method %q%s", k.Method, wording.Hint(k.Method, names))
			return
		}
		if _, ok := byMethod[k.Method]; ok {
			d.fail(valueOf(at, "method"), "method %q has two keys", k.Method)
		}
		at, keyed = valueOf(at, "key"), keyed || k.Role == ByKey
		switch {
		case k.Role == ByKey && k.Arg >= m.Args:
			d.fail(at, "%s takes %s; number %d, its key, is not there", m.Name, counted(m.Args, "argument"), k.Arg+1)
		case k.Ret > 0 && (k.Role != ByKey || !slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Rets >= k.Ret })):
			d.fail(n.Content[i], "%s does not return its key as value number %d", m.Name, k.Ret)
		case k.Role == SumOfAll && (len(m.Outcomes) != 1 || m.Outcomes[0].Rets != 1):
			d.fail(at, "the answers of %s cannot be summed up: it does not always answer one value", m.Name)
		}
		byMethod[k.Method] = k
	}
	p.Keys = nil
	for _, m := range d.spec.Methods {
		k, ok := byMethod[m.Name]
		if !ok {
			d.fail(n, "method %q has no key here; which argument is it? Without one, it is in all parts: write all, or sum", m.Name)
		}
		p.Keys = append(p.Keys, k)
	}
	if !keyed {
		d.fail(n, "no method has a key, so that all is one part")
	}
}

// readPart reads the spec of a part, whose methods are those of the whole without
// their keys.
func readPart(d *decoder, n *node, p *Product) {
	whole, seen := d.spec, d.seen
	p.Part = newSpec()
	d.spec, d.seen = &p.Part, nil
	partSpec.read(d, n, &p.Part)
	d.spec, d.seen = whole, seen
	if d.err != nil {
		return
	}
	at := valueOf(n, "methods")
	switch h := p.Part.Headline(); {
	case p.Part.Model != nil:
		d.fail(valueOf(n, "model"), "a part is no package; the model stands beside the product")
	case h == ByPatterns && len(p.Part.Patterns)+len(p.Part.Axioms) == 0:
		d.fail(n, "this says nothing of a part; it needs an automaton, patterns, axioms or a product")
	}
	for i, k := range p.Keys {
		want := *d.spec.method(k.Method)
		if k.Role == ByKey {
			want.Args--
		}
		m := p.Part.method(k.Method)
		switch {
		case m == nil:
			d.fail(at, "method %q of the whole is missing in its part", k.Method)
			return
		case m != &p.Part.Methods[i]:
			d.fail(at.Content[i], "the methods of a part stand in the order of those of the whole: here %s", k.Method)
		case m.Args != want.Args:
			d.fail(at.Content[i], "%s takes %s in a part, not %d", m.Name, counted(want.Args, "argument"), m.Args)
		}
		for _, o := range m.Outcomes {
			same := func(p history.OutcomeSig) bool {
				return p.Outcome == o.Outcome && p.Rets == o.Rets && p.Error == o.Error && slices.Equal(p.Beside, o.Beside)
			}
			if !slices.ContainsFunc(want.Outcomes, same) {
				d.fail(at.Content[i], "%s answers %s with %s in a part, and not so in the whole", m.Name, o.Outcome, counted(o.Rets, "value"))
			}
		}
	}
	if len(p.Part.Methods) > len(p.Keys) {
		d.fail(at.Content[len(p.Keys)], "a part has no method %q, for the whole has none", p.Part.Methods[len(p.Keys)].Name)
	}
}

// method finds a method; nil: there is none of that name.
func (s *Spec) method(name string) *history.MethodSig {
	i := slices.IndexFunc(s.Methods, func(m history.MethodSig) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Methods[i]
}

var extentForm = object("the extent of an automaton",
	may("states", number("states", 1, -1), func(e *Extent) *int { return &e.States }).
		about("States of reference and automaton together, all of which were compared: it is exact for executions of all lengths."),
	may("why", line("a reason"), func(e *Extent) *string { return &e.Why }).
		about("Why not all states were compared."),
	count("words", func(e *Extent) *int { return &e.Words }),
	count("calls", func(e *Extent) *int { return &e.Calls }),
	count("longest", func(e *Extent) *int { return &e.Longest }),
).defined("extent")

var productStatusForm = object("the status of a product",
	count("words", func(p *ProductStatus) *int { return &p.Words }),
	count("calls", func(p *ProductStatus) *int { return &p.Calls }),
	count("longest", func(p *ProductStatus) *int { return &p.Longest }),
	field[ProductStatus]{
		name: "part", schema: schema{{"$ref", definition{"anyStatus", nil}}},
		read: func(d *decoder, n *node, p *ProductStatus) { partStatus.read(d, n, &p.Part) },
		node: func(p *ProductStatus) *node { return partStatus.node(&p.Part) },
	}.when(func(p *ProductStatus) bool { return p.Part.given() }).about("The status of a part."),
).defined("productStatus")

// given reports whether a status says something.
func (s *Status) given() bool { return s.Strategy != "" || s.other() }

// other reports whether a status is one without patterns.
func (s *Status) other() bool {
	return s.Strategy == "" && (s.Trial != nil || s.Product != nil || s.Automaton != nil || s.Control != nil || len(s.Tried) > 0)
}

// agree checks that a status speaks of what the spec has.
func (d *decoder) agree(n *node, s *Spec, st *Status) {
	only := s.Headline() == ByModel
	switch {
	case s.Model == nil && s.Laws != nil:
		d.fail(n, "laws stand beside a model, and there is none")
	case s.Model == nil && st.Trial != nil:
		d.fail(n, "the status has a trial, which is of a model, and the spec has no model")
	case only && st.Trial == nil:
		d.fail(n, "the status of a model needs the field \"trial\"")
	case s.Product == nil && st.Product != nil:
		d.fail(n, "the status has a product, and the spec has none")
	case s.Automaton == nil && st.Automaton != nil:
		d.fail(n, "the status has an automaton, and the spec has none")
	case s.Control == nil && st.Control != nil:
		d.fail(n, "the status has a control, and the spec has none")
	case s.Product != nil && st.Product != nil && st.Product.Part.given():
		d.agree(valueOf(valueOf(n, "product"), "part"), &s.Product.Part, &st.Product.Part)
	}
}

package patterns

import (
	"maps"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// describe fills in the Name, Group and Reading of every pattern of a theory.
// They follow from the patterns (histories and drawings), the methods' signatures
// and the matching alone, so that the same theory always reads the same. Names are
// unique in the theory; patterns that are one reason at different stages share
// a group, which has the name of its smallest member.
func describe(t *theory.Theory) {
	d := newDescriber(t)
	ps := t.Spec.Patterns
	d.namePatterns(ps)
	groupPatterns(ps)
	for i := range ps {
		ps[i].Reading = d.reading(&ps[i].History)
	}
}

// A describer knows what the patterns of one theory, taken together, say about
// the kinds of operations.
type describer struct {
	methods map[string]*history.MethodSig
	past    bool
	byArg   bool // the matching looks at arguments of operations that are not targets

	kinds   []history.Kind                  // all that occur, in order of the methods' declarations
	members map[history.Kind][]history.Kind // target kind: the kinds that change something in its matches
	targets map[history.Kind][]history.Kind // kind: the kinds it was seen to match
	bare    map[string]history.Kind         // method: the kind that needs no outcome in a name

	isTarget map[history.Kind]bool // the kind is a match target and changes something
	echo     map[history.Kind]bool // the kind returns its argument, in all drawings that show both
	shared   map[history.Kind]bool // the kind's argument is drawn elsewhere, too, in some drawing
	noun     string                // what operations of a match have in common: "value", or "key" if values come with one
}

func newDescriber(t *theory.Theory) *describer {
	d := &describer{
		methods: map[string]*history.MethodSig{},
		past:    t.Spec.Matching.Past,
		members: map[history.Kind][]history.Kind{},
		targets: map[history.Kind][]history.Kind{},
		bare:    map[string]history.Kind{},

		isTarget: map[history.Kind]bool{},
		echo:     map[history.Kind]bool{},
		shared:   map[history.Kind]bool{},
		noun:     "value",
	}
	for i := range t.Spec.Methods {
		d.methods[t.Spec.Methods[i].Name] = &t.Spec.Methods[i]
	}
	for _, f := range t.Spec.Matching.Target {
		d.byArg = d.byArg || mentionsArg(f, t.Vocabulary())
	}
	d.collect(t)
	if slices.ContainsFunc(d.kinds, d.keyed) {
		d.noun = "key"
	}
	return d
}

// keyed reports whether operations of a kind return the value of the key that
// they are called with, as get of a map does.
func (d *describer) keyed(k history.Kind) bool {
	args, rets, _ := d.arity(k)
	echoes, drawn := d.echo[k]
	return args > 0 && rets > 0 && d.byArg && drawn && !echoes && d.shared[k] && !d.isTarget[k]
}

// collect fills the tables from the operations of all patterns.
func (d *describer) collect(t *theory.Theory) {
	roles := map[history.Kind]role{}
	for _, p := range t.Spec.Patterns {
		d.draws(p.Drawing)
		for i, o := range p.History.Ops {
			if !o.Completed {
				continue
			}
			r, seen := roles[o.Kind]
			if now := roleOf(&p.History, i); !seen || now < r {
				roles[o.Kind] = now
			}
			if o.Target == history.Unmatched || o.Target == i {
				continue
			}
			tk := p.History.Ops[o.Target].Kind
			d.targets[o.Kind] = insertKind(d.targets[o.Kind], tk)
			if !o.ReadOnly {
				d.members[tk] = insertKind(d.members[tk], o.Kind)
			}
		}
	}
	for k, r := range roles {
		d.isTarget[k] = r == target
	}
	d.orderKinds(t, roles)
}

// draws notes which kinds return their argument, and which share it with others.
func (d *describer) draws(drawing string) {
	_, labels, err := history.ParseDrawing(drawing)
	if err != nil {
		return // nothing drawn yet
	}
	for i, l := range labels {
		if len(l.Args) > 0 && len(l.Rets) > 0 {
			before, seen := d.echo[l.Kind]
			d.echo[l.Kind] = l.Args[0] == l.Rets[0] && (before || !seen)
		}
		for j, other := range labels {
			if i != j && len(l.Args) > 0 && (slices.Contains(other.Args, l.Args[0]) || slices.Contains(other.Rets, l.Args[0])) {
				d.shared[l.Kind] = true
			}
		}
		if _, seen := d.shared[l.Kind]; !seen && len(l.Args) > 0 {
			d.shared[l.Kind] = false
		}
	}
}

// orderKinds lists the kinds in order of declaration and picks, for each
// method, the kind whose outcome goes without saying.
func (d *describer) orderKinds(t *theory.Theory, roles map[history.Kind]role) {
	for _, m := range t.Spec.Methods {
		for _, o := range m.Outcomes {
			k := history.Kind{Method: m.Name, Outcome: o.Outcome}
			if _, seen := roles[k]; seen {
				d.kinds = append(d.kinds, k)
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(roles), func(a, b history.Kind) int {
		return strings.Compare(a.String(), b.String())
	})
	for _, k := range all {
		d.kinds = insertKind(d.kinds, k) // undeclared ones, if any, come last
	}
	declared := func(a, b history.Kind) int { return slices.Index(d.kinds, a) - slices.Index(d.kinds, b) }
	for _, ks := range d.members {
		slices.SortFunc(ks, declared)
	}
	for _, ks := range d.targets {
		slices.SortFunc(ks, declared)
	}
	for _, k := range d.kinds {
		b, ok := d.bare[k.Method]
		if !ok || roles[k] < roles[b] || roles[k] == roles[b] && negative(b) && !negative(k) {
			d.bare[k.Method] = k
		}
	}
}

// A role says how an operation takes part in its match; smaller is more telling.
type role int

const (
	target role = iota // of itself, and changes something
	change             // a member that changes something, or an unmatched one
	look               // read-only
)

func roleOf(h *history.History, i int) role {
	switch o := h.Ops[i]; {
	case o.ReadOnly:
		return look
	case o.Target == i:
		return target
	}
	return change
}

// insertKind adds k at the end of ks unless it is there.
func insertKind(ks []history.Kind, k history.Kind) []history.Kind {
	if slices.Contains(ks, k) {
		return ks
	}
	return append(ks, k)
}

// negative reports whether an outcome says "there was nothing".
func negative(k history.Kind) bool {
	return k.Outcome == history.Nil || k.Outcome == history.False || wording.IsError(string(k.Outcome)) || k.Outcome == history.Panic
}

// mentionsArg reports whether a target formula looks at an argument of x.
func mentionsArg(f formula.Formula, v *formula.Vocabulary) bool {
	text := formula.String(formula.Expand(f, v))
	return strings.Contains(text, "arg(x)") || strings.Contains(text, "arg(x, ")
}

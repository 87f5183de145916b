package observers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/theory"
)

// oracle is what a theory says of sequences of operations.
type oracle struct {
	ctx       context.Context
	theory    *theory.Theory
	sequences *theory.Sequences
	methods   []history.MethodSig
	constants []history.Value // that it names
	known     map[string]verdict
	most      int // of what is known, while a projection is made; 0: any
}

// verdict is what a theory says of a sequence.
type verdict int

const (
	admitted verdict = iota
	refused
	silent // it is not about such sequences
)

func newOracle(ctx context.Context, t *theory.Theory) *oracle {
	o := &oracle{ctx: ctx, theory: t, sequences: t.Sequences(), methods: t.Spec.Methods, known: map[string]verdict{}}
	for _, v := range o.sequences.Named {
		if t.Spec.Product == nil || v != keyOfPart() {
			o.constants = append(o.constants, v)
		}
	}
	return o
}

// keyOfPart is what parts of products answer where the whole answers the key.
func keyOfPart() history.Value {
	k := theory.Key{Role: theory.ByKey, Ret: 1}
	return k.Lift(history.Label{Rets: []history.Value{"k"}}, []history.Value{"k"}).Rets[0]
}

func (o *oracle) says(labels []history.Label) (verdict, error) {
	key := textOf(labels)
	v, ok := o.known[key]
	if ok {
		return v, nil
	}
	if o.most > 0 && len(o.known) >= o.most {
		return silent, errLarge
	}
	admits, inLanguage, err := o.sequences.Admits(o.ctx, labels)
	switch {
	case err != nil:
		return silent, err
	case !inLanguage:
		v = silent
	case !admits:
		v = refused
	}
	o.known[key] = v
	return v, nil
}

func textOf(labels []history.Label) string {
	var b strings.Builder
	for i, l := range labels {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(l.String())
	}
	return b.String()
}

// operations calls yield with the operations that may follow a sequence with so many values: new
// ones come in order.
func (o *oracle) operations(values int, yield func(l history.Label, values int) error) error {
	for _, m := range o.methods {
		for _, out := range m.Outcomes {
			l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: out.Outcome}}
			if err := o.filled(l, m.Args, out.Rets, values, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *oracle) filled(l history.Label, args, rets, values int, yield func(history.Label, int) error) error {
	own := &l.Args
	switch {
	case len(l.Args) < args:
	case len(l.Rets) < rets:
		own = &l.Rets
	default:
		return yield(l, values)
	}
	was := *own
	for i := range len(o.constants) + values + 1 {
		v, n := value(i-len(o.constants)), max(values, i-len(o.constants)+1)
		if i < len(o.constants) {
			v, n = o.constants[i], values
		}
		*own = append(slices.Clip(was), v)
		if err := o.filled(l, args, rets, n, yield); err != nil {
			return err
		}
	}
	return nil
}

func value(i int) history.Value { return history.Value(fmt.Sprintf("v%d", i+1)) }

// mostSequences bounds comparisons.
const mostSequences = 400_000

// Difference is a sequence about which observers and theory say different things.
type Difference struct {
	Labels   []history.Label
	Admitted bool // by the theory
	Who      *Observer
}

func (d *Difference) Error() string {
	if d.Admitted {
		return fmt.Sprintf("%s: the theory admits it, observer %s does not", textOf(d.Labels), d.Who.Name)
	}
	return textOf(d.Labels) + ": the theory does not admit it, the observers do"
}

// compare holds observers against the theory: all sequences up to a length, the short ones
// first. What a theory does not admit, it does not admit with more operations. The refused
// sequences are listed by who accepts them.
func (o *oracle) compare(all []*Observer, length int) (c Comparison, by [][]int, err error) {
	type prefix struct {
		labels []history.Label
		values int
	}
	seen := map[string]bool{}
	now := []prefix{{}}
	for c.Length < length {
		var next []prefix
		for _, p := range now {
			err := o.operations(p.values, func(l history.Label, values int) error {
				labels := append(slices.Clip(p.labels), l)
				v, err := o.says(labels)
				if err != nil || v == silent {
					return err
				}
				if c.Sequences++; c.Sequences > mostSequences {
					return fmt.Errorf("more than %d sequences of %d operations have to be compared", mostSequences, length)
				}
				who := rejecting(all, labels)
				switch {
				case v == admitted && len(who) > 0:
					return &Difference{labels, true, all[who[0]]}
				case v == refused && len(who) == 0:
					return &Difference{Labels: labels}
				case v == admitted:
					next = append(next, prefix{labels, values})
				case !seen[fmt.Sprint(who)]:
					seen[fmt.Sprint(who)] = true
					by = append(by, who)
				}
				return nil
			})
			if err != nil {
				return c, nil, err
			}
		}
		now = next
		c.Length++
	}
	return c, by, nil
}

// gate gives out observers that are exact, and of them only those that are needed.
func (o *oracle) gate(all []*Observer) (*Set, error) {
	o.most = 0
	var c Comparison
	var by [][]int
	var err error
	if m := configurations.Searched(&o.theory.Spec); m != nil && len(o.theory.Spec.MayFail) == 0 {
		c, by, err = o.compareStates(m, all)
	} else {
		c, by, err = o.compare(all, lengthFor(all))
	}
	if err != nil {
		return nil, err
	}
	s := &Set{Theory: o.theory.Name, Compared: c}
	needed := slices.Repeat([]bool{true}, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		needed[i] = slices.ContainsFunc(by, func(who []int) bool {
			return !slices.ContainsFunc(who, func(k int) bool { return k != i && needed[k] }) && slices.Contains(who, i)
		})
	}
	for i, x := range all {
		if needed[i] {
			s.Observers = append(s.Observers, x)
		}
	}
	if o.theory.Spec.Automaton == nil && o.theory.Spec.Product == nil {
		for _, r := range o.theory.Spec.Language {
			s.Assumes = append(s.Assumes, r.Reading)
		}
	}
	s.sig, err = o.theory.Signature(nil)
	return s, err
}

// lengthFor is how long the sequences are that are compared: two operations more than
// there are states from which one that counts can be reached.
func lengthFor(all []*Observer) (length int) {
	for _, o := range all {
		length = max(length, len(o.live())+2)
	}
	return length
}

// live lists the states from which Bad can be reached, without Bad.
func (o *Observer) live() (states []int) {
	is := make([]bool, len(o.States))
	is[o.Bad] = true
	for more := true; more; {
		more = false
		for _, t := range o.Transitions {
			if is[t.To] && !is[t.From] {
				is[t.From], more = true, true
				states = append(states, t.From)
			}
		}
	}
	return states
}

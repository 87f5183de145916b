package observers

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// ofProduct is the observers of a product's part, with a first register for the key.
func (o *oracle) ofProduct() (all []*Observer, err error) {
	product := o.theory.Spec.Product
	for _, m := range o.methods {
		if product.Of(m.Name).Role == theory.SumOfAll {
			return nil, fmt.Errorf("%s adds up what parts answer", m.Name)
		}
	}
	part := newOracle(o.ctx, &theory.Theory{Name: o.theory.Name, Spec: product.Part})
	set, err := part.find()
	if err != nil {
		return nil, err
	}
	for _, x := range set.Observers {
		l := &lifting{product, x.Constants, o.constants}
		own := &Observer{Name: x.Name, States: x.States, Bad: x.Bad, Registers: x.Registers + 1, Keys: x.Keys + 1, Constants: o.constants}
		for _, t := range x.Transitions {
			own.Transitions = append(own.Transitions, Transition{t.From, l.letter(t.Letter), t.To})
		}
		all = append(all, own)
	}
	return all, nil
}

// lifting makes letters of the whole.
type lifting struct {
	product       *theory.Product
	was, constant []history.Value // constants of the part and of the whole
}

func (l *lifting) letter(x Letter) Letter {
	own := Letter{Kind: x.Kind, Args: l.classes(x.Args), Rets: l.classes(x.Rets)}
	if k := l.product.Of(x.Kind.Method); k.Role == theory.ByKey {
		own.Args = slices.Insert(own.Args, k.Arg, 0)
	}
	return own
}

func (l *lifting) classes(all []Class) (own []Class) {
	for _, c := range all {
		switch {
		case c >= 0:
			c++
		case c <= Constant && l.was[Constant-c] == keyOfPart():
			c = 0
		case c <= Constant:
			c = Constant - Class(slices.Index(l.constant, l.was[Constant-c]))
		}
		own = append(own, c)
	}
	return own
}

package patterns_test

import (
	"context"
	"errors"
	"testing"

	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// twoPlaces is a queue that answers whether there was a place.
type twoPlaces struct{ vs []int }

func (q *twoPlaces) Put(v int) bool {
	if len(q.vs) == 2 {
		return false
	}
	q.vs = append(q.vs, v)
	return true
}

func (q *twoPlaces) Get() (int, bool) {
	if len(q.vs) == 0 {
		return 0, false
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v, true
}

// parity answers true every other time.
type parity struct{ n int }

func (p *parity) Flip() bool { p.n++; return p.n%2 == 0 }

// evicting is a memory of the last two values; it answers what it forgets.
type evicting struct{ vs []int }

func (l *evicting) Touch(v int) (int, bool) {
	for i, w := range l.vs {
		if w == v {
			l.vs = append(append(l.vs[:i:i], l.vs[i+1:]...), v)
			return 0, false
		}
	}
	if l.vs = append(l.vs, v); len(l.vs) < 3 {
		return 0, false
	}
	v = l.vs[0]
	l.vs = l.vs[1:]
	return v, true
}

// Where no scheme is found, Force goes on with one that is refuted, and the
// status says both.
func TestForceWithoutScheme(t *testing.T) {
	for _, constructor := range []any{
		func() *twoPlaces { return &twoPlaces{} }, func() *parity { return &parity{} }, func() *evicting { return &evicting{} },
	} {
		impl, err := reference.Of(constructor)
		if err != nil {
			t.Fatal(err)
		}
		var none *matching.None
		if _, err := patterns.Infer(context.Background(), impl, reference.Info{}, patterns.Options{}); !errors.As(err, &none) {
			t.Fatalf("%s: error is %v, want a *synthesis.None", impl.Name(), err)
		}
		th, err := patterns.Infer(context.Background(), impl, reference.Info{}, patterns.Options{Force: true})
		if err != nil {
			t.Errorf("%s: not forced: %v", impl.Name(), err)
			continue
		}
		s := &th.Status
		if !s.Forced || s.Faithful.Holds && s.Normal.Holds || len(th.Spec.Patterns) == 0 {
			t.Errorf("%s: forced %v, faithful %v, normal %v, %d patterns", impl.Name(), s.Forced, s.Faithful.Holds, s.Normal.Holds, len(th.Spec.Patterns))
		}
	}
}

// gauge returns a value that nobody passed in.
type gauge struct{ v int }

func (g *gauge) Set(v int) { g.v = v }
func (g *gauge) Get() int  { return g.v }

// A reference that makes values up has no histories: there is nothing to force.
func TestForceNothing(t *testing.T) {
	impl, err := reference.Of(func() *gauge { return &gauge{} })
	if err != nil {
		t.Fatal(err)
	}
	_, err = patterns.Infer(context.Background(), impl, reference.Info{}, patterns.Options{Force: true})
	var foreign *matching.Foreign
	if !errors.As(err, &foreign) {
		t.Errorf("error is %v, want a *matching.Foreign", err)
	}
}

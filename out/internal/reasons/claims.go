package reasons

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// This file asks a theory by patterns about few values: what it refuses of them it refuses
// of all executions in which they come.

func add(k history.Kind, v history.Value) history.Label {
	return history.Label{Kind: k, Args: []history.Value{v}}
}

func take(k history.Kind, v history.Value) history.Label {
	return history.Label{Kind: k, Rets: []history.Value{v}}
}

func (p *patternPage) admits(labels ...history.Label) bool {
	ok, covered, err := p.decides.Admits(context.Background(), labels)
	return ok && covered && err == nil
}

// refused reports whether a sequence is wrong in the language, and remains so when a value
// that is left is taken later.
func (p *patternPage) refused(left history.Value, labels ...history.Label) bool {
	ok, covered, err := p.decides.Admits(context.Background(), labels)
	if ok || !covered || err != nil {
		return false
	}
	for _, k := range p.takers {
		if left != "" && p.removes[k] && p.admits(append(slices.Clone(labels), take(k, left))...) {
			return false
		}
	}
	return true
}

// claims asks about order, origin, and what is said only while there is nothing.
func (p *patternPage) claims() {
	a, b := p.values[0], p.values[1]
	p.origin, p.once = true, true
	for _, r := range p.takers {
		p.origin = p.origin && p.refused("", take(r, a))
		for _, x := range p.adders {
			p.origin = p.origin && p.refused(a, take(r, a), add(x, a))
			for _, q := range p.takers {
				p.once = p.once && (!p.removes[q] || p.refused("", add(x, a), take(q, a), take(r, a)))
			}
		}
		if sides, ok := p.order(r, a, b); ok {
			p.ordered[r] = sides
		} else if p.anyOrder(r, a, b) {
			p.free = append(p.free, r)
		}
	}
	if !p.once { // a pattern speaks of entire matches: what is answered twice may escape it
		clear(p.ordered)
		return
	}
	p.most, p.ends = p.capacity(), p.finishers()
	for _, k := range p.lookers {
		l := history.Label{Kind: k}
		only := p.admits(l)
		for _, x := range p.adders {
			only = only && p.refused(a, add(x, a), l)
		}
		if only {
			p.empty = append(p.empty, k)
		}
	}
}

// capacity is how many values can be there at once, if a pattern says so: 0 if none does.
func (p *patternPage) capacity() int {
	for _, labels := range p.drawn {
		if len(labels) < 2 || slices.ContainsFunc(labels, func(l history.Label) bool { return l.Kind != p.adders[0] }) || len(p.adders) > 1 || len(p.ordered) != len(p.takers) {
			continue
		}
		n := len(labels) - 1
		m := &p.spec.Methods[p.place(p.adders[0])]
		var run []history.Label
		for _, v := range pool(m, false, 0, n+1, false) {
			run = append(run, add(p.adders[0], v))
		}
		if len(run) == n+1 && p.admits(run[:n]...) && p.overfull(run) {
			return n
		}
	}
	return 0
}

// overfull reports whether a run is wrong, and remains so when values are taken in order.
func (p *patternPage) overfull(run []history.Label) bool {
	left := slices.Clone(run)
	if !p.refused("", run...) {
		return false
	}
	for len(left) > 0 {
		i := slices.IndexFunc(p.takers, func(k history.Kind) bool { return p.removes[k] })
		if i < 0 {
			break
		}
		for _, k := range p.takers {
			if v := p.first(left, p.ordered[k]); p.removes[k] && !p.refused("", append(slices.Clone(run), take(k, v))...) {
				return false
			}
		}
		v := p.first(left, p.ordered[p.takers[i]])
		run = append(slices.Clone(run), take(p.takers[i], v))
		left = slices.DeleteFunc(left, func(l history.Label) bool { return l.Args[0] == v })
	}
	return true
}

// anyOrder reports whether a taker may answer either of two values.
func (p *patternPage) anyOrder(r history.Kind, a, b history.Value) bool {
	for _, x := range p.adders {
		for _, y := range p.adders {
			if !p.admits(add(x, a), add(y, b), take(r, a)) || !p.admits(add(x, a), add(y, b), take(r, b)) {
				return false
			}
		}
	}
	return true
}

// order finds out which of two values a taker answers, by how they were added. It is false
// if that is not one of them, or not an order.
func (p *patternPage) order(r history.Kind, a, b history.Value) (newest []bool, ok bool) {
	second := func(x, y history.Kind) (is, ok bool) {
		first, last := []history.Label{add(x, a), add(y, b), take(r, a)}, []history.Label{add(x, a), add(y, b), take(r, b)}
		switch {
		case p.admits(last...) && p.refused(b, first...):
			return true, true
		case p.admits(first...) && p.refused(a, last...):
			return false, true
		}
		return false, false
	}
	for _, x := range p.adders {
		is, ok := second(x, x)
		if !ok {
			return nil, false
		}
		newest = append(newest, is)
	}
	for _, x := range p.adders {
		for j, y := range p.adders {
			if is, ok := second(x, y); !ok || is != newest[j] {
				return nil, false
			}
		}
	}
	return newest, true
}

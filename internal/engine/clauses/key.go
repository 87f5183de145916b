package clauses

import (
	"encoding/binary"

	"github.com/adtinfer/adtinfer/history"
)

// KeyOf is the values at some places as one text.
func KeyOf(places []Place, args, rets []history.Value) string {
	if len(places) == 1 {
		return string(places[0].value(args, rets))
	}
	var b []byte
	for _, p := range places {
		v := p.value(args, rets)
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	return string(b)
}

// Joins tells whether an operation called with these arguments may return as
// kind k into the match with a key.
func (k *Kind) Joins(args []history.Value, key string) bool {
	values := splitKey(key, len(k.Key))
	rets := make([]*history.Value, k.Rets)
	for i, p := range k.Key {
		switch v := history.Value(values[i]); {
		case p.Ret && rets[p.Index] != nil && *rets[p.Index] != v, !p.Ret && args[p.Index] != v:
			return false
		case p.Ret:
			rets[p.Index] = &v
		}
	}
	return k.claimable(k.Claims, args, rets)
}

// splitKey is the values that KeyOf put together.
func splitKey(key string, n int) (values []string) {
	if n == 1 {
		return []string{key}
	}
	for range n {
		size, w := binary.Uvarint([]byte(key[:min(len(key), binary.MaxVarintLen64)]))
		values = append(values, key[w:w+int(size)])
		key = key[w+int(size):]
	}
	return values
}

// claimable tells whether values for the places of rets that are open make all
// claims hold. There are as many values as one likes, and claims are equations.
func (k *Kind) claimable(claims []Claim, args []history.Value, rets []*history.Value) bool {
	if len(claims) == 0 {
		return true
	}
	for _, c := range claims[0].Holds {
		if known, ok := equate(c, args, rets); ok && k.claimable(claims[1:], args, known) {
			return true
		}
	}
	return false
}

// equate is the returned values with what follows from equations; false if they
// contradict each other. Two open values that are to be the same share a place
// in memory from then on.
func equate(es []Equation, args []history.Value, rets []*history.Value) ([]*history.Value, bool) {
	known := append([]*history.Value(nil), rets...)
	at := func(p Place) *history.Value {
		if p.Ret {
			return known[p.Index]
		}
		return &args[p.Index]
	}
	for range es { // each round settles one value at least, or nothing is left
		for _, e := range es {
			a, b := at(e[0]), at(e[1])
			switch {
			case a == nil && b != nil:
				known[e[0].Index] = b
			case b == nil && a != nil:
				known[e[1].Index] = a
			case a != nil && *a != *b:
				return nil, false
			}
		}
	}
	return known, true
}

package saturate

import (
	"hash/maphash"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// usedKeys remembers the latest keys that were used, by hash. Two keys share
// a hash of 64 bits with a probability of n²/2⁶⁵ for n keys: about 10⁻¹⁰ for
// the default number.
type usedKeys struct {
	seed maphash.Seed
	set  map[uint64]struct{}
	ring []uint64 // in order of use, from next
	next int
	most int
}

func newUsedKeys(most int) usedKeys {
	return usedKeys{seed: maphash.MakeSeed(), set: map[uint64]struct{}{}, most: most}
}

// add tells whether the key is new, and remembers it.
func (u *usedKeys) add(key string) bool {
	h := maphash.String(u.seed, key)
	if _, ok := u.set[h]; ok {
		return false
	}
	u.set[h] = struct{}{}
	if len(u.ring) < u.most {
		u.ring = append(u.ring, h)
		return true
	}
	delete(u.set, u.ring[u.next])
	u.ring[u.next] = h
	u.next = (u.next + 1) % u.most
	return true
}

// useAll notes the keys of an operation under rules of the language. Targets are
// the kinds it has, or may have: no live match may have a target of one of them
// already, however long ago.
func (m *Monitor) useAll(rules, targets []int, args, rets []history.Value) error {
	for _, n := range rules {
		u := &m.r.Uniques[n]
		if !m.used[n].add(clauses.KeyOf(u.Key, args, rets)) {
			return &clauses.LanguageError{Rule: u.Rule, A: -1, B: -1}
		}
		for _, t := range targets {
			if k := &m.r.Kinds[t]; k.Joiners != 0 && u.Kinds.Has(t) {
				if y, ok := m.byKey[t][clauses.KeyOf(k.Key, args, nil)]; ok && m.hasTarget(y) {
					return &clauses.LanguageError{Rule: u.Rule, A: -1, B: -1}
				}
			}
		}
	}
	return nil
}

// hasTarget tells whether the target of match y returned.
func (m *Monitor) hasTarget(y int32) bool {
	t := &m.matches[y]
	return t.shape >= 0 && m.ops[t.slots[0]].ret != never
}

// Holds reports whether a call may have the match target of operations that the
// monitor holds, or become a second one.
func (m *Monitor) Holds(name string, args []history.Value) bool {
	mt, err := m.r.Method(name, args)
	return err == nil && slices.ContainsFunc(mt.Targets, func(t int) bool {
		_, ok := m.byKey[t][clauses.KeyOf(m.r.Kinds[t].Key, args, nil)]
		return ok
	})
}

package formula

import "slices"

// LabelsOnly tells whether the formula speaks of nothing but labels: methods,
// outcomes, values, identity.
func (pl *Plan) LabelsOnly() bool { return pl.root.labelsOnly() }

// Literals tells whether the formula names a data value, or compares values by
// their order: whether it says more of values than which are the same.
func (pl *Plan) Literals() bool { return pl.root.literals() }

func (n *node) literals() bool {
	if n.op == opLess || n.op == opValue && (n.left.slot < 0 || n.right.slot < 0) {
		return true
	}
	return slices.ContainsFunc(n.kids, (*node).literals)
}

// OneMatch tells whether the formula says "some operations exist such that",
// where all its variables, those of inner quantifiers included, are tied to
// each other by match: whether operations satisfy it then depends on the
// operations of one match, or one unmatched operation, alone.
func (pl *Plan) OneMatch() bool {
	return pl.root.op == opExists && !pl.root.neg && pl.root.free == 0 && pl.root.oneMatch()
}

// oneMatch: what is free here is tied already, and reaches all of vars.
func (n *node) oneMatch() bool {
	if n.op == opExists {
		tied, all := n.free, n.free
		for _, v := range n.vars {
			all |= 1 << v
		}
		if tied == 0 {
			tied = 1 << n.vars[0]
		}
		for range n.vars {
			for _, k := range n.kids {
				if (k.op == opMatch || k.op == opMatches) && !k.neg && k.free&tied != 0 {
					tied |= k.free
				}
			}
		}
		if tied != all {
			return false
		}
	}
	return !slices.ContainsFunc(n.kids, func(k *node) bool { return k.op == opExists && k.free == 0 || !k.oneMatch() })
}

func (n *node) labelsOnly() bool {
	switch n.op {
	case opBefore, opUnmatched, opReadOnly, opMatch, opMatches:
		return false
	}
	return !slices.ContainsFunc(n.kids, func(k *node) bool { return !k.labelsOnly() })
}

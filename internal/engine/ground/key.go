package ground

import "strconv"

// key is a text that two first steps have in common only if the same elements satisfy
// their conjuncts, whatever their variables are called: a theory of many patterns asks the
// same of many variables. It is empty if the order takes part, which may change while the
// rest of a structure does not.
func (s *step) key() string {
	b := &keyWriter{names: map[int]int{s.slot: 0}}
	for _, k := range s.conj {
		b.node(k)
	}
	if b.ordered {
		return ""
	}
	return string(b.key)
}

// keyWriter writes formulas with their slots numbered by first appearance.
type keyWriter struct {
	key     []byte
	names   map[int]int
	ordered bool
}

func (b *keyWriter) number(n int) { b.key = append(strconv.AppendInt(b.key, int64(n), 10), ' ') }

func (b *keyWriter) slot(s int) {
	if _, ok := b.names[s]; !ok {
		b.names[s] = len(b.names)
	}
	b.number(b.names[s])
}

func (b *keyWriter) node(n *node) {
	if n.neg {
		b.key = append(b.key, '!')
	}
	b.number(int(n.op))
	switch n.op {
	case opBefore:
		b.ordered = true
	case opUnmatched, opCompleted, opReadOnly, opUsed, opMethod, opOutcome:
		b.slot(n.a)
		b.key = strconv.AppendQuote(b.key, n.name)
	case opSame, opMatch, opMatches, opMethods, opOutcomes:
		b.slot(n.a)
		b.slot(n.b)
	case opValue, opLess:
		b.term(n.left)
		b.term(n.right)
	}
	b.number(len(n.vars))
	for _, v := range n.vars {
		b.slot(v)
	}
	b.number(len(n.kids))
	for _, k := range n.kids {
		b.node(k)
	}
}

func (b *keyWriter) term(t valueTerm) {
	switch {
	case t.slot < 0:
		b.key = strconv.AppendQuote(append(b.key, 'v'), string(t.value))
		return
	case t.ret:
		b.key = append(b.key, 'r')
	default:
		b.key = append(b.key, 'a')
	}
	b.slot(t.slot)
	b.number(t.index)
}

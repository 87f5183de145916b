package enumerate

// Links says which matchings a kind may have in a history: what a matching
// scheme means once values are forgotten.
type Links struct {
	Self []Link   // Self[k]: kind k as its own target
	Free []Link   // Free[k]: kind k unmatched
	To   [][]Link // To[k][t]: kind k with a target of kind t, another operation

	// PastOnly: targets come before the operations that map to them.
	PastOnly bool
}

// Link is one possible matching of a kind.
type Link struct {
	Possible bool
	ReadOnly bool
}

// Bounds limits the histories that Histories yields. A zero field is no bound,
// but one of them must be set.
type Bounds struct {
	Length int // number of operations at most
	Weight int // weight at most
}

// Histories yields every sequential history within the bounds, the empty one
// first, each once and depth first in a fixed order. It stops, and returns
// false, when yield does. The slice passed to yield is reused.
//
// Targets may come after the operations that map to them, so a prefix may owe
// targets; it is pruned when they no longer fit.
func (l *Links) Histories(b Bounds, yield func(s Sequence) bool) bool {
	g := &generator{links: l, bounds: b, yield: yield, counts: map[Op]int{}}
	return g.step()
}

// generator builds histories operation by operation. While a target is owed,
// operations name it by slot; slots are numbered by first use, which makes
// every history come out once.
type generator struct {
	links  *Links
	bounds Bounds
	yield  func(Sequence) bool

	ops   []Op // Target is a slot, or Free
	slots []slot
	owed  int
	// counts is the frequency of each operation, Target being a slot.
	counts map[Op]int
	out    Sequence
}

// slot is one match: the kind of its target and where it stands (-1: owed).
type slot struct {
	kind int8
	at   int
}

func (g *generator) step() bool {
	if g.owed == 0 && !g.emit() {
		return false
	}
	if g.bounds.Length > 0 && len(g.ops)+max(g.owed, 1) > g.bounds.Length {
		return true
	}
	for k := range g.links.Self {
		if !g.place(int8(k)) {
			return false
		}
	}
	return true
}

// place tries kind k with each matching it may have.
func (g *generator) place(k int8) bool {
	if f := g.links.Free[k]; f.Possible && !g.push(Op{k, Free, f.ReadOnly}) {
		return false
	}
	for s := range g.slots { // an open match: as a member, or as the target it owes
		t := g.slots[s].kind
		if link := g.links.To[k][t]; link.Possible && !g.push(Op{k, int8(s), link.ReadOnly}) {
			return false
		}
		if self := g.links.Self[k]; self.Possible && t == k && g.slots[s].at < 0 {
			g.slots[s].at = len(g.ops)
			g.owed--
			ok := g.push(Op{k, int8(s), self.ReadOnly})
			g.owed++
			g.slots[s].at = -1
			if !ok {
				return false
			}
		}
	}
	return g.open(k)
}

// open starts a new match with an operation of kind k: as its target, or as a
// member whose target is owed.
func (g *generator) open(k int8) bool {
	if g.bounds.Weight > 0 && len(g.slots) == g.bounds.Weight {
		return true
	}
	s := int8(len(g.slots))
	if self := g.links.Self[k]; self.Possible {
		g.slots = append(g.slots, slot{k, len(g.ops)})
		ok := g.push(Op{k, s, self.ReadOnly})
		g.slots = g.slots[:s]
		if !ok {
			return false
		}
	}
	if g.links.PastOnly {
		return true
	}
	for t, link := range g.links.To[k] {
		if !link.Possible || !g.links.Self[t].Possible {
			continue
		}
		g.slots = append(g.slots, slot{int8(t), -1})
		g.owed++
		ok := g.push(Op{k, s, link.ReadOnly})
		g.owed--
		g.slots = g.slots[:s]
		if !ok {
			return false
		}
	}
	return true
}

// push appends an operation and goes on, unless its frequency exceeds the
// weight or the length leaves no room for what is owed.
func (g *generator) push(o Op) bool {
	if g.bounds.Length > 0 && len(g.ops)+1+g.owed > g.bounds.Length {
		return true
	}
	if g.bounds.Weight > 0 && g.counts[o] == g.bounds.Weight {
		return true
	}
	g.counts[o]++
	g.ops = append(g.ops, o)
	ok := g.step()
	g.ops = g.ops[:len(g.ops)-1]
	g.counts[o]--
	return ok
}

// emit yields the history with slots replaced by positions.
func (g *generator) emit() bool {
	g.out = g.out[:0]
	for _, o := range g.ops {
		if o.Target != Free {
			o.Target = int8(g.slots[o.Target].at)
		}
		g.out = append(g.out, o)
	}
	return g.yield(g.out)
}

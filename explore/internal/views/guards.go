package views

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// guard is what all accesses to a word have in common.
type guard struct {
	locks         []ir.Word
	writes, plain bool
	name          string
}

// guarded objects to a proof in which something is observed that does not synchronize, as a lock that is
// taken, unless one lock guards each word that is written and not only accessed atomically. Races of what follows
// such an observation need not show in two next steps.
func (p *Proof) guarded() error {
	pos := p.Shared.Observed()
	if pos == 0 {
		return nil
	}
	words := map[machine.Word]*guard{}
	for _, k := range p.keys {
		for _, x := range k.accesses {
			p.viewer.Guards(x, func(w machine.Word, write, atomic bool, locks []ir.Word, name string) {
				g := words[w]
				if g == nil {
					g = &guard{locks: slices.Clone(locks), name: name}
					words[w] = g
				}
				g.writes, g.plain = g.writes || write, g.plain || !atomic
				g.locks = slices.DeleteFunc(g.locks, func(l ir.Word) bool { return !slices.Contains(locks, l) })
			})
		}
	}
	var racy []string
	for _, g := range words {
		if g.writes && g.plain && len(g.locks) == 0 {
			racy = append(racy, g.name)
		}
	}
	if len(racy) == 0 {
		return nil
	}
	return &Finding{Pos: pos, Call: -1, Text: fmt.Sprintf("no one lock guards %s, so a data race may go unseen after a lock is found taken, which orders nothing", slices.Min(racy))}
}

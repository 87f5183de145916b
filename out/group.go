package out

import "github.com/adtinfer/adtinfer/theory"

// A group is patterns that are one reason at different stages.
type group struct {
	name     string
	patterns []*theory.Pattern
}

// grouped puts the patterns of a group together, at the place of its first one.
// A pattern without a group is a group of its own.
func grouped(ps []theory.Pattern) []group {
	var gs []group
	at := map[string]int{}
	for i := range ps {
		p := &ps[i]
		n, ok := at[p.Group]
		if !ok || p.Group == "" {
			n = len(gs)
			gs = append(gs, group{name: p.Name})
			at[p.Group] = n
			if p.Group != "" {
				gs[n].name = p.Group
			}
		}
		gs[n].patterns = append(gs[n].patterns, p)
	}
	return gs
}

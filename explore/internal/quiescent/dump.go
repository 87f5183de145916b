package quiescent

import "fmt"

func (g *Graph) Dump() {
	fmt.Println("closed", g.closed, "rounds", g.rounds, "fault", g.Fault)
	for i := range g.nodes {
		n := &g.nodes[i]
		fmt.Printf("%d quiet=%d running=%v threads=%d depth=%d open=%v only=%v called=%v %x\n", i, n.quiet, n.running, n.threads, n.depth, n.open, n.only, n.called, n.form)
		for _, e := range n.edges {
			fmt.Printf("   t%d call %d answer %d -> %d %v\n", e.thread, e.call, e.answer, e.to, e.origins)
		}
	}
}

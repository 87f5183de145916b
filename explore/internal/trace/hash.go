package trace

import (
	"crypto/sha256"
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Hash tells programs and what they are called with apart.
type Hash [8]byte

// HashOf is the hash of a program and the calls that are explored, before it runs: it may
// make texts then. Positions count, too: a trace names them.
func HashOf(p *ir.Program, calls []machine.Call) Hash {
	h := sha256.New()
	for _, f := range p.Funcs {
		if f == nil {
			fmt.Fprintln(h, "none")
			continue
		}
		fmt.Fprintln(h, f.Name, f.Params, f.Captured, f.Results, f.Kinds, f.Code, f.Defers, f.Recovers)
	}
	for _, l := range p.Layouts {
		fmt.Fprintln(h, *l)
	}
	for _, t := range p.Types {
		if t != nil {
			fmt.Fprintln(h, t.Name, t.Layout, t.Methods, t.Comparable)
		}
	}
	for _, g := range p.Globals {
		fmt.Fprintln(h, g)
	}
	for _, n := range p.Natives {
		fmt.Fprintln(h, n.Name)
	}
	for _, i := range p.Interfaces {
		fmt.Fprintln(h, *i)
	}
	for _, text := range p.Strings.Texts() {
		fmt.Fprintf(h, "%q\n", text)
	}
	fmt.Fprintln(h, p.Methods, p.Consts, p.Positions, p.Init, p.New)
	for _, o := range p.Ops {
		fmt.Fprintln(h, o.Method, o.Func)
	}
	if p.Policy != nil {
		fmt.Fprintln(h, *p.Policy)
	}
	fmt.Fprintln(h, calls)
	return Hash(h.Sum(nil))
}

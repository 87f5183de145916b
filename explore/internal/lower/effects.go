package lower

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// touched is what a function names.
type touched struct {
	writes  []*ssa.Global // that it writes to itself
	names   []*ssa.Global
	funcs   []*ssa.Function
	unknown bool // it calls what only runs tell
}

// aliases are variables that may lead to the same memory: sets, each with a variable that
// stands for it.
type aliases map[*ssa.Global]*ssa.Global

func (a aliases) find(g *ssa.Global) *ssa.Global {
	for a[g] != nil && a[g] != g {
		g = a[g]
	}
	return g
}

func (a aliases) join(list []*ssa.Global) {
	for _, g := range list[min(1, len(list)):] {
		if x, y := a.find(list[0]), a.find(g); x != y {
			a[x] = y
		}
	}
}

// reachedGlobal reports whether code uses a variable; outside of the standard library also,
// whether it uses one that may lead to the same memory.
func (c *compiler) reachedGlobal(g *ssa.Global, standard bool) bool {
	if standard || c.inits.reached[g] {
		return c.inits.reached[g]
	}
	of := c.inits.aliases.find(g)
	for h := range c.inits.reached {
		if c.inits.aliases.find(h) == of {
			return true
		}
	}
	return false
}

// findAllAliases finds which variables may lead to the same memory once packages are
// initialised: those that are named where one of them is computed.
func (c *compiler) findAllAliases() {
	c.inits.aliases = aliases{}
	for _, p := range c.src.Packages {
		if c.standardPackage(p) {
			continue
		}
		if fn := p.Func("init"); fn != nil && !c.bodyless(fn) {
			c.findAliases(fn)
		}
	}
}

func (c *compiler) findAliases(init *ssa.Function) {
	for _, b := range init.Blocks {
		for _, in := range b.Instrs {
			var list []*ssa.Global
			switch in := in.(type) {
			case *ssa.Store:
				list = c.named(in.Val, map[ssa.Value]bool{}, map[*ssa.Function]bool{})
				if g, ok := in.Addr.(*ssa.Global); ok {
					list = append(list, g)
				}
			case *ssa.Call:
				list = c.named(in, map[ssa.Value]bool{}, map[*ssa.Function]bool{})
			}
			var pointers []*ssa.Global
			for _, g := range list {
				if c.leadsOn(g) {
					pointers = append(pointers, g)
				}
			}
			c.inits.aliases.join(pointers)
		}
	}
}

// leadsOn reports whether a variable has pointers in it.
func (c *compiler) leadsOn(g *ssa.Global) bool {
	for _, k := range c.shape(elemOf(g.Type())).kinds {
		if k != ir.Data {
			return true
		}
	}
	return false
}

// named lists the variables that a value is computed from.
func (c *compiler) named(v ssa.Value, seen map[ssa.Value]bool, funcs map[*ssa.Function]bool) (list []*ssa.Global) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Global:
		return []*ssa.Global{v}
	case *ssa.Function:
		return c.namedIn(v, funcs)
	case ssa.Instruction:
		for _, op := range v.Operands(nil) {
			if *op != nil {
				list = append(list, c.named(*op, seen, funcs)...)
			}
		}
	}
	return list
}

// namedIn lists the variables that a function names, and those that it calls.
func (c *compiler) namedIn(fn *ssa.Function, seen map[*ssa.Function]bool) (list []*ssa.Global) {
	if seen[fn] || c.standard(fn) || fn.Name() == "init" && fn.Synthetic != "" {
		return nil
	}
	seen[fn] = true
	t := c.touches(fn)
	list = append(list, t.names...)
	for _, callee := range t.funcs {
		list = append(list, c.namedIn(callee, seen)...)
	}
	return list
}

// functionOf is the function that a value is, nil if that is not known.
func functionOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.ChangeType:
		return functionOf(v.X)
	}
	return nil
}

// writesReached reports whether a function may write to a variable that is reached. In
// the standard library variables are written to by their names; elsewhere by whoever
// names them, or calls what is not known here.
func (c *compiler) writesReached(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	t, standard := c.touches(fn), c.standard(fn)
	list := t.names
	if standard {
		list = t.writes
	} else if t.unknown {
		return true
	}
	for _, g := range list {
		if c.reachedGlobal(g, standard) {
			return true
		}
	}
	for _, callee := range t.funcs {
		if c.writesReached(callee, seen) {
			return true
		}
	}
	return false
}

func (c *compiler) touches(fn *ssa.Function) *touched {
	if t, ok := c.inits.direct[fn]; ok {
		return t
	}
	t := &touched{}
	c.inits.direct[fn] = t
	if c.bodyless(fn) {
		return t
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok && call.Common().StaticCallee() == nil {
				_, builtin := call.Common().Value.(*ssa.Builtin)
				t.unknown = t.unknown || !builtin
			}
			for _, op := range in.Operands(nil) {
				switch v := (*op).(type) {
				case *ssa.Global:
					if strings.HasPrefix(v.Name(), "init$") {
						continue
					}
					t.names = append(t.names, v)
					if load, ok := in.(*ssa.UnOp); !ok || writesThrough(load) {
						t.writes = append(t.writes, v)
					}
				case *ssa.Function:
					t.funcs = append(t.funcs, v)
				}
			}
		}
	}
	return t
}

// writesThrough reports whether what is loaded from a variable is written to at once: a
// map that it holds, or what it points to.
func writesThrough(load *ssa.UnOp) bool {
	for _, r := range *load.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Map == load {
				return true
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && slices.Contains([]string{"close", "clear", "delete", "copy"}, b.Name()) {
				return true
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			for _, q := range *r.(ssa.Value).Referrers() {
				if s, ok := q.(*ssa.Store); ok && s.Addr == r.(ssa.Value) {
					return true
				}
			}
		}
	}
	return false
}

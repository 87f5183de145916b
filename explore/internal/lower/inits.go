package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// initState is what is known of the packages' initialisation.
type initState struct {
	running bool // an initialiser is being compiled
}

// reach notes that code uses a global variable.
func (c *compiler) reach(g *ssa.Global) {}

func (c *compiler) addInits() bool { return false }

// finish completes the program.
func (c *compiler) finish() {
	c.finishMethods()
	f := c.newFunction("init", 0, true)
	f.emit(ir.Instr{Op: ir.Return})
	f.end()
	c.prog.Init = len(c.prog.Funcs)
	c.prog.Funcs = append(c.prog.Funcs, f.out)
}

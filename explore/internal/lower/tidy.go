package lower

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// tidy drops instructions that nothing depends on.
func tidy(p *ir.Program, f *ir.Func) {}

package lower

import (
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// Refusal is something in the code that cannot be explored.
type Refusal struct {
	Pos  ir.Position
	What string
}

// Error says what, and where.
func (r Refusal) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", r.Pos.File, r.Pos.Line, r.Pos.Col, r.What)
}

// Compile compiles what the constructor and the operations of a package reach.
func Compile(p *source.Package) (*ir.Program, []Refusal) { panic("to come") }

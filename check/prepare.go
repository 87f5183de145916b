package check

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Prepare is the engine for many executions of one theory: what depends on the
// theory alone is computed once. Given another theory the engine computes it
// anew.
func Prepare(engine Engine, t *theory.Theory) (Engine, error) {
	if p, ok := engine.(prepared); ok && p.theory == t {
		return p, nil
	}
	c, err := compile(t)
	if err != nil {
		return nil, err
	}
	return prepared{engine, t, c}, nil
}

type prepared struct {
	Engine
	theory   *theory.Theory
	compiled *compiled
}

func (p prepared) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	if t != p.theory {
		return p.Engine.Check(ctx, t, e)
	}
	return checkCompiled(ctx, p.Engine, p.compiled, e)
}

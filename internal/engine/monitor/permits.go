package monitor

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/follow"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/theory"
)

// byLimit selects the procedure for containers in which so many values are at a time,
// which may leave in any order and are asked for by name, if the axioms of a theory say
// that and no more.
func byLimit(ctx context.Context, t *theory.Theory, s *axioms.Semantics, judge Judge) (*Procedure, bool, error) {
	p := axioms.SemaphoreOf(ctx, t)
	if p == nil {
		return nil, false, ctx.Err()
	}
	l := &assignment{cast: map[history.Kind]byte{p.Add: adds.letter, p.Remove: removes.letter}}
	l.shape = shape{
		Name: "semaphore", roles: []player{adds, removes}, named: true,
		about:  fmt.Sprintf("at most %d values are in, and any of them leaves", p.Limit),
		New:    func() batch.Algorithm { return &batch.Permits{Limit: int32(p.Limit)} },
		Follow: func() follow.Follower { return follow.NewPermits(p.Limit) },
	}
	r, err := newReader(t, l, s)
	if err != nil || r.Methods[p.Add.Method].Open != batch.MaybeAdd || r.Methods[p.Remove.Method].Open != batch.MaybeRemove {
		return nil, false, nil
	}
	x := &Procedure{theory: t.Name, why: "the axioms of theory " + t.Name + " are those of a semaphore: " + l.shape.about, shape: l.shape, reader: r}
	x, err = x.checked(ctx, t, s, judge)
	return x, err == nil, ctx.Err()
}

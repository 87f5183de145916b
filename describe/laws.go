package describe

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/describe/internal/laws"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// laws looks for laws of a reference that nothing else describes, and puts them into its
// theory: people have something to review. Checking runs the reference all the same.
func (s *search) laws(ctx context.Context, t *theory.Theory) error {
	if _, nondeterministic := s.impl.(reference.Acceptor); nondeterministic || s.As != "" || s.Params == nil {
		return nil
	}
	s.Patterns.Progress("looking for laws")
	names := make([][]string, len(s.impl.Methods()))
	for i, m := range s.impl.Methods() {
		names[i] = s.Params[m.GoName]
	}
	var found *laws.Found
	done, err := s.within(ctx, byLaws, func(ctx context.Context) (err error) {
		found, err = laws.Learn(ctx, s.impl, laws.Options{Names: names, Literals: s.Literals})
		return err
	})
	switch {
	case !done:
		return nil
	case err != nil && ctx.Err() == nil && (Fails(err) || errors.Is(err, states.ErrMemory)):
		s.refute(byLaws, brief(err))
		return nil
	case err != nil:
		return err
	}
	if found.Set == nil {
		s.refute(byLaws, found.Why)
		return nil
	}
	if !found.Closed {
		s.refute(byLaws, fmt.Sprintf("they do not determine every answer: %s", found.Why))
	}
	t.Spec.Laws = found.Document()
	return nil
}

// byLaws is what laws are called where a theory says what was tried.
const byLaws theory.Description = "laws"

package describe

import (
	"context"
	"fmt"
	"time"

	"github.com/adtinfer/adtinfer/theory"
)

// What a kind of description gets of the time that is left, if that is limited: a third.
// The cheap kinds come first, and what is left in the end is for the reference itself.
const shares = 3

// within runs a search within its share of the time. If only that is over, the kind is
// given up, which the theory says, and the search goes on with the next.
func (s *search) within(ctx context.Context, by theory.Description, look func(context.Context) error) (done bool, err error) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return true, look(ctx)
	}
	share := time.Until(deadline) / shares
	sub, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	if err = look(sub); err == nil || sub.Err() == nil || ctx.Err() != nil {
		return true, err
	}
	s.refute(by, fmt.Sprintf("none was found in %s, its share of the time limit", share.Round(time.Millisecond)))
	return false, nil
}

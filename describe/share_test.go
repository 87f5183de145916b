package describe

import (
	"context"
	"errors"
	"testing"
)

// TestNoTime holds that there is an error, and no theory that is nil, where patterns were not done in their share of the time and
// the reference has no name.
func TestNoTime(t *testing.T) {
	s := &search{tried: []string{"patterns: none was found in 1s"}}
	if found, err := s.model(t.Context(), nil); found != nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(found, err)
	}
}

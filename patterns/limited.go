package patterns

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/reference"
)

// ErrTooMany is returned when the search takes more calls than it may.
var ErrTooMany = errors.New("patterns: too many histories")

// limited is a reference that answers so many calls and no more.
type limited struct {
	reference.Implementation
	most, left int
}

// recalled is how many sequences of calls are asked once: executions are explored several
// times.
const recalled = 250_000

// atMost limits a reference to so many calls, unless most is 0. It remembers what it
// answered, unless it answers nothing of itself.
func atMost(impl reference.Implementation, most int) reference.Implementation {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return impl
	}
	impl = live.NewMemory(impl, recalled)
	if most == 0 {
		return impl
	}
	return &limited{impl, most, most}
}

func (l *limited) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	for _, s := range seqs {
		l.left -= len(s)
	}
	if l.left < 0 {
		return nil, fmt.Errorf("%w for %d calls of the reference", ErrTooMany, l.most)
	}
	return l.Implementation.Replay(ctx, seqs)
}

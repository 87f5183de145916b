package patterns

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/reference"
)

// limited is a reference that answers so many calls and no more.
type limited struct {
	reference.Implementation
	most, left int
}

// atMost limits a reference, unless most is 0 or the reference answers nothing of
// itself.
func atMost(impl reference.Implementation, most int) reference.Implementation {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic || most == 0 {
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

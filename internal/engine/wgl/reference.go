package wgl

import (
	"context"
	"fmt"
	"sync"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/reference"
)

// Reference is a reference whose states can be kept. What is known of its states
// is known to all its models. It is safe for concurrent use.
type Reference struct {
	impl   reference.Implementation
	keeper states.Keeper

	opening chan struct{} // holds a token while a Space is opened
	mu      sync.Mutex
	space   *space // that new models use; nil if there is none
}

// space is a Space that models share.
type space struct {
	mu sync.Mutex // of the Space
	states.Space

	// Guarded by the Reference:
	users int
	stale bool // it failed, so that no new model uses it
}

// NewReference makes a reference ready. It is an error if its states cannot be kept.
func NewReference(impl reference.Implementation) (*Reference, error) {
	if p, ok := impl.(*reference.Package); ok {
		impl = p.Implementation
	}
	k, ok := impl.(states.Keeper)
	if !ok {
		return nil, fmt.Errorf("reference: the states of %s cannot be kept, so that it cannot be searched", impl.Name())
	}
	return &Reference{impl: impl, keeper: k, opening: make(chan struct{}, 1)}, nil
}

// Kept says how states are kept.
func (r *Reference) Kept(ctx context.Context) (states.Kept, error) {
	s, err := r.enter(ctx)
	if err != nil {
		return states.Kept{}, err
	}
	defer r.leave(s, false)
	return s.Kept(), nil
}

// Model is the reference as a model for an execution, its prefixes and parts. The
// labels must be the reference's; the error is about their values, or the
// reference's.
func (r *Reference) Model(ctx context.Context, e *history.Execution) (*OfReference, error) {
	labels := make([]history.Label, len(e.Ops))
	for i := range e.Ops {
		labels[i] = e.Ops[i].Label
	}
	c, err := live.NewCaller(r.impl, labels)
	if err != nil {
		return nil, err
	}
	s, err := r.enter(ctx)
	if err != nil {
		return nil, err
	}
	m := &OfReference{ctx: ctx, ref: r, space: s, caller: c, calls: map[string]*call{}, ahead: map[*history.Label]states.Ahead{}}
	if _, m.accepts = r.impl.(reference.Acceptor); m.accepts {
		m.values = semantics.ValuesOf(e.Ops)
	}
	return m, nil
}

// enter is the Space that models share at the moment.
func (r *Reference) enter(ctx context.Context) (*space, error) {
	select {
	case r.opening <- struct{}{}:
		defer func() { <-r.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r.mu.Lock()
	s := r.space
	if s != nil {
		s.users++
	}
	r.mu.Unlock()
	if s != nil {
		return s, nil
	}
	opened, err := r.keeper.States(ctx)
	if err != nil {
		return nil, err
	}
	s = &space{Space: opened, users: 1}
	r.mu.Lock()
	r.space = s
	r.mu.Unlock()
	return s, nil
}

// leave ends the use of a Space. One that failed is closed with its last user.
func (r *Reference) leave(s *space, failed bool) {
	r.mu.Lock()
	s.users--
	s.stale = s.stale || failed
	if s.stale && r.space == s {
		r.space = nil
	}
	end := s.stale && s.users == 0
	r.mu.Unlock()
	if end {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.Close()
	}
}

// shared reports whether a Space has other users, or had some that it failed.
func (r *Reference) shared(s *space) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.users > 1 || s.stale
}

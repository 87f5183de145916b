package record

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Config says what a log is checked against, and how.
type Config[S any] struct {
	// Spec is the data type. Required.
	Spec Spec[S]

	// Observers are the methods whose operations change nothing. They need no
	// Commit: the result must fit a state that the specification has between
	// the call and the return. One that commits all the same is checked there.
	Observers []string

	// View is the view of the implementation, for view refinement. The Spec
	// then has a View, too.
	View ViewFunc

	// Judge decides whether calls and returns alone are linearizable: it tells
	// a wrong implementation from a wrong annotation. Default: a search with
	// the Spec. See ByEngine.
	Judge Judge

	// NoTriage leaves a violation's Blame unknown.
	NoTriage bool

	// Limit bounds the entries that are run again to try other orders of
	// overlapping commits; default DefaultLimit.
	Limit int
}

// DefaultLimit is about a few seconds of trying.
const DefaultLimit = 20_000_000

// Judge decides whether an execution is linearizable.
type Judge func(ctx context.Context, e *history.Execution) (check.Verdict, error)

// ByEngine is the Judge that asks a checking engine about a theory.
func ByEngine(engine check.Engine, t *theory.Theory) Judge {
	return func(ctx context.Context, e *history.Execution) (check.Verdict, error) {
		r, err := engine.Check(ctx, t, e)
		return r.Verdict, err
	}
}

func (c *Config[S]) setup(n *names, view bool) (*setup[S], error) {
	if c.Spec == nil {
		return nil, fmt.Errorf("record: Config.Spec is missing: what is the log to be checked against?")
	}
	s := &setup[S]{rules: c.Spec, observers: map[string]bool{}, names: n}
	for _, m := range c.Observers {
		s.observers[m] = true
	}
	if !view {
		return s, nil
	}
	if c.View == nil {
		return nil, fmt.Errorf("record: Config.View is missing: view refinement needs the implementation's view")
	}
	if _, ok := c.Spec.(Viewer[S]); !ok {
		return nil, fmt.Errorf("record: %T has no method View(%T) *record.Bag: view refinement needs the specification's view", c.Spec, *new(S))
	}
	s.view = c.View
	return s, nil
}

func (c *Config[S]) limit() int {
	if c.Limit > 0 {
		return c.Limit
	}
	return DefaultLimit
}

// observerNames lists the observers, for messages.
func (s *setup[S]) observerNames() string {
	var names []string
	for m := range s.observers {
		names = append(names, m)
	}
	sort.Strings(names)
	if len(names) == 0 {
		return "there are none"
	}
	return "they are " + strings.Join(names, ", ")
}

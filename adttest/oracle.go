package adttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/live"
	"github.com/adtinfer/adtinfer/internal/printable"
	"github.com/adtinfer/adtinfer/reference"
)

// oracle is the Reference as the last judge: it searches for an order of a
// history's operations in which an object of the reference, called with the
// recorded arguments, answers as recorded.
type oracle struct {
	*live.Reference
	methods map[string]int // by the theory's name
	hang    time.Duration  // one call may take so long
}

// callLimit bounds the calls on objects of the reference in one search.
const callLimit = 1_000_000

// newOracle makes the judge out of Config.Reference; every method of the subject
// has to be one of the reference, by its name there or by an alias.
func newOracle(ref any, s *subject) (*oracle, error) {
	spec, ok := ref.(reference.Spec)
	if !ok {
		spec.New = ref
	}
	r, err := live.New(spec)
	if err != nil {
		return nil, fmt.Errorf("adttest: Config.Reference: %w", err)
	}
	o := &oracle{Reference: r, methods: map[string]int{}, hang: reference.DefaultTimeout}
	for i := range s.methods {
		m := &s.methods[i]
		found := false
		for _, name := range []string{m.name, m.goName, driver.LowerCamel(m.goName)} {
			if k, ok := r.Method(name); ok {
				o.methods[m.name], found = k, len(r.Params(k)) == len(m.params)
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("adttest: Config.Reference has no method %s that takes %s; if it goes by another name there, say so in the Spec's Aliases", m.name, printable.Count(len(m.params), "argument"))
		}
	}
	return o, nil
}

// ruling is what the oracle says of a history.
type ruling struct {
	admitted  bool
	undecided string // why there is no answer, or ""
	order     []int  // of an admitted history: the operations in an order that explains it
}

// admits searches for an order of a history. With blocked, every operation that
// did not return must also be one that waits, in the state that the others leave.
// The error is about a reference that panics or hangs, or the context's.
func (o *oracle) admits(ctx context.Context, e *history.Execution, blocked bool, limit int) (ruling, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &replays{oracle: o, e: e, blocked: blocked, limit: int64(limit), cancel: cancel}
	s.number()
	done := make(chan struct{})
	go s.search(ctx, done)
	if err := s.watch(done); err != nil {
		return ruling{}, err
	}
	var fault *referenceFault
	switch {
	case errors.As(s.err, &fault):
		return ruling{}, fault
	case s.found:
		return ruling{admitted: true, order: s.order}, nil
	case s.count.Load() > s.limit:
		return ruling{undecided: fmt.Sprintf("the search on the reference ended after %d calls", limit)}, nil
	case s.err != nil:
		return ruling{undecided: "the search on the reference was interrupted"}, nil
	}
	return ruling{undecided: s.unsure}, nil
}

// refuses reports whether it is certain that a history is not admitted.
func (o *oracle) refuses(ctx context.Context, e *history.Execution) bool {
	r, err := o.admits(ctx, e, false, callLimit)
	return err == nil && !r.admitted && r.undecided == ""
}

// shortest is the number of events of the shortest prefix that the reference does
// not admit, of a history that it does not.
func (o *oracle) shortest(ctx context.Context, e *history.Execution) int {
	var ends []int
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			ends = append(ends, e.Ops[i].Return+1)
		}
	}
	slices.Sort(ends)
	low, high := 0, len(ends)-1
	for low < high {
		middle := (low + high) / 2
		if o.refuses(ctx, e.Prefix(ends[middle])) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if high < 0 {
		return e.Events
	}
	return ends[high]
}

// referenceFault is what the reference did that no reference may.
type referenceFault struct{ what string }

func (f *referenceFault) Error() string { return "adttest: Config.Reference: " + f.what }

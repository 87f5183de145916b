package refine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
)

// search runs a machine along a log and goes back to try other orders of
// overlapping commits when it fails. What it remembers is the past
// steps, checkpoints, and the choices made since the first of them.
//
// It remembers nothing as long as no commit is bracketed.
type search[S any] struct {
	*setup[S]
	ctx    context.Context
	m      *machine[S]
	budget int  // items that may be run again
	online bool // the log has no end, so the past may not grow with it

	past    []step
	marks   []mark[S] // the first stands where the past begins
	choices []choice
	given   int // choices made so far in the present run
	now     int // the past step that the present run is at
	seen    map[string]bool
	retry   bool // the present run is not the first one
	forgot  bool // choices were forgotten, so a failure proves nothing
	bracket bool // some commit is bracketed

	found *failure // the final one, of the run that came furthest
	limit string   // why there is no answer
}

// choice is which of the options was taken, and at which past step.
type choice struct{ taken, options, at int }

// mark is a place to run again from.
type mark[S any] struct {
	m       *machine[S] // nil: a new one
	at      int         // in the past
	choices int
}

const (
	markEvery = 512     // items between checkpoints as the log goes on
	markAgain = 32      // items from a checkpoint to a choice that are not run twice
	maxPast   = 1 << 17 // items kept
)

func newSearch[S any](ctx context.Context, s *setup[S]) *search[S] {
	r := &search[S]{setup: s, ctx: ctx, budget: s.Limit, seen: map[string]bool{}}
	r.m = newMachine(s)
	r.m.decide = r.decide
	r.marks = []mark[S]{{}}
	return r
}

// step takes the next item and reports whether there is more to do.
func (r *search[S]) step(it step) bool {
	if r.found != nil || r.limit != "" {
		return false
	}
	r.remember(it)
	f := r.m.step(it)
	if f != nil {
		r.back(f)
	}
	return r.found == nil && r.limit == ""
}

// remember keeps the step, if it may be needed again.
func (r *search[S]) remember(it step) {
	copier, clones := r.spec.(cloner[S])
	begins := r.wide || it.es[0].What() == binlog.BeginEntry
	if !clones && r.online {
		if begins {
			r.limit = "bracketed commits are checked on line only if the Spec has a Clone"
		}
		return
	}
	if clones {
		switch {
		case begins && !r.bracket:
			r.reset(copier)
		case !r.bracket:
			return
		case len(r.past)-r.marks[len(r.marks)-1].at >= markEvery:
			r.mark(copier)
		}
	}
	r.bracket = r.bracket || begins
	r.now = len(r.past)
	r.past = append(r.past, it)
}

// mark sets a checkpoint, and forgets what is not needed any more.
func (r *search[S]) mark(c cloner[S]) {
	if len(r.choices) == 0 {
		r.reset(c)
		return
	}
	r.marks = append(r.marks, mark[S]{r.copy(c, r.m), len(r.past), len(r.choices)})
	if len(r.past) <= maxPast {
		return
	}
	gone := r.marks[1]
	r.past, r.choices, r.marks = r.past[gone.at:], r.choices[gone.choices:], r.marks[1:]
	r.given -= gone.choices
	for i := range r.marks {
		r.marks[i].at -= gone.at
		r.marks[i].choices -= gone.choices
	}
	for i := range r.choices {
		r.choices[i].at -= gone.at
	}
	r.forgot = true
}

// reset forgets the past: nothing in it was a matter of choice.
func (r *search[S]) reset(c cloner[S]) {
	r.past, r.choices, r.given = nil, nil, 0
	r.m.mem.settle()
	r.marks = []mark[S]{{m: r.copy(c, r.m)}}
	clear(r.seen)
}

func (r *search[S]) copy(c cloner[S], m *machine[S]) *machine[S] {
	m.doing = "Spec.Clone"
	return m.clone(c.Clone(m.state))
}

// decide is what the machine asks: the choice made before, or the first one.
func (r *search[S]) decide(m *machine[S], options int) (int, bool) {
	if r.given == len(r.choices) {
		if r.retry && r.known(m) {
			return 0, false
		}
		r.choices = append(r.choices, choice{0, options, r.now})
	}
	r.given++
	return r.choices[r.given-1].taken, true
}

// known reports whether this configuration was explored before: the place in
// the log, the operations that have not taken effect, the state, and what
// brackets wrote, which depends on the order of their commits.
func (r *search[S]) known(m *machine[S]) bool {
	k, ok := r.spec.(keyer[S])
	if !ok {
		return false
	}
	m.doing = "Spec.Key"
	b := binary.AppendUvarint(nil, m.entry)
	for _, p := range m.order {
		b = binary.AppendUvarint(b, uint64(p.op.ID)<<1|bit(p.fits))
	}
	state := k.Key(m.state)
	b = append(binary.AppendUvarint(append(b, 0), uint64(len(state))), state...)
	key := string(m.mem.bracketed(b))
	if r.seen[key] {
		return true
	}
	r.seen[key] = true
	return false
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// back tries the other choices, the latest first, until a run comes to the end
// of the past.
func (r *search[S]) back(f *failure) {
	best, unsure := f, r.m.unsure
	defer func() { r.retry = false }()
	for r.nextChoice() {
		r.retry = true
		f := r.again()
		if f == nil || r.limit != "" {
			return
		}
		unsure = unsure || r.m.unsure
		if f.entry > best.entry {
			best = f
		}
	}
	switch {
	case unsure:
		r.limit = fmt.Sprintf("at %s the specification has no step, but an operation took effect before that did not return, so that its result is not known", best.op)
	case r.forgot:
		r.limit = fmt.Sprintf("at %s no order was found among the latest overlapping commits; earlier ones were not tried again", best.op)
	default:
		r.found = best
	}
}

// nextChoice moves on to the choices to be tried next.
func (r *search[S]) nextChoice() bool {
	for n := len(r.choices); n > 0; n = len(r.choices) {
		if c := &r.choices[n-1]; c.taken+1 < c.options {
			c.taken++
			return true
		}
		r.choices = r.choices[:n-1]
	}
	return false
}

// again runs the past from the last checkpoint before the latest choice.
func (r *search[S]) again() *failure {
	latest := r.choices[len(r.choices)-1].at
	for n := len(r.marks); n > 1 && (r.marks[n-1].choices >= len(r.choices) || r.marks[n-1].at > latest); n = len(r.marks) {
		r.marks = r.marks[:n-1]
	}
	from := r.marks[len(r.marks)-1]
	copier, clones := r.spec.(cloner[S])
	if from.m == nil {
		r.m = newMachine(r.setup)
	} else {
		r.m = r.copy(copier, from.m)
	}
	r.m.decide, r.given = r.decide, from.choices
	for i, it := range r.past[from.at:] {
		r.now = from.at + i
		if clones && r.now == latest && i >= markAgain {
			r.marks = append(r.marks, mark[S]{r.copy(copier, r.m), r.now, r.given})
		}
		if r.budget--; r.budget < 0 {
			r.limit = "too many orders of overlapping commits to try them all; give the Spec a Key, or raise the limit"
			return nil
		}
		if r.budget%pollEvery == 0 && r.ctx.Err() != nil {
			r.limit = stopped(r.ctx)
			return nil
		}
		if f := r.m.step(it); f != nil {
			return f
		}
	}
	return nil
}

// pollEvery is the number of entries between two looks at the context: few,
// because a Spec may take long for a step.
const pollEvery = 16

func stopped(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "the time limit was reached"
	}
	return "the check was interrupted"
}

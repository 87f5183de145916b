package adttest

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// summary is what was done, in one line.
func (r *run) summary() string {
	if r.env.replay != "" || r.start.IsZero() {
		return "the saved log holds: the data type admits it"
	}
	return fmt.Sprintf("%s holds: %s of %s, %d different histories, in %v (seed %d); %s%s", r.subject.theory.Name, wording.Count(r.rounds, "round"),
		wording.Count(r.scenarios, "scenario"), r.judge.histories, time.Since(r.start).Round(time.Millisecond), r.Seed, r.judge.coverage.Text(r.subject.kinds()), r.told())
}

// meaning is what "holds" means, in one line: which histories were judged, of which
// language, by what, and how far that was looked at.
func (r *run) meaning() string {
	j := r.judge
	judged := j.histories - j.unjudged()
	if r.start.IsZero() {
		judged = 1
	}
	s := fmt.Sprintf("holds means: some order explains each of %s, as ", wording.Count(judged, "judged history"))
	if j.engine == nil {
		return s + "calls of the reference show; other schedules and scenarios were not seen"
	}
	s += fmt.Sprintf("the theory %s says (language: %s; %s)", j.theory.Name, languageOf(j.theory), boundsOf(j.theory))
	if j.oracle != nil {
		s += ", and beyond the language as calls of the reference show"
	} else {
		s += ", and nothing is said of others"
	}
	return s + "; other schedules and scenarios were not seen"
}

// languageOf is what a theory speaks of, in short.
func languageOf(t *theory.Theory) string {
	if len(t.Spec.Language) == 0 {
		return "all histories"
	}
	var rules []string
	for _, l := range t.Spec.Language {
		rules = append(rules, strings.TrimSuffix(cmp.Or(l.Reading, l.Name), "."))
	}
	return strings.Join(rules, ", ")
}

// boundsOf is how far a theory was compared with a reference.
func boundsOf(t *theory.Theory) string {
	st := &t.Status
	exact := func(e *theory.Extent) string {
		if e.States > 0 {
			return "exact for sequences of all lengths"
		}
		return fmt.Sprintf("compared with a reference on %s, of up to %s", wording.Count(e.Words, "sequence"), wording.Count(e.Longest, "call"))
	}
	switch {
	case t.Spec.Automaton != nil && st.Automaton != nil:
		return exact(st.Automaton)
	case t.Spec.Product != nil && st.Product != nil:
		return fmt.Sprintf("compared with a reference on %s, of up to %s", wording.Count(st.Product.Words, "sequence"), wording.Count(st.Product.Longest, "call"))
	case st.CrossCheck.Histories > 0:
		s := fmt.Sprintf("compared with a reference on all sequences of up to %s", wording.Count(st.CrossCheck.Length, "call"))
		if n := len(st.Weights); n > 0 {
			s += fmt.Sprintf(", patterns of weight up to %d", st.Weights[n-1].Weight)
		}
		return s
	}
	return "not compared with a reference"
}

// told says, with -v, how many wrong versions of the reference the calls distinguish
// from it; nothing if that cannot be found out.
func (r *run) told() string {
	if r.Reference == nil || !testing.Verbose() {
		return ""
	}
	spec, _ := specOf(r.Reference)
	impl, err := reference.New(spec)
	if err != nil {
		return ""
	}
	defer impl.Close()
	t, err := describe.Tells(r.ctx, impl, r.judge.sample)
	if err != nil {
		return ""
	}
	return "; " + t.Text()
}

// few scenarios show little.
const few = 10

// unchecked warns of what the run could not show; it is an error if that is more
// than a tenth of what it saw.
func (r *run) unchecked() error {
	j := r.judge
	all, missing := j.histories, j.unjudged()
	switch {
	case all == 0 && r.ctx.Err() != nil:
		return fmt.Errorf("adttest: nothing was checked: %w", context.Cause(r.ctx))
	case all == 0:
		return fmt.Errorf("adttest: nothing was checked: no call was recorded in %s of %s; does the constructor return?", wording.Count(r.rounds, "round"), wording.Count(r.scenarios, "scenario"))
	case j.outside == all:
		return fmt.Errorf("adttest: no history was in the theory's language; give Config.Scenarios that are, or Config.Reference, which judges any. The first one: %w", j.breach)
	case missing*10 > all:
		return fmt.Errorf("adttest: too little was judged: %s", r.missing())
	case missing > 0:
		r.warn(r.missing())
	}
	if r.scenarios < few && !r.Fixed && r.Rounds == 0 && !r.start.IsZero() {
		r.warn(fmt.Sprintf("only %s of %s were tried in %v: raise Config.Budget, %v, or ADTTEST_BUDGET", wording.Count(r.rounds, "round"), wording.Count(r.scenarios, "scenario"), time.Since(r.start).Round(time.Millisecond), r.Budget))
	}
	if j.differs != nil {
		r.warn(j.differs.String() + "; the reference decided")
	}
	if j.coverage.Overlaps == 0 {
		r.warn("no two operations overlapped, so that nothing was tested but sequential behavior")
	}
	return nil
}

// missing says which histories were not judged, and what to do.
func (r *run) missing() string {
	j := r.judge
	s := fmt.Sprintf("%d of %d histories were not judged", j.unjudged(), j.histories)
	if j.outside > 0 {
		s += fmt.Sprintf("; %d are outside the theory's language: give Config.Reference, which judges any (the first one: %v)", j.outside, j.breach)
	}
	if j.undecided > 0 {
		s += fmt.Sprintf("; %d are inconclusive: let Config.Threads and Config.Calls be fewer (the first one: %s)", j.undecided, j.why)
	}
	return s
}

func (r *run) warn(text string) {
	text = wording.Line(text)
	r.warnings = append(r.warnings, text)
	if r.Warn != nil {
		r.host.inside(func() { r.Warn(text) })
	}
}

func (r *run) abandonedNote() string {
	return fmt.Sprintf("in %s operations did not return within %v; they count as pending, and their goroutines (%d) were left behind. Config.Close can release them; Config.MustReturn makes it a failure",
		wording.Count(r.stuckRounds, "round"), r.Stall, r.abandoned)
}

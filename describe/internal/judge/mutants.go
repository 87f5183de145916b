package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Bounds of what is tried on a mutant.
const (
	batchWords   = 250     // random words at a time
	shortCalls   = 5       // all words up to this length are tried
	randomCalls  = 24      // of a random word, at most
	longCalls    = 200     // of a long word
	judgedABatch = 2_000   // executions of a mutant that the theory is asked about
	recalled     = 200_000 // words, and their beginnings, that are remembered
)

// suspect is a mutant on trial.
type suspect struct {
	name    string
	number  int             // in the lineup
	words   int             // tried, with prefixes
	shows   []history.Label // the shortest execution found that the reference does not have, or the one that the theory rejects
	seen    bool            // the theory rejects shows
	alike   bool            // it leaves the states that the reference does
	dropped error           // it could not be run
}

// trial holds mutants against a theory, batch by batch.
type trial struct {
	*runner
	lineup   *Lineup
	suspects []*suspect
	most     int // words that make a mutant equivalent
}

// mutants judges a theory by the mutants of its reference.
func (r *runner) mutants(ctx context.Context, l *Lineup, most int) (*theory.Mutants, error) {
	t := &trial{runner: r, lineup: l, most: most}
	same, err := l.compared(ctx)
	if err != nil {
		return nil, err
	}
	for i, m := range l.mutants {
		t.suspects = append(t.suspects, &suspect{name: m.Name, number: i, alike: same.mutants[i]})
	}
	for n := range uint64(shortCalls) {
		if err := t.batch(ctx, batchKey{shortWords, n + 1}, 0); err != nil {
			return nil, err
		}
	}
	if err := t.fitted(ctx, batchKey{longWords, 0}); err != nil {
		return nil, err
	}
	for seed := uint64(0); t.open(); seed++ {
		if err := t.fitted(ctx, batchKey{randomWord, seed}); err != nil {
			return nil, err
		}
	}
	return t.report(same.states), nil
}

// open reports whether there is a mutant to be tried on more words.
func (t *trial) open() bool { return slices.ContainsFunc(t.suspects, t.wants) }

// wants reports whether a mutant is to be tried on more words. One that differs
// is tried on fewer: it is only asked whether the theory ever rejects it.
func (t *trial) wants(s *suspect) bool {
	most := t.most
	if s.shows != nil {
		most = most/10 + 1
	}
	return !s.seen && !s.alike && s.dropped == nil && s.words < most
}

// fitted tries words of more than shortCalls calls, each second one without what leads
// outside the language if there are mutants that differ and have not been rejected.
func (t *trial) fitted(ctx context.Context, k batchKey) error {
	if !slices.ContainsFunc(t.suspects, func(s *suspect) bool { return t.wants(s) && s.shows != nil }) {
		return t.batch(ctx, k, shortCalls)
	}
	words := k.words(t.methods)
	var half []word
	for i := 0; i < len(words); i += 2 {
		half = append(half, words[i])
	}
	traces, err := t.inside(ctx, half)
	if err != nil {
		return inLongRun(err)
	}
	for i, tr := range traces {
		words[2*i] = tr.calls
	}
	b, err := t.lineup.answered(ctx, words)
	if err != nil {
		return err
	}
	return t.try(ctx, b, shortCalls)
}

// batch tries the words of a key on the mutants that are open.
func (t *trial) batch(ctx context.Context, k batchKey, known int) error {
	if !t.open() {
		return nil
	}
	b, err := t.lineup.batch(ctx, k)
	if err != nil {
		return err
	}
	return t.try(ctx, b, known)
}

// try tries words on the mutants that are open. Their prefixes of more than
// known calls count as words that were tried; if known is 0 none do, since all
// short words are tried on all mutants.
func (t *trial) try(ctx context.Context, b *batch, known int) error {
	right := &right{batch: b, trial: t, language: map[string]bool{}}
	count := 0
	for _, w := range b.words {
		count += max(1, len(w)-known)
	}
	for _, s := range t.suspects {
		if !t.wants(s) {
			continue
		}
		if err := right.against(ctx, s); err != nil {
			return err
		}
		if known > 0 {
			s.words += count
		}
	}
	return nil
}

// right is a batch of words with the reference's answers.
type right struct {
	*trial
	*batch
	language map[string]bool // by word and length: is it in the language?
}

// against holds what a mutant answers otherwise against the theory.
func (r *right) against(ctx context.Context, s *suspect) error {
	run, err := r.lineup.run(ctx, r.batch, s.number)
	if err != nil {
		return err
	}
	s.dropped = run.err
	for judged, o := range run.otherwise {
		labels := r.labels(r.words[o.word], o.answers)
		if s.shows == nil || o.at+1 < len(s.shows) {
			s.shows = labels[:o.at+1]
		}
		if judged == judgedABatch {
			break
		}
		n, err := r.rejected(ctx, o.word, o.at+1, labels)
		if n > 0 {
			s.seen, s.shows = true, labels[:n]
		}
		if n > 0 || err != nil {
			return err
		}
	}
	return nil
}

// rejected is how much the theory rejects of the mutant's execution of word i, which is wrong from n calls
// on, or 0: it is a violation, or it has an outcome that is unknown, or it leaves the language although the
// reference's does not.
func (r *right) rejected(ctx context.Context, i, n int, labels []history.Label) (int, error) {
	for _, m := range []int{n, len(labels)} {
		cut := min(m, r.oracle.most)
		v, _, err := r.oracle.says(ctx, labels[:cut])
		switch {
		case err != nil:
			return 0, err
		case v == violation || v == unknown:
			return cut, nil
		case v != outside || m != n:
			continue
		}
		if within, err := r.within(ctx, i, n); !within || err != nil {
			return 0, err
		}
		return cut, nil
	}
	return 0, nil
}

// within reports whether the reference's execution of the first n calls of word i
// is in the language.
func (r *right) within(ctx context.Context, i, n int) (bool, error) {
	key := fmt.Sprint(i, n)
	if in, ok := r.language[key]; ok {
		return in, nil
	}
	ls := r.labels(r.words[i], r.answers[i])
	v, _, err := r.oracle.says(ctx, ls[:min(n, len(ls), r.oracle.most)])
	r.language[key] = v == admitted
	return v == admitted, err
}

// report sums the trial up.
func (t *trial) report(states int) *theory.Mutants {
	m := &theory.Mutants{Words: t.most}
	for _, s := range t.suspects {
		switch m.Made++; {
		case s.dropped != nil:
			m.Made--
			m.Dropped = append(m.Dropped, s.name+": "+line(s.dropped.Error()))
		case s.seen:
			m.Seen++
			m.Rejected = append(m.Rejected, theory.Mutant{Name: s.name, Shows: Draw(s.shows), Calls: len(s.shows)})
		case s.alike:
			m.Equivalent, m.Alike, m.States = m.Equivalent+1, m.Alike+1, states
		case s.shows == nil:
			m.Equivalent++
		default:
			m.Unseen = append(m.Unseen, theory.Mutant{Name: s.name, Shows: Draw(s.shows), Calls: len(s.shows)})
		}
	}
	return m
}

package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Bounds of what is tried on a mutant.
const (
	batchWords   = 250     // random words at a time
	shortCalls   = 5       // all words up to this length are tried
	randomCalls  = 24      // of a random word, at most
	longCalls    = 200     // of a long word
	judgedABatch = 2_000   // executions of a mutant that the theory is asked about
	recalled     = 200_000 // words, and their beginnings, that are asked once in a batch
)

// suspect is a mutant on trial.
type suspect struct {
	Mutant
	words   int             // tried, with prefixes
	shows   []history.Label // the shortest execution found that the reference does not have, or the one that the theory rejects
	seen    bool            // the theory rejects shows
	dropped error           // it could not be run
}

// trial holds mutants against a theory, batch by batch.
type trial struct {
	*runner
	suspects []*suspect
	words    int // that make a mutant equivalent
}

// mutants judges a theory by the mutants of its reference.
func (r *runner) mutants(ctx context.Context, most int) (*theory.Mutants, error) {
	t := &trial{runner: r, words: most}
	for _, m := range All(r.methods) {
		t.suspects = append(t.suspects, &suspect{Mutant: m})
	}
	for n := 1; n <= shortCalls; n++ {
		if err := t.batch(ctx, teacher.Short(r.methods, n), 0); err != nil {
			return nil, err
		}
	}
	if err := t.long(ctx); err != nil {
		return nil, err
	}
	for seed := uint64(0); t.open(); seed++ {
		if err := t.random(ctx, seed); err != nil {
			return nil, err
		}
	}
	return t.report(), nil
}

// open reports whether there is a mutant to be tried on more words.
func (t *trial) open() bool { return slices.ContainsFunc(t.suspects, t.wants) }

// wants reports whether a mutant is to be tried on more words. One that differs
// is tried on fewer: it is only asked whether the theory ever rejects it.
func (t *trial) wants(s *suspect) bool {
	most := t.words
	if s.shows != nil {
		most = most/10 + 1
	}
	return !s.seen && s.dropped == nil && s.words < most
}

// random tries a batch of random words, half of them made to fit the language.
func (t *trial) random(ctx context.Context, seed uint64) error {
	random := make([]word, batchWords)
	for i := range random {
		g := teacher.NewGenerator(t.methods, 1<<32+seed*batchWords+uint64(i))
		random[i] = g.Random(shortCalls + g.IntN(randomCalls-shortCalls+1))
	}
	return t.fitted(ctx, random, shortCalls)
}

// long tries long words, cut to what a mutant can be run on in little time.
func (t *trial) long(ctx context.Context) error {
	long := teacher.Long(t.methods, 0, 2*len(t.methods)+2)
	for i := range long {
		long[i] = long[i][:min(longCalls, len(long[i]))]
	}
	return t.fitted(ctx, long, shortCalls)
}

// fitted tries words, each second one without what leads outside the language if
// there are mutants that differ and have not been rejected.
func (t *trial) fitted(ctx context.Context, words []word, known int) error {
	if !slices.ContainsFunc(t.suspects, func(s *suspect) bool { return t.wants(s) && s.shows != nil }) {
		return t.batch(ctx, words, known)
	}
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
	return t.batch(ctx, words, known)
}

// batch tries words on the mutants that are open. Their prefixes of more than
// known calls count as words that were tried; if known is 0 none do, since all
// short words are tried on all mutants.
func (t *trial) batch(ctx context.Context, words []word, known int) error {
	if len(words) == 0 || !t.open() {
		return nil
	}
	impl := live.NewMemory(t.impl, recalled)
	answers, err := impl.Replay(ctx, words)
	if err != nil {
		return inLongRun(err)
	}
	right := &right{words: words, answers: answers, impl: impl, trial: t, language: map[string]bool{}}
	count := 0
	for _, w := range words {
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
	words    []word
	answers  [][]reference.Answer
	impl     *live.Memory    // for this batch, in the place of the trial's
	language map[string]bool // by word and length: is it in the language?
}

// against runs a mutant on the words.
func (r *right) against(ctx context.Context, s *suspect) error {
	wrong, err := r.wrong(ctx, s)
	if brokeDown(err) {
		s.dropped = err
		return nil
	}
	if err != nil {
		return err
	}
	judged := 0
	for i, w := range r.words {
		at, differs := Differs(r.answers[i], wrong[i])
		if !differs {
			continue
		}
		labels := r.labels(w, wrong[i])
		if s.shows == nil || at+1 < len(s.shows) {
			s.shows = labels[:at+1]
		}
		if judged++; judged > judgedABatch {
			break
		}
		n, err := r.rejected(ctx, i, at+1, labels)
		if n > 0 {
			s.seen, s.shows = true, labels[:n]
		}
		if n > 0 || err != nil {
			return err
		}
	}
	return nil
}

func (r *right) wrong(ctx context.Context, s *suspect) ([][]reference.Answer, error) {
	out := make([][]reference.Answer, len(r.words))
	for i, w := range r.words {
		answers, ok := s.OfAnswers(w, r.answers[i])
		if !ok {
			return s.Replay(ctx, r.impl, r.words)
		}
		out[i] = answers
	}
	return out, nil
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
func (t *trial) report() *theory.Mutants {
	m := &theory.Mutants{Words: t.words}
	for _, s := range t.suspects {
		switch m.Made++; {
		case s.dropped != nil:
			m.Made--
			m.Dropped = append(m.Dropped, s.Name+": "+line(s.dropped.Error()))
		case s.seen:
			m.Seen++
			m.Rejected = append(m.Rejected, theory.Mutant{Name: s.Name, Shows: Draw(s.shows), Calls: len(s.shows)})
		case s.shows == nil:
			m.Equivalent++
		default:
			m.Unseen = append(m.Unseen, theory.Mutant{Name: s.Name, Shows: Draw(s.shows), Calls: len(s.shows)})
		}
	}
	return m
}

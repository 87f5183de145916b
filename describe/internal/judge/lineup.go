package judge

import (
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/reference"
)

// Lineup is the mutants of a deterministic reference, with what it and they answer to
// the words on which descriptions are judged. They are made and run once, for all
// descriptions. It is not safe for concurrent use.
type Lineup struct {
	asked   *live.Memory // the reference
	ask     *teacher.Teacher
	mutants []Mutant
	batches map[batchKey]*batch
	alike   *alike // nil: states were not compared yet
}

// NewLineup makes the mutants of a reference.
func NewLineup(impl reference.Implementation) *Lineup {
	return &Lineup{asked: live.NewMemory(impl, recalled), ask: teacher.New(impl), mutants: All(impl.Methods()), batches: map[batchKey]*batch{}}
}

// batchKey names words that are the same for all descriptions: those of a length, random
// ones of a seed, or long ones.
type batchKey struct {
	kind wordKind
	n    uint64
}

type wordKind byte

const (
	shortWords wordKind = iota
	longWords
	randomWord
)

// words are those of a key.
func (k batchKey) words(methods []reference.Method) []word {
	switch k.kind {
	case shortWords:
		return teacher.Short(methods, int(k.n))
	case longWords: // cut to what a mutant can be run on in little time
		long := teacher.Long(methods, 0, 2*len(methods)+2)
		for i := range long {
			long[i] = long[i][:min(longCalls, len(long[i]))]
		}
		return long
	}
	random := make([]word, batchWords)
	for i := range random {
		g := teacher.NewGenerator(methods, 1<<32+k.n*batchWords+uint64(i))
		random[i] = g.Random(shortCalls + g.IntN(randomCalls-shortCalls+1))
	}
	return random
}

// batch is words with the reference's answers, and what mutants answer otherwise.
type batch struct {
	words   []word
	answers [][]reference.Answer
	runs    []*mutantRun // by mutant; nil: it was not run
}

// mutantRun is a mutant on the words of a batch: those that it answers otherwise, some
// more than a theory is asked about at most, or why it could not be run.
type mutantRun struct {
	otherwise []misanswered
	err       error
}

type misanswered struct {
	word, at int // the call that is answered otherwise
	answers  []reference.Answer
}

// batch has the words of a key answered.
func (l *Lineup) batch(ctx context.Context, k batchKey) (*batch, error) {
	if b, ok := l.batches[k]; ok {
		return b, nil
	}
	b, err := l.answered(ctx, k.words(l.asked.Methods()))
	if err == nil {
		l.batches[k] = b
	}
	return b, err
}

// answered has words answered by the reference.
func (l *Lineup) answered(ctx context.Context, words []word) (*batch, error) {
	answers, err := l.asked.Replay(ctx, words)
	if err != nil {
		return nil, inLongRun(err)
	}
	return &batch{words, answers, make([]*mutantRun, len(l.mutants))}, nil
}

// run runs a mutant on the words of a batch. The error is not the reference's.
func (l *Lineup) run(ctx context.Context, b *batch, mutant int) (*mutantRun, error) {
	if b.runs[mutant] != nil {
		return b.runs[mutant], nil
	}
	r := &mutantRun{}
	wrong, err := l.replay(ctx, b, &l.mutants[mutant])
	switch {
	case brokeDown(err):
		r.err = err
	case err != nil:
		return nil, err
	}
	for i := range wrong {
		if at, differs := Differs(b.answers[i], wrong[i]); differs && len(r.otherwise) <= judgedABatch {
			r.otherwise = append(r.otherwise, misanswered{i, at, wrong[i]})
		}
	}
	b.runs[mutant] = r
	return r, nil
}

func (l *Lineup) replay(ctx context.Context, b *batch, m *Mutant) ([][]reference.Answer, error) {
	out := make([][]reference.Answer, len(b.words))
	for i, w := range b.words {
		answers, ok := m.OfAnswers(w, b.answers[i])
		if !ok {
			return m.Replay(ctx, l.asked, b.words)
		}
		out[i] = answers
	}
	return out, nil
}

package judge

import (
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of Samples.
const (
	sampleWords = 20
	sampleCalls = 12
	sampleWrong = 8
)

// Samples are an execution of a reference, and a few of wrong versions of it that differ
// in their last call; none if it has no wrong version, or is nondeterministic.
func Samples(ctx context.Context, impl reference.Implementation) (right []history.Label, wrong [][]history.Label, err error) {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return nil, nil, nil
	}
	r := &runner{newLabeler(impl.Methods(), true), impl, nil}
	var tried []word
	for i := range uint64(sampleWords) {
		tried = append(tried, teacher.NewGenerator(r.methods, 1<<39+i).Random(sampleCalls))
	}
	traces, err := r.run(ctx, tried)
	if err != nil {
		return nil, nil, nil // in longer runs it breaks down, as its status says
	}
	for i := range traces {
		if len(traces[i].labels) > len(right) {
			right = traces[i].labels
		}
	}
	for _, m := range All(r.methods) {
		answers, err := m.Replay(ctx, impl, tried)
		if err != nil {
			continue
		}
		for i := range answers {
			if at, differs := Differs(traces[i].answers, answers[i]); differs && len(wrong) < sampleWrong {
				wrong = append(wrong, r.labels(tried[i], answers[i])[:at+1])
				break
			}
		}
	}
	return right, wrong, ctx.Err()
}

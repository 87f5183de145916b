package judge

import (
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
)

// tellingWords is how many words telling looks at, so many of them together.
const tellingWords, tellingChunk = 1_200, 300

// telling holds a theory against words with values that mean something to a reference
// which looks into them: what takes "a/b" for more than the name of a value is not
// described by which values are equal.
func (r *runner) telling(ctx context.Context, ask *teacher.Teacher) (*Wrong, error) {
	for from := 0; from < tellingWords; from += tellingChunk {
		var all [][]teacher.Call
		for i := from; i < from+tellingChunk; i++ {
			all = append(all, teacher.Telling(r.methods, i))
		}
		answers, err := ask.Ask(ctx, all)
		if err != nil {
			return nil, err
		}
		for i := range all {
			found, err := r.excludes(ctx, answers[i])
			if found == nil && err == nil {
				continue
			}
			if err == nil {
				_, err = teacher.Shorten(all[i], func(less []teacher.Call) (bool, error) {
					a, err := ask.Ask(ctx, [][]teacher.Call{less})
					if err != nil {
						return false, err
					}
					shorter, err := r.excludes(ctx, a[0])
					if shorter != nil {
						found = shorter
					}
					return shorter != nil, err
				})
			}
			return found, err
		}
	}
	return nil, nil
}

// excludes says why the theory excludes what the reference answered; nil if it does not.
func (r *runner) excludes(ctx context.Context, answers teacher.Answers) (*Wrong, error) {
	v, _, err := r.oracle.says(ctx, answers.Labels)
	if err != nil || v != violation && v != unknown {
		return nil, err
	}
	return &Wrong{Execution: answers.Labels, Looks: true, Why: "to a specification values are mere names, and others are answered otherwise"}, nil
}

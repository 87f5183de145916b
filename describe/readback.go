package describe

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// readBack writes a theory, reads it, and has two logs decided by what was read: one of
// the reference, and one of a wrong version of it. The error is about adtinfer, not
// about the reference.
func (s *search) readBack(ctx context.Context, t *theory.Theory) error {
	if t.Status.Forced {
		return nil // it says so, and may be of no use
	}
	var file bytes.Buffer
	if err := theory.Write(&file, t); err != nil {
		return err
	}
	read, err := theory.Read(&file, t.Name+".theory.yaml")
	if err != nil {
		return fmt.Errorf("describe: the theory that was found cannot be read, so it is not written; please report this: %w", err)
	}
	if s.Judge == nil || t.Spec.Matching.Past {
		return nil
	}
	checker, err := check.New(read, check.Options{Reference: s.impl})
	if err != nil {
		return fmt.Errorf("describe: nothing can be checked with the theory that was found, so it is not written; please report this: %w", err)
	}
	decides := func(labels []history.Label) (check.Verdict, error) {
		r, err := checker.Check(ctx, history.Sequential(labels...))
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("describe: the theory that was found does not decide %s, so it is not written; please report this: %w", judge.Draw(labels), err)
		}
		return r.Verdict, err
	}
	right, wrong, err := judge.Samples(ctx, s.impl)
	if err != nil {
		return err
	}
	if v, err := decides(right); err != nil {
		return err
	} else if v == check.Violation {
		return fmt.Errorf("describe: by the theory that was found, %s is a violation, but the reference answers so; it is not written; please report this", judge.Draw(right))
	}
	wrong = slices.DeleteFunc(wrong, func(labels []history.Label) bool {
		return slices.ContainsFunc(labels, func(l history.Label) bool { return !answers(read, &l) })
	})
	for _, labels := range wrong {
		if v, err := decides(labels); v == check.Violation || err != nil {
			return err
		}
	}
	if len(wrong) > 0 && len(s.info.MayFail) == 0 {
		return fmt.Errorf("describe: by the theory that was found, %s is no violation, but the reference does not answer so; it is not written; please report this", judge.Draw(wrong[0]))
	}
	return nil
}

// answers reports whether a method has an outcome by a theory, which leaves out those that
// never came.
func answers(t *theory.Theory, l *history.Label) bool {
	return slices.ContainsFunc(t.Spec.Methods, func(m history.MethodSig) bool {
		return m.Name == l.Method && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == l.Outcome })
	})
}

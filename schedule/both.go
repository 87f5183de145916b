package schedule

import "context"

// RunAll runs a test in one program after the other, until it fails: first as it is, then under the race detector, with a
// quarter of the schedules.
func RunAll(ctx context.Context, programs []*Program, test string, b Budget) (*Result, error) {
	if b.Schedules <= 0 {
		b.Schedules = manySchedules
	}
	all := &Result{Test: test, Verdict: Passed}
	for _, p := range programs {
		own := b
		if p.Race {
			own.Schedules = max(1, b.Schedules/4)
		}
		r, err := p.Run(ctx, test, own)
		if err != nil {
			return nil, err
		}
		r.Schedules, r.Limited, r.Elapsed = r.Schedules+all.Schedules, r.Limited+all.Limited, r.Elapsed+all.Elapsed
		if all.Verdict == Undecided && r.Verdict == Passed {
			r.Verdict, r.Why = all.Verdict, all.Why
		}
		if all = r; r.Verdict.Failing() {
			break
		}
	}
	return all, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// misses counts what propagation misses, or finds late, on random executions.
func misses(ctx context.Context, r *report) error {
	n := at(r.size, [3]int{500, 20_000, 200_000})
	r.section("Random executions", "The paper conjectures that propagation misses nothing. On %d random executions of each type, of up to 8 operations, with pending ones,\n"+
		"against a search over an executable model at every prefix. Missed and late are of saturate with removal, and with probing. Undecided: a\n"+
		"pending operation may lead outside the theory's language, of which it says nothing; then symbolic is inconclusive, too.", n)
	var rows [][]string
	missed, all := 0, 0
	for _, t := range historytest.Examples() {
		m, err := missedOf(ctx, &t, n)
		if err != nil {
			return err
		}
		missed, all = missed+m.modes[0].missed, all+m.violating
		row := []string{t.Name}
		for _, k := range []int{m.violating, m.modes[0].missed, m.modes[0].late, m.modes[1].missed, m.modes[1].late, m.undecided} {
			row = append(row, fmt.Sprint(k))
		}
		rows = append(rows, row)
	}
	r.finding("Violations of random executions that propagation misses", "conjecture: none", fmt.Sprintf("%d of %d", missed, all))
	r.table([]string{"type", "violating", "missed", "late", "probing: missed", "late", "undecided"}, rows)
	return nil
}

type missedRow struct {
	violating, undecided int
	modes                [2]struct{ missed, late int }
}

func missedOf(ctx context.Context, t *historytest.Type, n int) (row missedRow, err error) {
	th, err := example(t.Name)
	if err != nil {
		return row, err
	}
	var engines [3]decide
	for i, o := range []check.Options{{Engine: "saturate"}, {Engine: "saturate", Probe: true}, {Engine: "symbolic"}} {
		if engines[i], err = withOptions("", o).new(th); err != nil {
			return row, err
		}
	}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 41))
		e := t.Execution(r, 2+r.IntN(7), 1+r.IntN(5), 4)
		want := t.Model.ShortestViolation(e)
		if want == 0 {
			continue
		}
		res, err := engines[2](ctx, e)
		if errors.As(err, new(*check.OutsideLanguage)) {
			continue
		}
		if err != nil {
			return row, err
		}
		row.violating++
		if res.Verdict == check.Inconclusive {
			row.undecided++
			continue
		}
		for i := range row.modes {
			res, err := engines[i](ctx, e)
			switch {
			case err != nil:
				return row, err
			case res.Verdict != check.Violation:
				row.modes[i].missed++
			case res.Prefix > want:
				row.modes[i].late++
			}
		}
	}
	return row, nil
}

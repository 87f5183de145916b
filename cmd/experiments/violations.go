package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check"
)

// relaxed are the data structures of Scal that are not linearizable by design, by Violin's
// names; strict are those that are.
var (
	relaxed = []string{"bkq", "dq", "rdq", "ukq"}
	strict  = []string{"fcq", "lbq", "msq", "sl", "ts", "wfq11"}
)

// violations counts which engine finds how many violations in the small logs.
func violations(ctx context.Context, r *report) error {
	all, err := recordings(r.data)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(x recording) bool {
		return !x.small() || !slices.Contains(relaxed, x.group) && !slices.Contains(strict, x.group)
	})
	logs := map[string]int{}
	for _, x := range all {
		logs[groupOf(x)]++
	}
	r.section("By engine", "In all logs of fewer than 100 operations: a bounded and an unbounded k-FIFO (bkq, ukq), a distributed queue (dq) and one that\n"+
		"dequeues at random (rdq), which are not linearizable by design; elsewhere are those that are. 10s for each log, as in the paper.\n\n"+
		"The paper: all engines but counting find every violation (enumerate misses one for lack of time), counting 4 some, counting 2 about half.")
	groups := append(slices.Clone(relaxed), "elsewhere")
	rows, p := [][]string{cells("logs", logs, groups)}, plot{title: "Violations found", x: "data structure", y: "violations", ticks: relaxed}
	engines := append([]engine{enumerated(), symbolic()}, saturating()...)
	engines = append(engines, withOptions("auto", check.Options{}), counted("counting 4", 4), counted("counting 2", 2))
	for _, e := range engines {
		found, err := violating(ctx, e, all)
		if err != nil {
			return err
		}
		s := series{name: e.name}
		for i, g := range relaxed {
			s.points = append(s.points, point{x: float64(i), y: float64(found[g])})
		}
		rows, p.series = append(rows, cells(e.name, found, groups)), append(p.series, s)
	}
	of := func(i int) string { return strings.Join(rows[i][1:5], ", ") }
	r.finding("Violations in logs of bkq, dq, rdq, ukq: symbolic; saturate with removal; counting 4; counting 2", "all; all; some; about half",
		of(2)+"; "+of(4)+"; "+of(6)+"; "+of(7))
	r.table(append([]string{"engine"}, groups...), rows)
	r.picture("figure14", p)
	return nil
}

// violating counts the violations that an engine finds, by group.
func violating(ctx context.Context, e engine, all []recording) (map[string]int, error) {
	found := map[string]int{}
	for _, x := range all {
		decide, err := e.new(x.theory)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		result, err := decide(ctx, x.execution)
		cancel()
		if err != nil {
			return nil, err
		}
		if result.Verdict == check.Violation {
			found[groupOf(x)]++
		}
	}
	return found, nil
}

func groupOf(x recording) string {
	if slices.Contains(relaxed, x.group) {
		return x.group
	}
	return "elsewhere"
}

func cells(name string, counts map[string]int, groups []string) []string {
	row := []string{name}
	for _, g := range groups {
		row = append(row, fmt.Sprint(counts[g]))
	}
	return row
}

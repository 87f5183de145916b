package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/theory"
)

// row is a recorded history with what is known of it.
type row struct {
	File         string
	Linearizable bool
	Prefix       int `json:"first_violating_prefix_length"`
	Object       string
	execution    *history.Execution
	theory       *theory.Theory
}

// recorded reads truth.jsonl and the logs it lists.
func recorded(dir string) ([]row, error) {
	f, err := os.Open(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	theories := map[string]*theory.Theory{}
	for object, name := range map[string]string{"atomic-queue": "queue", "atomic-stack": "stack"} {
		if theories[object], err = example(name); err != nil {
			return nil, err
		}
	}
	var rows []row
	for s := bufio.NewScanner(f); s.Scan(); {
		var r row
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, err
		}
		r.theory = theories[strings.TrimSpace(r.Object)]
		if r.execution, err = read(filepath.Join(dir, r.File), r.theory); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func example(name string) (*theory.Theory, error) {
	path := filepath.Join("examples", name, name+".theory.yaml")
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; run this from the project's root", err)
	}
	defer f.Close()
	return theory.Read(f, path)
}

func read(path string, t *theory.Theory) (*history.Execution, error) {
	sig, err := t.Signature(nil)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return history.ReadLog(f, path, sig)
}

// steps prints how far each engine comes in a large log when it checks at every
// return: the median over the logs ("Monitoring refinement" Figures 12 and 13).
func steps(ctx context.Context, rows []row, budget time.Duration) error {
	fmt.Printf("## Steps in %v\n\nA step is a call or a return; every engine decides each prefix that ends in a return. Engines without an\n"+
		"incremental mode start anew for each. Median over the logs of 10,000 operations (20,000 steps), and relative to enumerate.\n\n"+
		"| engine | steps | normalised |\n|---|--:|--:|\n", budget)
	engines := []check.Engine{check.Enumerate{}, check.Symbolic{}, check.Counting{K: 4}}
	base := 0
	for _, e := range engines {
		n, err := median(rows, func(r row) (int, error) { return prefixes(ctx, e, r, budget) })
		if err != nil {
			return err
		}
		base = max(base, 1)
		if e.Name() == "enumerate" {
			base = max(n, 1)
		}
		fmt.Printf("| %s | %d | %.1f |\n", e.Name(), n, float64(n)/float64(base))
	}
	for _, o := range []struct {
		name    string
		options saturate.Options
	}{{"saturate", saturate.Options{}}, {"saturate, removal", saturate.Options{Removal: true}}} {
		var took time.Duration
		n, err := median(rows, func(r row) (int, error) {
			n, d, err := monitored(ctx, r, o.options, budget)
			took = max(took, d)
			return n, err
		})
		if err != nil {
			return err
		}
		note := ""
		if took < budget {
			note = fmt.Sprintf(" (the whole log, in %v at most)", took.Round(time.Millisecond))
		}
		fmt.Printf("| %s | %d%s | %.1f |\n", o.name, n, note, float64(n)/float64(base))
	}
	fmt.Println()
	return ctx.Err()
}

func median(rows []row, measure func(row) (int, error)) (int, error) {
	var ns []int
	for _, r := range rows {
		if len(r.execution.Ops) < 5000 {
			continue
		}
		n, err := measure(r)
		if err != nil {
			return 0, err
		}
		ns = append(ns, n)
	}
	if len(ns) == 0 {
		return 0, fmt.Errorf("no large logs")
	}
	sort.Ints(ns)
	return ns[len(ns)/2], nil
}

// prefixes counts the events of the longest prefix that an engine reaches.
func prefixes(ctx context.Context, engine check.Engine, r row, budget time.Duration) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	prepared, err := check.Prepare(engine, r.theory)
	if err != nil {
		return 0, err
	}
	returns := make([]bool, r.execution.Events)
	for i := range r.execution.Ops {
		if o := &r.execution.Ops[i]; o.Completed() {
			returns[o.Return] = true
		}
	}
	done := 0
	for n := 1; n <= r.execution.Events && ctx.Err() == nil; n++ {
		if returns[n-1] {
			if _, err := prepared.Check(ctx, r.theory, r.execution.Prefix(n)); err != nil {
				return 0, err
			}
		}
		if ctx.Err() == nil {
			done = n
		}
	}
	return done, nil
}

// monitored counts the events that a saturating monitor follows.
func monitored(ctx context.Context, r row, o saturate.Options, budget time.Duration) (int, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	rules, err := clauses.Compile(r.theory)
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	n, err := follow(ctx, saturate.New(rules, o), r.execution)
	return n, time.Since(start), err
}

// found prints how many violations each engine finds in the small logs of the
// implementations that have some ("Monitoring refinement" Figure 14).
func found(ctx context.Context, rows []row) error {
	engines := []struct {
		name   string
		engine check.Engine
	}{
		{"enumerate", check.Enumerate{}}, {"symbolic", check.Symbolic{}},
		{"saturate", check.Saturate{}}, {"saturate, removal", check.Saturate{Removal: true}},
		{"counting 4", check.Counting{K: 4}}, {"counting 2", check.Counting{K: 2}}, {"counting 1", check.Counting{K: 1}},
	}
	groups := []string{"bkq", "dq", "rdq", "ukq"}
	fmt.Printf("## Violations found\n\nIn the small logs of relaxed queues (about 10 operations each), by their first prefix that violates or later.\n\n| engine |")
	for _, g := range groups {
		fmt.Printf(" %s |", g)
	}
	fmt.Print(" elsewhere |\n|---|")
	fmt.Println(strings.Repeat("--:|", len(groups)+1))
	truth := map[string]int{}
	for _, r := range small(rows) {
		if !r.Linearizable {
			truth[group(r)]++
		}
	}
	line("known", truth, groups)
	for _, e := range engines {
		counts := map[string]int{}
		for _, r := range small(rows) {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			result, err := e.engine.Check(ctx, r.theory, r.execution)
			cancel()
			if err != nil {
				return err
			}
			if result.Verdict == check.Violation {
				counts[group(r)]++
			}
		}
		line(e.name, counts, groups)
	}
	fmt.Println()
	return ctx.Err()
}

func line(name string, counts map[string]int, groups []string) {
	fmt.Printf("| %s |", name)
	rest := 0
	for _, n := range counts {
		rest += n
	}
	for _, g := range groups {
		fmt.Printf(" %d |", counts[g])
		rest -= counts[g]
	}
	fmt.Printf(" %d |\n", rest)
}

func small(rows []row) []row {
	var s []row
	for _, r := range rows {
		if strings.HasPrefix(r.File, "small/") {
			s = append(s, r)
		}
	}
	return s
}

func group(r row) string { return strings.Split(r.File, "/")[1] }

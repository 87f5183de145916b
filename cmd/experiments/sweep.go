package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/coverage"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check"
)

// runSweep decides executions of many sizes and widths, and prints how the time grows.
func runSweep(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("sweep", flag.ExitOnError)
	types := f.String("types", "", "the types, by commas (default: all)")
	sizes := f.String("sizes", "100,1000,10000", "operations")
	widths := f.String("processes", "2,8,32,128", "processes that always overlap")
	kinds := f.String("kinds", "good,violating,pending", "of executions")
	engine := f.String("engine", "auto", "the engine")
	limit := f.Duration("limit", 10*time.Second, "for one execution; larger ones are not tried after one that takes longer")
	root := f.String("root", ".", "the project's folder")
	work := f.String("work", "", "write to this folder how often each block of code ran, a folder for each execution; the program must be built with -cover -covermode=atomic")
	if err := f.Parse(args); err != nil {
		return err
	}
	fmt.Println("| type | kind | processes | operations | verdict | prefix | time | growth | engine |\n|---|---|--:|--:|---|--:|--:|--:|---|")
	for _, s := range simulations() {
		if *types != "" && !slices.Contains(strings.Split(*types, ","), s.name) {
			continue
		}
		w := sweep{simulated: s, limit: *limit, work: *work}
		if err := w.open(*root, *engine); err != nil {
			return err
		}
		for _, kind := range strings.Split(*kinds, ",") {
			for _, p := range numbers(*widths) {
				if err := w.sizes(ctx, kind, p, numbers(*sizes)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func numbers(list string) (all []int) {
	for _, s := range strings.Split(list, ",") {
		n, _ := strconv.Atoi(s)
		all = append(all, n)
	}
	return all
}

type sweep struct {
	simulated
	limit   time.Duration
	work    string // folder for counts; "": none
	checker *check.Checker
}

func (w *sweep) open(root, engine string) error {
	t, err := theoryIn(root + "/" + w.theory + ".theory.yaml")
	if err == nil {
		w.checker, err = check.New(t, check.Options{Timeout: w.limit, Engine: engine})
	}
	return err
}

// countsOf is the folder with the counts of an execution.
func countsOf(name, kind string, processes, ops int) string {
	return filepath.Join(name, kind, strconv.Itoa(processes), strconv.Itoa(ops))
}

// counts writes how often each block of code ran, for go tool covdata.
func counts(dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = coverage.WriteMetaDir(dir)
	}
	if err == nil {
		err = coverage.WriteCountersDir(dir)
	}
	return err
}

// sizes decides executions of growing size. Growth is by how much the time of an operation
// grew.
func (w *sweep) sizes(ctx context.Context, kind string, processes int, sizes []int) error {
	before := 0.0
	for _, n := range sizes {
		r := rand.New(rand.NewPCG(uint64(n), uint64(processes)))
		e := simulate(w.simulated, r, n, processes, kind == "pending", kind == "violating")
		if w.work != "" { // what is prepared once does not count
			_, _ = w.checker.Check(ctx, e)
			_ = coverage.ClearCounters()
		}
		start := time.Now()
		res, err := w.checker.Check(ctx, e)
		took := time.Since(start)
		if w.work != "" {
			if err := counts(filepath.Join(w.work, countsOf(w.name, kind, processes, n))); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		verdict, detail := string(res.Verdict), ""
		if err != nil {
			verdict, detail = "error", err.Error()
		}
		growth, each := "", took.Seconds()/float64(n)
		if before > 0 {
			growth = fmt.Sprintf("%.1f", each/before)
		}
		if strings.Contains(res.Detail, "shorter") || res.Verdict == check.Inconclusive {
			detail = res.Detail
		}
		fmt.Printf("| %s | %s | %d | %d | %s | %d | %.3f s | %s | %s %s |\n", w.name, kind, processes, n, verdict, res.Prefix, took.Seconds(), growth, res.Engine, detail)
		if before = each; took > w.limit*9/10 {
			break
		}
	}
	return nil
}

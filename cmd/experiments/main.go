// Command experiments repeats, as far as the recorded histories at hand allow,
// the experiments of the papers that the checking engines come from, and prints
// the first part of docs/experiments.md:
//
//	go run ./cmd/experiments -data ../shared/data/violin
//
// Times depend on the machine; ratios within one run are what counts.
//
// It also writes what the engines say of many logs, and compares that with what they
// say after a change (see cmd/experiments/internal/corpus):
//
//	go run ./cmd/experiments corpus write -o before.jsonl -logs 300 -data ../shared/data
//	go run ./cmd/experiments corpus compare before.jsonl
//
// And it makes pages of the documents, for a browser:
//
//	go run ./cmd/experiments site pages
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/adtinfer/adtinfer/cmd/internal/review"
)

func main() {
	data := flag.String("data", "../shared/data/violin", "folder of recorded histories, with truth.jsonl")
	budget := flag.Duration("budget", 5*time.Second, "for each engine and large log")
	calls := flag.Int("calls", 70_000, "of each of four goroutines, in the set histories")
	random := flag.Int("random", 20_000, "executions of each type on which misses are counted")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch args := flag.Args(); {
	case len(args) == 0:
		err = run(ctx, *data, *budget, *calls, *random)
	case args[0] == "sweep":
		err = runSweep(ctx, args[1:])
	case args[0] == "corpus":
		err = runCorpus(ctx, args[1:])
	case args[0] == "site":
		err = runSite(args[1:])
	default:
		err = fmt.Errorf("unknown command %q: there are corpus, site and sweep", args[0])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "experiments:", err)
		os.Exit(1)
	}
}

// source is where links to files that have no page lead.
const source = "https://github.com/adtinfer/adtinfer/blob/main/"

func runSite(args []string) error {
	if len(args) != 1 {
		return errors.New("site wants a folder for the pages, such as site pages")
	}
	pages, err := review.Site(".", args[0], source)
	if err == nil {
		fmt.Printf("%d pages, from %s on\n", len(pages), pages[0])
	}
	return err
}

func run(ctx context.Context, data string, budget time.Duration, calls, random int) error {
	fmt.Print(head)
	rows, err := recorded(data)
	if err != nil {
		return err
	}
	if err := steps(ctx, rows, budget); err != nil {
		return err
	}
	if err := found(ctx, rows); err != nil {
		return err
	}
	if err := missed(ctx, random); err != nil {
		return err
	}
	if err := sets(ctx, calls, 10*time.Second); err != nil {
		return err
	}
	return nil
}

const head = `# Experiments

Written by ` + "`go run ./cmd/experiments`" + ` down to the heading Engines, on two cores. Times depend on the machine; ratios within
one run are what counts.

`

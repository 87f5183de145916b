// Command experiments repeats the experiments of the papers that adtinfer comes from:
//
//	go run ./cmd/experiments                # lists them, and says what each needs
//	go run ./cmd/experiments steps -data ../violin
//	go run ./cmd/experiments all -size minutes -data ../violin -o docs/experiments
//
// An experiment prints Markdown, or writes it to a folder with its pictures (-o). What it
// writes names the command, the machine, the date and the commit. Times depend on the
// machine; ratios within one run are what counts.
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
	"io"
	"os"
	"os/signal"
	"slices"

	"github.com/adtinfer/adtinfer/cmd/internal/review"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "experiments:", err)
		os.Exit(1)
	}
}

// experiments are what the papers measured.
var experiments = []experiment{
	{"steps", "Steps in a given time", `"Monitoring refinement", Figures 12 and 13`, true, steps},
	{"violations", "Violations found", `"Monitoring refinement", Figure 14`, true, violations},
	{"misses", "What propagation misses", `"Monitoring refinement", Section 7`, false, misses},
	{"sets", "Searches over set histories", `"P-compositionality", Tables 1 and 2`, false, sets},
	{"inference", "Patterns and their search", `"Symbolic ADT inference", Figure 2, Sections 8 and 9`, false, inference},
	{"policies", "Proofs of linearization policies", `"Linearization policies", Figure 6`, false, policies},
	{"refinement", "Runtime refinement", `"Runtime refinement checking", Sections 4 and 5`, false, refinement},
	{"peers", "Other checkers on the same logs", "no paper", false, peers},
}

func command(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return list(out)
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return list(out)
	case "sweep":
		return runSweep(ctx, args[1:])
	case "corpus":
		return runCorpus(ctx, args[1:])
	case "overhead": // of refinement
		return overhead(ctx, out)
	case "site":
		return runSite(args[1:])
	}
	chosen := experiments
	if args[0] != "all" {
		i := slices.IndexFunc(experiments, func(x experiment) bool { return x.name == args[0] })
		if i < 0 {
			return fmt.Errorf("unknown experiment %q: without one, they are listed", args[0])
		}
		chosen = experiments[i : i+1]
	}
	f := flag.NewFlagSet(args[0], flag.ExitOnError)
	o := options{out: out}
	f.StringVar(&o.data, "data", "", "folder of recorded histories: a clone of "+violin)
	f.StringVar(&o.dir, "o", "", "write to this folder, with pictures; else only text is printed")
	f.TextVar(&o.size, "size", seconds, "how long an experiment takes: seconds, minutes, or paper for the paper's own sizes")
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	for _, x := range chosen {
		switch err := x.do(ctx, o); {
		case errors.Is(err, errNoData) && len(chosen) > 1:
			fmt.Fprintln(os.Stderr, "experiments:", err)
		case err != nil:
			return err
		}
	}
	return nil
}

// violin is where the histories of "Monitoring refinement" are.
const violin = "https://github.com/imdea-software/violin"

// list says which experiments there are.
func list(out io.Writer) error {
	fmt.Fprintln(out, "usage: go run ./cmd/experiments NAME [-size seconds|minutes|paper] [-data DIR] [-o DIR]")
	fmt.Fprintln(out)
	for _, x := range experiments {
		needs := ""
		if x.data {
			needs = ", needs -data"
		}
		fmt.Fprintf(out, "  %-11s %s: %s%s\n", x.name, x.title, x.of, needs)
	}
	_, err := fmt.Fprintf(out, "  %-11s all of these\n\n-data is a folder with recorded histories, at any depth: git clone %s\n"+
		"Others: sweep (times by size of executions), corpus (verdicts before and after a change), site (the documents as pages)\n", "all", violin)
	return err
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

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/adtinfer/adtinfer/cmd/experiments/internal/corpus"
)

const corpusUsage = `usage: experiments corpus write -o FILE [-logs N] [-data DIR]
       experiments corpus compare [-data DIR] FILE`

// errDiffers ends a comparison that found differences, which are printed already.
var errDiffers = errors.New("not what the corpus says")

// runCorpus writes a corpus of verdicts, or compares one with what is answered now.
func runCorpus(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] != "write" && args[0] != "compare" {
		return errors.New(corpusUsage)
	}
	f := flag.NewFlagSet("corpus "+args[0], flag.ExitOnError)
	c := &corpus.Corpus{Root: "."}
	f.StringVar(&c.Data, "data", "", "folder of recorded logs, such as ../shared/data (compare: that is the default)")
	f.IntVar(&c.Parallel, "j", runtime.GOMAXPROCS(0), "logs at a time")
	if args[0] == "write" {
		out := f.String("o", "", "the corpus to write")
		logs := f.Int("logs", 300, "random executions for each theory")
		f.Parse(args[1:])
		if *out == "" || f.NArg() > 0 {
			return errors.New(corpusUsage)
		}
		return writeCorpus(ctx, c, *out, *logs)
	}
	cmp := &corpus.Comparison{Out: os.Stdout}
	skip := f.String("skip", "", "engines and fields to leave out, such as counting,detail,auto.by")
	f.StringVar(&cmp.Match, "match", "", "only logs with this in THEORY LOG")
	f.IntVar(&cmp.Lines, "lines", 100, "differences to print; all are counted")
	f.Parse(args[1:])
	if f.NArg() != 1 {
		return errors.New(corpusUsage)
	}
	if c.Data == "" {
		c.Data = "../shared/data"
	}
	cmp.Skip = strings.Split(*skip, ",")
	return compareCorpus(ctx, c, cmp, f.Arg(0))
}

func writeCorpus(ctx context.Context, c *corpus.Corpus, path string, logs int) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	return errors.Join(c.Write(ctx, w, logs), w.Flush(), out.Close())
}

func compareCorpus(ctx context.Context, c *corpus.Corpus, cmp *corpus.Comparison, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	n, err := c.Compare(ctx, in, cmp)
	if err == nil && n > 0 {
		err = fmt.Errorf("%s: %w", path, errDiffers)
	}
	return err
}

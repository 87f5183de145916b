package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/internal/host/memory"
)

// manyFlags are the flags of check about many logs, and their limits.
type manyFlags struct {
	filesFrom, shard, splitBy, memory, unpack string

	part           check.Shard // of the logs or, with --split-by, of the keys of each
	most, unpacked int64       // bytes; 0 is no limit of the user's
	held           int64       // of an entry of an archive
	wait           time.Duration
}

func (m *manyFlags) register(f *pflag.FlagSet) {
	f.StringVar(&m.filesFrom, "files-from", "", "read the names of logs, directories and archives from this file (- for standard input): one per line, or separated by NUL")
	f.StringVar(&m.shard, "shard", "", "I/N: check only part I of N of the logs, chosen by a hash of their names; with --split-by key, part I of N of the keys of each log")
	f.StringVar(&m.splitBy, "split-by", "", "key: check each key of a log separately, -j keys at a time; for theories whose operations all have a key")
	f.StringVar(&m.memory, "memory", "", "memory limit, such as 4GB (default: nine tenths of the machine's memory); logs that need more are inconclusive")
	f.StringVar(&m.unpack, "unpack", "", "how large a compressed log may become, such as 64GB (default: 16GB, and at most 500 times its size)")
}

// validate reads the flags. Parallel is how many logs are checked at a time.
func (m *manyFlags) validate(parallel int) (err error) {
	if m.part, err = sources.ParseShard(m.shard); err != nil {
		return usagef("--shard %w", err)
	}
	if m.splitBy != "" && m.splitBy != "key" {
		return usagef("--split-by takes key, not %q", m.splitBy)
	}
	if m.unpacked, err = bytesOf("--unpack", m.unpack); err != nil {
		return err
	}
	if m.most, err = bytesOf("--memory", m.memory); err != nil {
		return err
	}
	if m.most > 0 {
		m.held = max(m.most/int64(4*parallel), 1)
	} else {
		m.most = memory.Machine() / 10 * 9
		m.held = min(m.unpacked, m.most/2)
	}
	return nil
}

// logs are what arguments and --files-from name.
func (m *manyFlags) logs(ctx context.Context, st streams, args []string) (*sources.List, error) {
	part := m.part
	if m.splitBy != "" {
		part = check.Shard{}
	}
	l, err := sources.All(ctx, sources.Options{Args: args, From: m.filesFrom, Shard: part, Stdin: stdin(ctx, st), Held: m.held, Wait: m.wait, Unpacked: m.unpacked})
	if err != nil && ctx.Err() == nil {
		err = usageError{err}
	}
	return l, err
}

// countOf says how many logs are done, and of how many if that is known.
func countOf(done, all int) string {
	if all == 0 {
		return fmt.Sprintf("%d logs", done)
	}
	return fmt.Sprintf("%d of %d logs", done, all)
}

func newMerge(io streams) *cobra.Command {
	o := &checkOptions{}
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Combine the results of several checks",
		Long: `merge reads the output of several runs of check -f json, such as those of the
shards of one set of logs, and prints one result, in any format of check. A FILE
is such output, or - for standard input. Logs are listed in the order of their
names, and the exit code is that of one check of all of them.

Results for shards of the keys of one log (--split-by key --shard) become one
result: all shards must be there, for one theory and one version of adtinfer.

merge names each log for which there are several results. The worst counts: a
violation, then a log that could not be read, then an inconclusive result. Only
the JSON output has explanations. The order in which results are merged, and in
which groups, does not matter.`,
		Example: `  adtinfer check --theory queue.theory.yaml --shard 1/2 -f json logs > 1.json
  adtinfer check --theory queue.theory.yaml --shard 2/2 -f json logs > 2.json
  adtinfer merge 1.json 2.json
  adtinfer merge -f junit 1.json 2.json > junit.xml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("no results given: name files that check -f json wrote, or - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runMerge(c.Context(), io, o, args) },
	}
	c.Flags().StringVarP(&o.format, "format", "f", "text", verdictFormatHelp())
	c.Flags().StringVar(&o.summary, "summary", "", "also write a Markdown summary to this file; -f github also appends one to $GITHUB_STEP_SUMMARY")
	o.registerOutput(c)
	return c
}

func runMerge(ctx context.Context, st streams, o *checkOptions, args []string) error {
	if err := cmp.Or(o.validateOutput(), o.probeOutput(ctx)); err != nil {
		return err
	}
	r, err := o.newReporter(st)
	if err != nil {
		return err
	}
	var all resultSet
	for i, arg := range args {
		if arg == "" {
			return usagef("argument %d, the name of a file, is empty", i+1)
		}
		if arg == "-" && slices.Contains(args[:i], "-") {
			return usagef("standard input can be read only once, but - is given twice")
		}
		if err := readResults(ctx, st, &all, arg); err != nil {
			return err
		}
	}
	if o.format == "json" { // as it was, with the explanation
		r.format.each = nil
	}
	if err := all.Complete(); err != nil {
		return usageError{err}
	}
	for _, x := range all.Sorted() {
		noteAgain(st, x)
		if o.format == "json" {
			if _, err := fmt.Fprintln(st.out, x.Line); err != nil {
				return err
			}
		}
		if err := r.report(x.Report); err != nil {
			return err
		}
	}
	r.told = all.Told
	return r.end(ctx)
}

// noteAgain names the other results of a log.
func noteAgain(st streams, x *partResult) {
	for _, again := range x.Again {
		how := "the same result"
		if again.Differ {
			how = "different results; the worst counts"
		}
		fmt.Fprintf(st.err, "adtinfer: %s: is in %s and in %s: %s\n", x.Report.Name, again.First, again.Where, how)
	}
}

// readResults adds the results in a file.
func readResults(ctx context.Context, st streams, all *resultSet, path string) error {
	f, err := openLog(ctx, st, path)
	if err != nil {
		return err
	}
	defer f.Close()
	name := streamName(path, "standard input")
	if err = all.Read(f, name); err != nil && ctx.Err() == nil {
		err = usageError{err}
	}
	return err
}

// Command adtinfer-beam checks logs on Apache Beam.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	logbeam "github.com/adtinfer/adtinfer/beam"
)

const usage = `adtinfer-beam checks logs on Apache Beam.

  adtinfer-beam --theory FILE --out NAME [flags] PATTERN...

PATTERN is a file, or a glob of a file system that Beam knows: logs/*.jsonl,
gs://bucket/run-*/*.log. The verdicts are in NAME.jsonl (as adtinfer check -f json
writes them) and in NAME.md, and what could not be checked is in NAME.left.jsonl.

Without --runner everything runs in this process, on Beam's prism runner, which is for
tests and small inputs. Other runners take their own flags:

  adtinfer-beam --theory kv.theory.yaml --out verdicts 'logs/*.jsonl'
  adtinfer-beam --theory kv.theory.yaml --out gs://bucket/verdicts \
      --runner dataflow --project P --region R --staging_location gs://bucket/tmp 'gs://bucket/*.log'
  adtinfer-beam --theory kv.theory.yaml --out /shared/verdicts --runner flink --endpoint host:8099 '/shared/*.log'

Exit codes: 0 no violation; 1 a violation; 2 a log could not be read, or the pipeline
did not run; 3 a log was not decided.

Flags:
`

func main() { os.Exit(run()) }

func run() int {
	theory := flag.String("theory", "", "the theory file")
	name := flag.String("out", "", "how the files with verdicts are called, without their endings")
	var o logbeam.Options
	flag.StringVar(&o.Engine, "engine", "", "the checking engine (default: auto)")
	flag.DurationVar(&o.Timeout, "timeout", 0, "time for each part of a log, such as 30s; those that take longer are inconclusive")
	flag.Int64Var(&o.Block, "block", 0, "bytes of a file for one worker, about (default: 16 MB)")
	flag.BoolVar(&o.ByLog, "by-log", false, "do not split logs by key")
	flag.Func("alias", "NAME=METHOD: logs say NAME where the theory says METHOD; may be repeated", func(text string) error {
		name, method, ok := strings.Cut(text, "=")
		if !ok || name == "" || method == "" {
			return fmt.Errorf("it takes NAME=METHOD")
		}
		if o.Aliases == nil {
			o.Aliases = map[string][]string{}
		}
		o.Aliases[method] = append(o.Aliases[method], name)
		return nil
	})
	flag.BoolVar(&o.ByKey, "by-key", false, "of another tool's history: the field :key, or the first of a value [k v], names an object")
	flag.BoolVar(&o.FailedIsFalse, "failed-is-false", false, "of another tool's history: operations that failed answered false; else they did not happen")
	flag.BoolVar(&o.NilIsUnset, "nil-is-unset", false, "of another tool's history: a nil that was read is an answer; else nobody knows what was read")
	verbose := flag.Bool("v", false, "say what Beam does")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	if !*verbose {
		beamlog.LogLevel = "error"
	}
	if *jobopts.WorkerBinary == "" && runtime.GOOS == "linux" { // else Beam builds one from the sources
		*jobopts.WorkerBinary, _ = os.Executable()
	}
	beam.Init()
	switch {
	case *theory == "" || *name == "":
		return fail("--theory and --out are required; --help has examples")
	case flag.NArg() == 0:
		return fail("there are no logs: name files, or a pattern such as 'logs/*.jsonl'")
	}
	yaml, err := os.ReadFile(*theory)
	if err != nil {
		return fail(err.Error())
	}
	if err := logbeam.Valid(yaml, o); err != nil {
		return fail(fmt.Sprintf("%s: %v", *theory, err))
	}
	if at := *jobopts.Endpoint; at != "" { // Beam would wait for minutes
		c, err := net.DialTimeout("tcp", at, 10*time.Second)
		if err != nil {
			return fail(fmt.Sprintf("the runner at --endpoint %s cannot be reached: %v", at, err))
		}
		c.Close()
	}
	p, s := beam.NewPipelineWithRoot()
	reports, left := logbeam.Check(s, beam.Create(s, yaml), flag.Args(), o)
	logbeam.Write(s, reports, left, *name)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	result, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return fail(fmt.Sprintf("the pipeline did not run to its end: %v", err))
	}
	return summary(result)
}

func fail(text string) int {
	fmt.Fprintln(os.Stderr, "adtinfer-beam: "+text)
	return 2
}

// summary prints what was counted, and is the exit code that it gives.
func summary(result beam.PipelineResult) int {
	if result == nil {
		return 0
	}
	logs, lines := map[string]int64{}, []string(nil)
	for _, c := range result.Metrics().Query(func(m beam.MetricResult) bool { return m.Namespace() == "adtinfer" }).Counters() {
		n := c.Result()
		if verdict, ok := strings.CutPrefix(c.Name(), "logs: "); ok {
			logs[verdict] = n
		}
		lines = append(lines, fmt.Sprintf("%s: %d\n", c.Name(), n))
	}
	slices.Sort(lines)
	fmt.Fprint(os.Stderr, strings.Join(lines, ""))
	switch {
	case logs["violation"] > 0:
		return 1
	case logs["error"] > 0:
		return 2
	case logs["inconclusive"]+logs["no violation found"] > 0:
		return 3
	}
	return 0
}

package logbeam

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn4x1[context.Context, []byte, func(*Report) bool, func(*Left) bool, error](&writeFn{})
	register.Iter1[Report]()
	register.Iter1[Left]()
}

// Write writes reports to NAME.jsonl, a line for each as adtinfer check -f json has it,
// and to NAME.md, for readers, and what was left to NAME.left.jsonl: in the order of
// files, objects and keys, so that the same logs give the same files. What was there is
// replaced, in one step where the file system can. One worker writes, and holds what it
// writes in memory.
func Write(s beam.Scope, reports, left beam.PCollection, name string) {
	s = s.Scope("logbeam.Write")
	beam.ParDo0(s, &writeFn{name}, beam.Impulse(s), beam.SideInput{Input: reports}, beam.SideInput{Input: left})
}

type writeFn struct{ Name string }

func (f *writeFn) ProcessElement(ctx context.Context, _ []byte, reports func(*Report) bool, left func(*Left) bool) error {
	var all []Report
	for r := (Report{}); reports(&r); r = (Report{}) {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Report) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Object, b.Object)) })
	var rest []Left
	for l := (Left{}); left(&l); l = (Left{}) {
		rest = append(rest, l)
	}
	slices.SortFunc(rest, func(a, b Left) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Key, b.Key))
	})
	var lines, others bytes.Buffer
	for _, r := range all {
		fmt.Fprintln(&lines, r.JSON)
	}
	for _, l := range rest {
		if err := json.NewEncoder(&others).Encode(l); err != nil {
			return err
		}
	}
	for ext, text := range map[string][]byte{".jsonl": lines.Bytes(), ".md": markdown(all, rest), ".left.jsonl": others.Bytes()} {
		if err := replace(ctx, f.Name+ext, text); err != nil {
			return err
		}
	}
	return nil
}

// markdown is the report for readers.
func markdown(all []Report, left []Left) []byte {
	var b bytes.Buffer
	count, events := map[string]int{}, int64(0)
	for _, r := range all {
		count[r.Verdict]++
		events += r.Events
	}
	fmt.Fprintf(&b, "# Verdicts\n\n| verdict | logs |\n|---|---|\n")
	for _, v := range []string{"violation", "error", "inconclusive", "no violation found", "linearizable"} {
		if count[v] > 0 {
			fmt.Fprintf(&b, "| %s | %d |\n", v, count[v])
		}
	}
	fmt.Fprintf(&b, "\n%d logs, %d events\n", len(all), events)
	for _, v := range []struct{ verdict, title string }{{"violation", "Violations"}, {"error", "Not read"}, {"inconclusive", "Not decided"}, {"no violation found", "No violation found"}} {
		if count[v.verdict] == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n", v.title)
		for _, r := range all {
			if r.Verdict == v.verdict {
				fmt.Fprintf(&b, "\n```\n%s```\n", r.Text)
			}
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(&b, "\n## Left\n\n%d files or parts could not be checked; they are listed in the file that ends with .left.jsonl.\n", len(left))
	}
	return b.Bytes()
}

// replace writes a file.
func replace(ctx context.Context, name string, text []byte) error {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	to := name
	renamer, renames := fs.(filesystem.Renamer)
	if renames {
		to += ".part"
	}
	w, err := fs.OpenWrite(ctx, to)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		w.Close()
		return err
	}
	if err := w.Close(); err != nil || !renames {
		return err
	}
	return renamer.Rename(ctx, to, name)
}

package adttest

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/out/page"
)

// savePage writes the page of a violation beside its log.
func (r *run) savePage(f *Failure) error {
	if f.Log == "" || f.Explanation == nil || f.replayed {
		return nil
	}
	log, err := os.Open(f.Log)
	if err != nil {
		return err
	}
	defer log.Close()
	saved, err := page.ReadLog(memory.Reader{Ctx: context.Background()}, log, f.Log, r.subject.theory, func(io.Reader, string) ([]*history.Execution, []page.Annotation, error) {
		return []*history.Execution{f.Execution}, nil, nil // read for its SHA-256 alone
	})
	if err != nil {
		return err
	}
	result := check.Result{Verdict: check.Violation, Events: f.Execution.Events, Prefix: f.Explanation.Prefix}
	for _, reason := range f.Explanation.Reasons {
		result.Patterns = append(result.Patterns, reason.Name)
	}
	against := "theory " + f.Theory
	if f.Theory == "" {
		against = "the reference"
	}
	v := page.Verdict{Run: page.Run{Against: against, Command: r.replay(f)}, Log: saved,
		Report: check.Report{Name: f.Log, Result: result, Ops: len(f.Execution.Ops), Coverage: history.Of(f.Execution), Explanation: f.Explanation}}
	var b bytes.Buffer
	if err := page.WriteVerdict(&b, &v); err != nil {
		return err
	}
	path := strings.TrimSuffix(f.Log, ".jsonl") + ".html"
	if err := writeFile(path, b.Bytes()); err != nil {
		return err
	}
	f.page = path
	return nil
}

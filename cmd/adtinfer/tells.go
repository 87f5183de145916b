package main

import (
	"context"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/judge"
	"github.com/adtinfer/adtinfer/reference"
)

// tells says which wrong versions of the reference the calls of the logs tell from
// it; nil if there are none. Logs that cannot be read have been reported.
func (o *checkOptions) tells(ctx context.Context, st streams, p *progress, c *check.Checker, sources []check.Source) (*judge.Told, error) {
	p.step("building the reference")
	pkg, err := reference.Load(ctx, o.ref, reference.Options{Stderr: &prefixWriter{w: st.err}})
	if err != nil {
		return nil, err
	}
	defer pkg.Close()
	p.step("trying wrong versions of the reference")
	defer p.done()
	var executions [][]history.Label
	for _, s := range sources {
		f, err := s.Open()
		if err != nil {
			continue
		}
		e, err := c.ReadLog(f, s.Name)
		f.Close()
		if err != nil {
			continue
		}
		var labels []history.Label
		for i := range e.Ops {
			labels = append(labels, e.Ops[i].Label)
		}
		executions = append(executions, labels)
	}
	if len(executions) == 0 {
		return nil, nil
	}
	return judge.Tells(ctx, pkg.Implementation, executions)
}

package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/theory"
)

// matchOptions are the flags of match.
type matchOptions struct {
	referenceFlags
	format string
	all    int
}

func newMatch(io streams) *cobra.Command {
	o := &matchOptions{}
	c := &cobra.Command{
		Use:   "match --ref PACKAGE",
		Short: "Find how the operations of a reference match",
		Long: `match finds the language, the read-only operations and the matching scheme of a
reference, and verifies that the scheme is faithful and the type normal. infer
starts with the same step if the reference does not declare a scheme; match
ignores a scheme that the reference declares.

--scheme of match and infer reads the YAML output. A reference.Spec can declare
the same in Go.`,
		Example: `  adtinfer match --ref ./mystack
  adtinfer match --ref ./mystack -f yaml > scheme.yaml
  adtinfer match --ref ./mystack --scheme scheme.yaml      verify a scheme
  adtinfer match --ref ./mystack --language all            values may repeat`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runMatch(c.Context(), io, o) },
	}
	o.register(c)
	c.Flags().StringVarP(&o.format, "format", "f", "text", "what to print: text, json or yaml")
	c.Flags().IntVar(&o.all, "all", 0, "also list up to this many schemes that were not chosen")
	choices(c, "format", "text", "json", "yaml")
	return c
}

func runMatch(ctx context.Context, io streams, o *matchOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	if o.all < 0 {
		return usagef("--all must not be negative, but is %d", o.all)
	}
	if o.format != "text" && o.format != "json" && o.format != "yaml" {
		return usagef("unknown format %q: use text, json or yaml", o.format)
	}
	ctx, cancel := within(ctx, o.timeout)
	defer cancel()
	p := io.progress()
	defer p.Done()
	l, err := o.open(ctx, io, p)
	if err != nil && ctx.Err() != nil {
		return o.stopped(ctx, p)
	}
	if err != nil {
		return err
	}
	defer l.Close()
	l.info.Target, l.info.ReadOnly, l.info.Language = nil, "", nil
	o.infer.Synthesis.All = o.all
	t, r, err := patterns.Match(ctx, l.Implementation, l.info, o.infer)
	p.Done()
	if ctx.Err() != nil {
		return o.stopped(ctx, p)
	}
	if dumped := o.dumpQuery(ctx); dumped != nil {
		return dumped
	}
	if err != nil {
		return o.explain(ctx, err, l)
	}
	switch o.format {
	case "json":
		return out.SchemeJSON(io.out, t, r)
	case "yaml":
		return theory.WriteScheme(io.out, &t.Spec)
	}
	return out.Scheme(io.out, t, r, io.style())
}

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/solver/z3"
	"github.com/adtinfer/adtinfer/theory"
)

// engineFlags say how logs are checked.
type engineFlags struct {
	check.Options
	solver string
}

// register makes the flags of check.Flags.
func (o *engineFlags) register(c *cobra.Command) {
	f := c.Flags()
	for _, x := range check.Flags() {
		help := x.Help
		if len(x.Engines) > 0 {
			help = "with engine " + strings.Join(x.Engines, " or ") + ": " + help
		}
		var field any = &o.solver
		if x.Field != nil {
			field = x.Field(&o.Options)
		} else {
			x.Choices = solvers().Names()
			help += ": " + strings.Join(x.Choices, ", ") + " (default gini)"
		}
		switch v := field.(type) {
		case *string:
			f.StringVar(v, x.Name, x.Default, help)
		case *[]string:
			f.StringArrayVar(v, x.Name, nil, help)
		case *int:
			f.IntVar(v, x.Name, 0, help)
		case *bool:
			if !x.Inverse {
				f.BoolVar(v, x.Name, false, help)
				break
			}
			f.Var(inverse{v}, x.Name, help)
			f.Lookup(x.Name).NoOptDefVal = "true"
		}
		if len(x.Choices) > 0 {
			choices(c, x.Name, x.Choices...)
		}
	}
}

// inverse is a flag that is true where a variable is false.
type inverse struct{ not *bool }

func (i inverse) Type() string   { return "bool" }
func (i inverse) String() string { return strconv.FormatBool(i.not == nil || !*i.not) }

func (i inverse) Set(s string) error {
	v, err := strconv.ParseBool(s)
	*i.not = !v
	return err
}

// solvers are those that --solver may name.
func solvers() solver.Backends { return solver.WithDefault(z3.Backend()) }

// validateEngine checks the flags before anything is read.
func (o *engineFlags) validateEngine() error {
	names := check.Flags()[0].Choices
	switch {
	case o.Engine == "enumerate" || o.Engine == "counting":
		return usagef("--engine %s is only for experiments (go run ./cmd/experiments in the source tree); use %s", o.Engine, strings.Join(names, ", "))
	case !slices.Contains(names, o.Engine):
		return usagef("unknown engine %q: use %s", o.Engine, strings.Join(names, ", "))
	case o.LRU < 0:
		return usagef("--lru must not be negative, but got %d", o.LRU)
	}
	var err error
	if o.Solver, err = solvers().ByName(o.solver); err != nil {
		return usageError{err}
	}
	return nil
}

// checker is the checker that the flags ask for.
func (o *engineFlags) checker(ctx context.Context, t *theory.Theory) (*check.Checker, error) {
	if err := o.validateEngine(); err != nil {
		return nil, err
	}
	c, err := check.New(t, o.Options)
	if err != nil {
		return nil, usageError{err}
	}
	if err := c.Prepare(ctx); err != nil {
		return nil, modelError(err)
	}
	return c, nil
}

func modelError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	var differ *wgl.Mismatch
	if errors.As(err, &differ) {
		err = fmt.Errorf("%w\nhint: go doc github.com/adtinfer/adtinfer/internal/engine/wgl.Builtin lists the operations of each model", err)
	}
	return usageError{err}
}

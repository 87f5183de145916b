package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// engineFlags say how logs are checked.
type engineFlags struct {
	engine                    string
	k, lru                    int
	removal, probe, partition bool
	whole                     bool
	model, solver             string
}

func (o *engineFlags) register(f *pflag.FlagSet) {
	f.StringVar(&o.engine, "engine", check.Auto{}.Name(), "the checking engine: "+strings.Join(engineNames(), ", "))
	f.BoolVar(&o.partition, "partition", false, "decide the matches apart, where the theory allows that (auto does by itself)")
	f.BoolVar(&o.removal, "removal", true, "saturate: forget matches that can contribute nothing any more")
	f.BoolVar(&o.probe, "probe", false, "saturate: try both values of what is open; finds more, and takes longer")
	f.BoolVar(&o.whole, "whole", false, "decide full executions only: do not look for the shortest violating prefix")
	f.StringVar(&o.solver, "solver", "", "auto, symbolic: the satisfiability solver: "+strings.Join(solver.Names(), ", ")+" (default gini)")
	f.IntVarP(&o.k, "bound", "k", check.DefaultK, "counting: length of the weakenings, at least 1")
	f.IntVar(&o.lru, "lru", 0, "wgl: remember this many configurations (default: all)")
	f.StringVar(&o.model, "model", "", "wgl, commit: the built-in model to search over or to run: "+strings.Join(wgl.Builtins(), ", ")+"; monitor: one of the last two, which no theory can say; it is compared with the theory first")
}

func engineNames() []string {
	var names []string
	for _, e := range check.Engines() {
		names = append(names, e.Name())
	}
	return names
}

// choose is the engine that the flags ask for.
func (o *engineFlags) choose(ctx context.Context, t *theory.Theory) (check.Engine, error) {
	if o.k < 1 {
		return nil, usagef("-k %d: the bound of counting starts at 1", o.k)
	}
	if o.lru < 0 {
		return nil, usagef("--lru %d: the cache of wgl cannot hold fewer than 0 configurations", o.lru)
	}
	if _, err := solver.ByName(o.solver); err != nil {
		return nil, usageError{err}
	}
	var engine check.Engine
	for _, e := range check.Engines() {
		if e.Name() == o.engine {
			engine = e
		}
	}
	switch engine.(type) {
	case nil:
		return nil, usagef("unknown engine %q: use %s", o.engine, strings.Join(engineNames(), ", "))
	case check.Auto:
		engine = check.Auto{Solver: o.solver}
	case check.Symbolic:
		engine = check.Symbolic{Solver: o.solver}
	case check.Saturate:
		engine = check.Saturate{Removal: o.removal, Probe: o.probe}
	case check.Counting:
		engine = check.Counting{K: o.k}
	case check.WGL:
		w := check.WGL{LRU: o.lru}
		if o.model != "" {
			m, err := check.BuiltinModel(ctx, t, o.model)
			if err != nil {
				return nil, modelError(err)
			}
			w.Model = m
		}
		engine = w
	case check.Monitor:
		if o.model != "" {
			m, err := check.ModelMonitor(ctx, t, o.model)
			if err != nil {
				return nil, modelError(err)
			}
			engine = check.Monitor{Selected: m}
		}
	}
	if o.partition {
		engine = check.Partitioned{Engine: engine}
	}
	if o.whole {
		engine = check.Whole{Engine: engine}
	}
	return engine, nil
}

func modelError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	var differ *check.ModelMismatch
	if errors.As(err, &differ) {
		err = fmt.Errorf("%w\nhint: go doc github.com/adtinfer/adtinfer/internal/engine/wgl.Builtin lists the models' operations with their names", err)
	}
	return usageError{err}
}

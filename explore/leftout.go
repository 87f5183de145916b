package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// instead ends what is said of code that cannot be explored.
const instead = "`adtinfer test` runs the package's own tests under many schedules instead"

// uncovered says what cannot be explored, with its place.
func (l *loaded) uncovered(f *machine.Fault) string {
	if f.Pos <= 0 || int(f.Pos) >= len(l.program.Positions) {
		return f.Text
	}
	x := l.program.Positions[f.Pos]
	return fmt.Sprintf("%s:%d:%d: %s", x.File, x.Line, x.Col, f.Text)
}

// refusedAt refuses a package for what was reached.
func (l *loaded) refusedAt(reasons ...string) error {
	return &Refused{Package: l.pkg.Path, Reasons: slices.Compact(reasons), code: true}
}

// leaveOut takes the operations away that reach, among the first calls, what cannot be explored; it reports
// whether there are any. The verdict names them. If no other is left, or the constructor gets there, the
// package is refused.
func (l *loaded) leaveOut(a *alone) (bool, error) {
	if len(a.graph.Uncovered) == 0 {
		return false, nil
	}
	why := map[int]string{} // by operation
	for call, f := range a.graph.Uncovered {
		if call < 0 {
			return false, l.refusedAt(l.uncovered(f))
		}
		op, text := a.list.Calls[call].Op, l.uncovered(f)
		if was, ok := why[op]; !ok || text < was {
			why[op] = text
		}
	}
	if len(why) == len(l.own.Ops) {
		var reasons []string
		for i := range l.own.Ops {
			reasons = append(reasons, why[i])
		}
		return false, l.refusedAt(reasons...)
	}
	own, pkg := *l.own, *l.pkg
	own.Ops, pkg.Ops = nil, nil
	pkg.Skipped, pkg.Notes = slices.Clone(pkg.Skipped), slices.Clone(pkg.Notes)
	for i := range l.own.Ops {
		op := &l.own.Ops[i]
		if text, out := why[i]; out {
			pkg.Skipped = append(pkg.Skipped, bare(op.GoName))
			l.left = append(l.left, bare(op.GoName))
			pkg.Notes = append(pkg.Notes, fmt.Sprintf("method %s is left out: %s; %s", bare(op.GoName), text, instead))
			continue
		}
		own.Ops, pkg.Ops = append(own.Ops, *op), append(pkg.Ops, l.pkg.Ops[i])
	}
	l.own, l.program, l.pkg, l.runner = &own, &own, &pkg, nil
	return true, nil
}

// bare is a Go name without its type.
func bare(goName string) string { return goName[strings.LastIndexByte(goName, '.')+1:] }

// callbackPanics reports whether a fault is that a callback's panic ends the program: that is not the package's.
func callbackPanics(f *machine.Fault) bool {
	return f != nil && f.Kind == machine.Crash && strings.Contains(f.Text, source.CallbackPanics)
}

// calm has no callback panic, for the reason that one ends the program; it reports whether one did.
func (l *loaded) calm() (some bool) {
	own := *l.own
	own.Ops = slices.Clone(own.Ops)
	for i := range own.Ops {
		params := slices.Clone(own.Ops[i].Params)
		for j := range params {
			params[j].Choices = slices.DeleteFunc(slices.Clone(params[j].Choices), func(does string) bool { return does == source.Panicking })
			some = some || len(params[j].Choices) < len(own.Ops[i].Params[j].Choices)
		}
		own.Ops[i].Params = params
	}
	if some {
		l.own, l.program, l.runner, l.calmed = &own, &own, nil, true
	}
	return some
}

package adttest

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// explainedBy is the package that explains failures by interleavings, once it is imported.
const explainedBy = "github.com/adtinfer/adtinfer/explore"

// longest is how long the search for an interleaving may take.
const longest = 5 * time.Second

// mainName is who makes the calls before and after the others, as a process.
const mainName = "main"

// interleave writes an interleaving that has the failure's history; without one why, and how often
// the scenario fails.
func (f *Failure) interleave(b *strings.Builder, r *run) {
	if f.Kind == Disagreement || f.Execution == nil || len(f.Execution.Ops) == 0 {
		return
	}
	if d := r.drawing(f); d != "" {
		fmt.Fprintf(b, "what the goroutines did, in compiled code (lane n is thread n):\n\n%s\n", indent(d))
		return
	}
	why := fmt.Sprintf("to see an interleaving with this history, step by step, let the test import _ %q", explainedBy)
	if engine.Explorer != nil {
		a := r.interleaving(f)
		if why = "there is no interleaving to show: " + a.Why; a.Why == "" {
			fmt.Fprintf(b, "an interleaving with this history:\n\n%s\n", indent(a.Drawing))
			for _, note := range a.Notes {
				fmt.Fprintf(b, "%s\n", note)
			}
			for i := range a.Command {
				a.Command[i] = wording.Word(a.Command[i])
			}
			fmt.Fprintf(b, "explore %s\n", strings.Join(a.Command, " "))
			return
		}
	}
	fmt.Fprintf(b, "%s\n", why)
	if rate := r.rate(f); rate != "" {
		fmt.Fprintf(b, "%s\n", rate)
	}
}

// interleaving asks for an interleaving.
func (r *run) interleaving(f *Failure) engine.Answer {
	if f.explored != nil {
		return *f.explored
	}
	q, err := r.question(f)
	if err != nil {
		return engine.Answer{Why: err.Error()}
	}
	ctx, cancel := context.WithTimeout(r.ctx, min(r.Shrink, longest))
	defer cancel()
	a, err := engine.Explorer(ctx, q)
	if err != nil {
		return engine.Answer{Why: err.Error()}
	}
	if q.New == "" && r.named() == "" && a.Why == "" && !slices.Contains(a.Command, "--new") {
		a.Notes = append(a.Notes, fmt.Sprintf("the object there is what the constructor of %s makes: Config.New is a function of the test", q.Type))
	}
	return a
}

// question is the failure's history for the explorer. The error says why it is none for it, in a clause.
func (r *run) question(f *Failure) (q engine.Question, err error) {
	t := reflect.TypeOf(r.New).Out(0)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if file := ofMethods(reflect.PointerTo(t)); strings.HasSuffix(file, "_test.go") {
		return q, fmt.Errorf("%s is declared in a _test.go file, which the explorer does not read", r.subject.typ)
	}
	q = engine.Question{Dir: t.PkgPath(), Type: t.Name(), Operations: map[string]string{}, Stuck: f.Kind == Hang && f.fault == nil}
	if name := r.named(); name != "" {
		at := strings.LastIndexByte(name, '/') + 1
		pkg, fn, _ := strings.Cut(name[at:], ".")
		if pkg = name[:at] + strings.ReplaceAll(pkg, "%2e", "."); t.Kind() == reflect.Interface {
			q.Dir, q.Type = pkg, fn
		}
		if pkg == q.Dir && !strings.ContainsAny(fn, "[.") {
			q.New = fn + "()"
		}
	}
	if q.Dir == "" {
		return q, fmt.Errorf("%s is a type without a name", r.subject.typ)
	}
	for _, m := range r.subject.methods {
		q.Operations[m.name] = m.goName
	}
	q.Execution, q.Processes, q.Sequential = f.shown()
	return q, nil
}

// exhaustive is the command that explores every interleaving within the bounds of a failure's scenario, word by word: its
// counterexample is a shortest one. Who can, says so better than many schedules do. It is nil where the type is none that
// the explorer could read; whether it takes the package, it says itself.
func (r *run) exhaustive(f *Failure) []string {
	if f.Kind == Disagreement || f.Execution == nil || f.Scenario.size() == 0 {
		return nil
	}
	q, err := r.question(f)
	if err != nil {
		return nil
	}
	command := []string{"adtinfer", "explore", "--impl", q.Dir}
	if q.New != "" {
		command = append(command, "--new", q.New)
	} else {
		command = append(command, "--type", q.Type)
	}
	only, ok := r.chosen()
	if !ok {
		return nil
	}
	if len(only) > 0 {
		command = append(command, "--only", strings.Join(only, ","))
	}
	if r.sees(f) {
		command = append(command, "--theory", f.Theory)
		command = append(command, r.aliases()...)
	} else {
		command = append(command, r.referenced()...)
	}
	n, k, d := f.Scenario.bounds()
	return append(command, "-n", strconv.Itoa(n), "-k", strconv.Itoa(k), "-d", strconv.Itoa(d), "--timeout", "1m")
}

// chosen are the operations, if the type has other methods, too. It reports whether each is a method.
func (r *run) chosen() (names []string, ok bool) {
	t := reflect.TypeOf(r.New).Out(0)
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		t = reflect.PointerTo(t)
	}
	for _, m := range r.subject.methods {
		if _, has := t.MethodByName(m.goName); !has {
			return nil, false
		}
		names = append(names, m.goName)
	}
	if len(names) == t.NumMethod() {
		return nil, true
	}
	return names, true
}

// referenced are the flags for a Config.Reference that a package declares, and not for its tests.
func (r *run) referenced() []string {
	v := reflect.ValueOf(r.Reference)
	if v.Kind() != reflect.Func || v.Type().NumIn() != 0 {
		return nil
	}
	name := declared(v)
	at := strings.LastIndexByte(name, '/') + 1
	pkg, fn, ok := strings.Cut(name[at:], ".")
	if !ok || strings.ContainsAny(fn, "[.") {
		return nil
	}
	flags := []string{"--ref", name[:at] + strings.ReplaceAll(pkg, "%2e", ".")}
	if fn != "Spec" {
		flags = append(flags, "--ref-new", fn+"()")
	}
	return flags
}

// bounds are the fewest goroutines, calls of each, and values with which a scenario can be made: the calls before and
// after can be anybody's.
func (s Scenario) bounds() (n, k, d int) {
	values, zero := map[string]bool{}, false
	for _, calls := range slices.Concat([][]Call{s.Before, s.After}, s.Threads) {
		for _, c := range calls {
			for _, a := range c.Args {
				values[fmt.Sprintf("%#v", a)] = true
				zero = zero || reflect.ValueOf(a).IsValid() && reflect.ValueOf(a).IsZero()
			}
		}
	}
	if d = max(1, len(values)); d > 1 && !zero {
		d++ // of several values the explorer's last one is zero
	}
	n = max(1, len(s.Threads))
	for _, calls := range s.Threads {
		k = max(k, len(calls))
	}
	return n, max(k, (s.size()+n-1)/n), d
}

// named is the name of Config.New, if it is a function that a package declares, and not for its tests.
func (r *run) named() string { return declared(reflect.ValueOf(r.New)) }

func declared(v reflect.Value) string {
	fn := runtime.FuncForPC(v.Pointer())
	if fn == nil {
		return ""
	}
	file, _ := fn.FileLine(fn.Entry())
	name := fn.Name()
	last := name[strings.LastIndexByte(name, '/')+1:]
	if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(name, "-fm") || strings.Count(strings.ReplaceAll(last, "[...]", ""), ".") != 1 {
		return ""
	}
	return name
}

// ofMethods is the file that a type's methods are in; "" if that cannot be told.
func ofMethods(t reflect.Type) (file string) {
	for i := range t.NumMethod() {
		if fn := runtime.FuncForPC(t.Method(i).Func.Pointer()); fn != nil {
			if at, _ := fn.FileLine(fn.Entry()); at != "<autogenerated>" {
				return at
			}
		}
	}
	return ""
}

// shown is the history with its goroutines, of which the last one, if sequential, makes the calls before and after
// the others. An operation whose panic ended the test panics at the end.
func (f *Failure) shown() (shown *history.Execution, processes []string, sequential bool) {
	e := *f.Execution
	e.Ops = slices.Clone(e.Ops)
	for i := range e.Ops {
		o := &e.Ops[i]
		if f.Kind == Panic && f.fault != nil && o.Process == f.fault.process && !o.Completed() {
			o.Outcome, o.Return = history.Panic, e.Events
			e.Events++
		}
		if o.Process == beforeName || o.Process == afterName {
			o.Process, sequential = mainName, true
		} else if !slices.Contains(processes, o.Process) {
			processes = append(processes, o.Process)
		}
	}
	slices.SortFunc(processes, func(a, b string) int { return threadNumber(a) - threadNumber(b) })
	if sequential {
		processes = append(processes, mainName)
	}
	return &e, processes, sequential
}

// rate says how often the scenario fails, after it has run for a while or failed often
// enough to say so.
func (r *run) rate(f *Failure) string {
	const most, enough = time.Second, 50
	if f.replayed || f.Kind == Hang || r.start.IsZero() {
		return "" // a hang leaves goroutines behind each time
	}
	limit, rounds := r.Rounds, r.rounds
	r.Rounds = 0
	defer func() { r.Rounds, r.rounds = limit, rounds }()
	failed := 0
	for end := time.Now().Add(min(most, r.Shrink/4)); failed < enough && time.Now().Before(end) && r.ctx.Err() == nil && r.abandoned < maxAbandoned; {
		g, err := r.try(f.Scenario, r.Repeat)
		if err != nil {
			break
		}
		if g != nil && g.Kind == f.Kind {
			failed++
		}
	}
	if r.rounds == rounds {
		return ""
	}
	return fmt.Sprintf("the scenario, run again, failed in %s of %s", wording.Number(failed), wording.Count(r.rounds-rounds, "round"))
}

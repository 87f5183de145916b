package adttest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Scenario says which goroutine calls what: one goroutine makes the calls in Before, then each
// thread makes its own at the same time as the others, then one goroutine makes
// the calls in After.
type Scenario struct {
	Before  []Call
	Threads [][]Call
	After   []Call
}

// Call is a method, by its name in Go or in the theory, with arguments of types
// that convert to the parameters'.
type Call struct {
	Method string
	Args   []any
}

// Do is a Call.
func Do(method string, args ...any) Call { return Call{method, args} }

// String is the call as Go has it: "Push(1)".
func (c Call) String() string {
	var args []string
	for _, a := range c.Args {
		if a == nil {
			args = append(args, "nil")
		} else {
			args = append(args, values.GoText(reflect.ValueOf(a)))
		}
	}
	return c.Method + "(" + strings.Join(args, ", ") + ")"
}

// String is one line for each part.
func (s Scenario) String() string {
	var b strings.Builder
	part := func(name string, calls []Call) {
		if len(calls) == 0 {
			return
		}
		var texts []string
		for _, c := range calls {
			texts = append(texts, c.String())
		}
		fmt.Fprintf(&b, "%-9s %s\n", name, strings.Join(texts, "; "))
	}
	part("before", s.Before)
	for i, calls := range s.Threads {
		part(threadName(i), calls)
	}
	part("after", s.After)
	return b.String()
}

// size is the number of calls.
func (s Scenario) size() int {
	n := len(s.Before) + len(s.After)
	for _, t := range s.Threads {
		n += len(t)
	}
	return n
}

// The names of processes in logs.
const (
	beforeName = "before"
	afterName  = "after"
)

func threadName(i int) string { return "thread " + strconv.Itoa(i+1) }

// threadNumber undoes threadName; -1 for other names.
func threadNumber(name string) int {
	const most = 1000
	n, err := strconv.Atoi(strings.TrimPrefix(name, "thread "))
	if err != nil || n < 1 || n > most {
		return -1
	}
	return n - 1
}

// scenarioOf is the scenario from which an execution with our process names was
// recorded, as far as operations were called; keep selects operations.
func (s *subject) scenarioOf(e *history.Execution, keep func(id string) bool) (Scenario, error) {
	var out Scenario
	for i := range e.Ops {
		o := &e.Ops[i]
		if !keep(o.ID) {
			continue
		}
		c, err := s.callOf(o)
		if err != nil {
			return out, err
		}
		switch o.Process {
		case beforeName:
			out.Before = append(out.Before, c)
		case afterName:
			out.After = append(out.After, c)
		default:
			t := threadNumber(o.Process)
			if t < 0 {
				return out, fmt.Errorf("adttest: %s is of process %q, which is no thread of a scenario", o.Label, o.Process)
			}
			for len(out.Threads) <= t {
				out.Threads = append(out.Threads, nil)
			}
			out.Threads[t] = append(out.Threads[t], c)
		}
	}
	out.Threads = slices.DeleteFunc(out.Threads, func(t []Call) bool { return len(t) == 0 })
	return out, nil
}

// callOf reads a logged operation as a call.
func (s *subject) callOf(o *history.Operation) (Call, error) {
	m := s.method(o.Method)
	if m == nil || len(m.params) != len(o.Args) {
		return Call{}, fmt.Errorf("adttest: the type has no method for %s", o.Label)
	}
	c := Call{Method: m.goName}
	for i, text := range o.Args {
		v, err := live.Parse(m.params[i], text)
		if err != nil {
			return Call{}, fmt.Errorf("adttest: %w", err)
		}
		c.Args = append(c.Args, v.Interface())
	}
	return c, nil
}

// goCode prints the scenario as Go, for Config.Scenarios.
func (f *Failure) goCode(b *strings.Builder, r *run) {
	if f.Scenario.size() == 0 {
		return
	}
	fmt.Fprintf(b, "to run this scenario alone, in the Config:\n\n%s\n", indent("Fixed: true, Scenarios: []adttest.Scenario{"+f.Scenario.code(r.host.pkg)+"},"))
}

// code is the scenario as a Go literal, in a test of a package.
func (s Scenario) code(pkg string) string {
	var b strings.Builder
	calls := func(list []Call) string {
		var texts []string
		for _, c := range list {
			var args []string
			for _, a := range append([]any{c.Method}, c.Args...) {
				args = append(args, literal(reflect.ValueOf(a), pkg, false))
			}
			texts = append(texts, "adttest.Do("+strings.Join(args, ", ")+")")
		}
		return "{" + strings.Join(texts, ", ") + "},\n"
	}
	b.WriteString("{\n")
	if len(s.Before) > 0 {
		b.WriteString("\tBefore: []adttest.Call" + calls(s.Before))
	}
	if len(s.Threads) > 0 {
		b.WriteString("\tThreads: [][]adttest.Call{\n")
		for _, t := range s.Threads {
			b.WriteString("\t\t" + calls(t))
		}
		b.WriteString("\t},\n")
	}
	if len(s.After) > 0 {
		b.WriteString("\tAfter: []adttest.Call" + calls(s.After))
	}
	b.WriteString("}")
	return b.String()
}

// literal is a value in Go. Unless it is typed, values of basic types are written
// as constants: a scenario's arguments are converted to the parameters' types.
func literal(v reflect.Value, pkg string, typed bool) string {
	if !v.IsValid() {
		return "nil"
	}
	name := typeName(v.Type(), pkg)
	basic := func(text string) string {
		if typed && v.Type().PkgPath() != "" {
			return name + "(" + text + ")"
		}
		return text
	}
	switch k := v.Kind(); k {
	case reflect.Bool:
		return basic(strconv.FormatBool(v.Bool()))
	case reflect.String:
		return basic(strconv.Quote(v.String()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return basic(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if text := strconv.FormatUint(v.Uint(), 10); v.Uint() < 1<<31 {
			return basic(text)
		} else {
			return name + "(" + text + ")"
		}
	case reflect.Float32, reflect.Float64:
		return name + "(" + strconv.FormatFloat(v.Float(), 'g', -1, 64) + ")"
	case reflect.Interface:
		text := literal(v.Elem(), pkg, true)
		if e := v.Elem(); e.IsValid() && e.Type().PkgPath() == "" && (e.CanInt() && e.Kind() != reflect.Int || e.CanUint()) {
			text = e.Type().String() + "(" + text + ")"
		}
		return text
	case reflect.Pointer:
		switch {
		case v.IsNil():
			return "(" + name + ")(nil)"
		case v.Elem().Kind() == reflect.Struct:
			return "&" + literal(v.Elem(), pkg, true)
		}
		return fmt.Sprintf("func() %s { v := %s(%s); return &v }()", name, typeName(v.Type().Elem(), pkg), literal(v.Elem(), pkg, true))
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return name + "{" + strings.Join(elements(v, pkg), ", ") + "}"
	default:
		return fmt.Sprintf("nil /* a %s */", name)
	}
}

// elements are those of a composite literal.
func elements(v reflect.Value, pkg string) (all []string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				all = append(all, v.Type().Field(i).Name+": "+literal(f, pkg, true))
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			all = append(all, literal(it.Key(), pkg, true)+": "+literal(it.Value(), pkg, true))
		}
	default:
		for i := range v.Len() {
			all = append(all, literal(v.Index(i), pkg, true))
		}
	}
	return all
}

// typeName is a type's name in a test of a package, which has its own types
// without a qualifier.
func typeName(t reflect.Type, pkg string) string {
	name := t.String()
	for t.Name() == "" && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if pkg != "" && t.PkgPath() == pkg {
		qualifier, _, _ := strings.Cut(t.String(), ".")
		name = strings.ReplaceAll(name, qualifier+".", "")
	}
	return name
}

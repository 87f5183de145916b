package standard_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/explore/internal/standard/testdata/calls"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// program compiles a package of testdata.
func program(t *testing.T, dir string) *ir.Program {
	t.Helper()
	pkg, err := source.Load(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	prog, refusals := lower.Compile(pkg)
	for _, r := range refusals {
		t.Fatal(r)
	}
	return prog
}

// outcomes explores all interleavings, and lists what operations answered and the faults.
func outcomes(t *testing.T, p *ir.Program, b machine.Bounds) []string {
	t.Helper()
	shared, err := machine.New(t.Context(), p, b, machine.Options{MostSteps: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
again:
	var all []string
	note := func(s string) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	m := shared.Machine()
	seen, queue := map[string]bool{string(shared.Start()): true}, []string{string(shared.Start())}
	for ; len(queue) > 0; queue = queue[1:] {
		stuck := true
		err := m.Expand([]byte(queue[0]), func(s *machine.Step) error {
			stuck = false
			if s.Fault != nil {
				pos := p.Positions[s.Fault.Pos]
				note(fmt.Sprintf("%s: %v", strings.TrimPrefix(pos.File[strings.LastIndexByte(pos.File, '/')+1:], "explored_"), s.Fault.Kind))
				t.Log(s.Fault)
				return nil
			}
			if s.Answer >= 0 {
				r := shared.Result(s.Answer)
				note(r.Panic + fmt.Sprint(r.Values))
			}
			if !seen[string(s.Next)] {
				seen[string(s.Next)] = true
				queue = append(queue, string(s.Next))
			}
			return nil
		})
		if errors.Is(err, machine.ErrAgain) {
			shared.Again()
			goto again
		}
		if err != nil {
			t.Fatal(err)
		}
		if st := m.Status([]byte(queue[0])); stuck && (len(st.Running) > 0 || st.Others > 0 || slices.Max(st.Left) > 0) {
			note("stuck")
		}
	}
	slices.Sort(all)
	return all
}

// TestCalls compares calls of the standard library in the explorer with the same in compiled Go.
func TestCalls(t *testing.T) {
	p := program(t, "testdata/calls")
	for i, op := range p.Ops {
		start := time.Now()
		for seed := range testsize.Samples(40) {
			got := outcomes(t, p, machine.Bounds{Threads: 1, Ops: 1, Calls: []machine.Call{{Op: i, Args: []ir.Word{ir.Word(seed)}}}})
			want := reflect.ValueOf(calls.New()).MethodByName(op.GoName[strings.LastIndexByte(op.GoName, '.')+1:]).Call([]reflect.Value{reflect.ValueOf(int(seed))})[0].String()
			if len(got) != 1 || got[0] != "["+want+"]" {
				t.Errorf("%s(%d) is\n%s, want\n%s", op.Method, seed, got, want)
				break
			}
		}
		t.Log(op.Method, time.Since(start))
	}
}

// TestWaits explores operations of several threads.
func TestWaits(t *testing.T) {
	p := program(t, "testdata/waits")
	for _, c := range []struct {
		plans []string // of each thread its operations
		want  string
	}{
		{[]string{"await", "announce"}, "[] [true]"},
		{[]string{"await", "announceAll", "await"}, "[] [true]"},
		{[]string{"await", "announce", "await"}, "[] [true] stuck"},
		{[]string{"awaitBlindly", "announce"}, "[] [true] stuck"},
		{[]string{"write read", "read write"}, "[0] [2] [4] []"},
		{[]string{"readTwice", "read"}, "[0]"},
		{[]string{"readTwice", "write"}, "[0] [2] [] stuck"},
		{[]string{"tryBoth", "write"}, "[] [false] [true] stuck"},
		{[]string{"once", "once"}, "[1]"},
		{[]string{"group"}, "[2]"},
		{[]string{"waitGroup", "done"}, "[]"},
		{[]string{"waitGroup"}, "stuck"},
		{[]string{"pooled pooled"}, "[1] [2]"},
		{[]string{"pooled", "pooled"}, "[1] [2]"},
		{[]string{"pooledTooLong", "pooled"}, "[1] [2] waits.go: data race waits.go: misuse"},
		{[]string{"add(x)", "add(x)"}, "[false] [true]"},
		{[]string{"keys"}, "[a]"},
		{[]string{"keys", "add(x)"}, "[a] [ax] [true] [xa]"},
		{[]string{"keys", "remove(a)"}, "[] [a]"},
		{[]string{"keys", "remove(a) add(a)"}, "[] [a] [true]"},
		{[]string{"value(x)", "value(y)"}, "[] [x] [y]"},
		{[]string{"timeout"}, "[time] [value]"},
		{[]string{"stopped"}, "[gone off] [stopped]"},
		{[]string{"deadline"}, "[context deadline exceeded] [early]"},
		{[]string{"small"}, "[0] [1] [2]"},
		{[]string{"large"}, "[0] [1] [99]"},
		{[]string{"seeded"}, "[0] [10] [11] [1]"},
		{[]string{"fast"}, "[12] [2]"},
		{[]string{"many"}, "[true]"},
		{[]string{"quit(later)"}, "[]"},
		{[]string{"quit(now)"}, "waits.go: not covered"},
		{[]string{"foreign"}, "waits.go: not covered"},
	} {
		b := machine.Bounds{Threads: len(c.plans)}
		for _, plan := range c.plans {
			var ops []int32
			for _, call := range strings.Fields(plan) {
				ops = append(ops, int32(len(b.Calls)))
				b.Calls = append(b.Calls, callOf(t, p, call))
			}
			b.Ops = max(b.Ops, len(ops))
			b.Plans = append(b.Plans, ops)
		}
		got := strings.Join(outcomes(t, p, b), " ")
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.plans, got, c.want)
		}
	}
}

// callOf reads name or name(string).
func callOf(t *testing.T, p *ir.Program, text string) machine.Call {
	t.Helper()
	name, arg, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	c := machine.Call{Op: slices.IndexFunc(p.Ops, func(op ir.Operation) bool { return op.Method == name })}
	if c.Op < 0 {
		t.Fatalf("there is no operation %s", name)
	}
	if len(p.Ops[c.Op].Params) > 0 {
		c.Args = []ir.Word{p.Strings.Number(arg)}
	}
	return c
}

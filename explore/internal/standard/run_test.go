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
	"github.com/adtinfer/adtinfer/internal/testsize"
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
				note(fmt.Sprintf("%s:%d: %v", pos.File, pos.Line, s.Fault))
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
		_ = stuck
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

package machine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine/testdata/sequential"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// compile compiles a package of this folder's testdata.
func compile(t *testing.T, o source.Options) *ir.Program {
	t.Helper()
	o.Dir = "testdata/" + o.Dir
	p, err := source.Load(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	prog, refusals := lower.Compile(p)
	for _, r := range refusals {
		t.Error(r.Error())
	}
	if t.Failed() {
		t.FailNow()
	}
	return prog
}

// compiledCall calls a method, and yields its results as texts, or its panic.
func compiledCall(object any, method string, args []int) (texts []string) {
	defer func() {
		if r := recover(); r != nil {
			texts = []string{"panic: " + fmt.Sprint(r)}
		}
	}()
	var in []reflect.Value
	for _, a := range args {
		in = append(in, reflect.ValueOf(a))
	}
	for _, v := range reflect.ValueOf(object).MethodByName(method).Call(in) {
		texts = append(texts, fmt.Sprint(v))
	}
	return texts
}

// interpreted makes calls one after the other; all ways to choose come to the same.
func interpreted(t *testing.T, p *ir.Program, calls []Call) (texts [][]string) {
	t.Helper()
	plan := make([]int32, len(calls))
	for i := range plan {
		plan[i] = int32(i)
	}
	s, err := New(context.Background(), p, Bounds{Threads: 1, Ops: len(calls), Calls: calls, Plans: [][]int32{plan}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
again:
	m, form := s.Machine(), s.Start()
	texts = texts[:0]
	for len(texts) < len(calls) {
		var next []byte
		var answer int32
		err := m.Expand(form, func(st *Step) error {
			switch {
			case st.Fault != nil:
				t.Fatalf("%v: %v", p.Positions[st.Fault.Pos], st.Fault)
			case next == nil:
				next, answer = slices.Clone(st.Next), st.Answer
			case answer != st.Answer:
				t.Fatalf("call %d: %v and %v", len(texts), s.Result(answer), s.Result(st.Answer))
			}
			return nil
		})
		if err == ErrAgain {
			s.Again()
			goto again
		}
		if err != nil {
			t.Fatal(err)
		}
		if next == nil {
			t.Fatalf("call %d waits", len(texts))
		}
		if form = next; answer < 0 {
			continue
		}
		r := s.Result(answer)
		if r.Panic != "" {
			r.Values = []string{"panic: " + r.Panic}
		}
		texts = append(texts, r.Values)
	}
	return texts
}

// TestSequential makes the same random calls compiled and in the machine.
func TestSequential(t *testing.T) {
	p := compile(t, source.Options{Dir: "sequential"})
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 5))
	seen := map[string]int{}
	for range testsize.Samples(3000) {
		object := sequential.New()
		var calls []Call
		var want [][]string
		for range 1 + r.IntN(25) {
			op := r.IntN(len(p.Ops))
			a, b := r.IntN(8), r.IntN(6)
			calls = append(calls, Call{Op: op, Args: []ir.Word{ir.Word(a), ir.Word(b)}})
			_, name, _ := strings.Cut(p.Ops[op].GoName, ").")
			texts := compiledCall(object, name, []int{a, b})
			for i := range texts { // the race detector's build reads before it writes, and an empty map says it otherwise
				texts[i] = strings.Replace(texts[i], "panic: hash of unhashable type: ", "panic: runtime error: hash of unhashable type ", 1)
			}
			want = append(want, texts)
		}
		got := interpreted(t, p, calls)
		for i := range want {
			name := p.Ops[calls[i].Op].GoName
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("seed %d: call %d, %s%v: %q, compiled %q", seed, i, name, calls[i].Args, got[i], want[i])
			}
			kind := "returns"
			if strings.HasPrefix(want[i][0], "panic") {
				kind = "panics"
			}
			seen[name+" "+kind]++
		}
	}
	for _, op := range p.Ops {
		if seen[op.GoName+" returns"] == 0 {
			t.Errorf("%s never returned", op.GoName)
		}
	}
	t.Log(seen)
}

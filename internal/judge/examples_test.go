package judge

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

func TestTry(t *testing.T) {
	for _, spec := range []reference.Spec{register.Spec, queue.Spec, stack.Spec, set.Spec, lock.Spec, worksteal.Spec} {
		impl, err := reference.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		th, err := patterns.Infer(context.Background(), impl, spec.Info(), patterns.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := time.Since(start)
		o, err := newOracle(th)
		if err != nil {
			t.Fatal(err)
		}
		r := &runner{newAlphabet(impl.Methods()), impl, o}
		start = time.Now()
		lr, w, err := r.longRuns(context.Background(), DefaultLongRuns)
		if err != nil {
			t.Fatal(err)
		}
		b := time.Since(start)
		start = time.Now()
		m, err := r.mutants(context.Background(), DefaultWords)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(spec.Name, a, b, time.Since(start), *lr, w)
		fmt.Printf("  %+v\n", *m)
	}
}

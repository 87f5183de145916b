//go:build z3

package z3

// #cgo LDFLAGS: -lz3
// #include <z3.h>
import "C"

import (
	"context"
	"reflect"
	"time"
	"unsafe"

	z3 "github.com/mitchellh/go-z3"
)

// This file is what Z3 can do and go-z3 cannot: assumptions, cores and
// interruption. go-z3 hands out its Z3_context. Its Z3_solver and Z3_ast are
// unexported fields, which reflection may read; the tests would notice if
// another version had none.

func rawContext(c *z3.Context) C.Z3_context { return C.Z3_context(unsafe.Pointer(c.Z3Value())) }

func rawSolver(s *z3.Solver) C.Z3_solver { return C.Z3_solver(rawField(s, "rawSolver")) }

func rawTerm(t *z3.AST) C.Z3_ast { return C.Z3_ast(rawField(t, "rawAST")) }

func rawField(of any, name string) unsafe.Pointer {
	return reflect.ValueOf(of).Elem().FieldByName(name).UnsafePointer()
}

// checkAssuming is Check under assumptions.
func checkAssuming(c *z3.Context, s *z3.Solver, assumptions []*z3.AST) z3.LBool {
	if len(assumptions) == 0 {
		return s.Check()
	}
	raw := make([]C.Z3_ast, len(assumptions))
	for i, t := range assumptions {
		raw[i] = rawTerm(t)
	}
	return z3.LBool(C.Z3_solver_check_assumptions(rawContext(c), rawSolver(s), C.uint(len(raw)), &raw[0]))
}

// unsatCore is the set of assumptions that the last check rests on.
func unsatCore(c *z3.Context, s *z3.Solver) map[C.Z3_ast]bool {
	ctx := rawContext(c)
	core := C.Z3_solver_get_unsat_core(ctx, rawSolver(s))
	C.Z3_ast_vector_inc_ref(ctx, core)
	defer C.Z3_ast_vector_dec_ref(ctx, core)
	in := map[C.Z3_ast]bool{}
	for i := range C.Z3_ast_vector_size(ctx, core) {
		in[C.Z3_ast_vector_get(ctx, core, i)] = true
	}
	return in
}

// interruptible has Z3 interrupted when ctx ends. The function it returns is to
// be called once Z3 is back, and reports whether it was interrupted.
func interruptible(ctx context.Context, c *z3.Context) (interrupted func() bool) {
	back, done := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		for {
			C.Z3_interrupt(rawContext(c)) // again and again: it is lost if Z3 has not begun yet
			select {
			case <-back:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	})
	return func() bool {
		close(back)
		if stop() {
			return false
		}
		<-done
		return true
	}
}

package views

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// bounded explores with a number of threads and operations, and calls visit with each state: its
// form, the observer's state, the threads' status. The monitor is that of the proof. The error is
// what goes wrong; visit's errBeyond says that the state has no steps.
func bounded(t testing.TB, program *ir.Program, p *Proof, threads, ops int, visit func(m *machine.Machine, form string, obs int32, all []status) error) error {
	t.Helper()
	own := p.Shared.Bounds()
	b := machine.Bounds{Threads: threads, Ops: ops, Calls: own.Calls}
	shared, err := machine.New(context.Background(), program, b, machine.Options{Held: true, Published: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := shared.Assume(p.Shared.Written()); err != nil {
		t.Fatal(err)
	}
	shared.Know(p.Shared.Results())
	for i, r := range shared.Results() {
		if fmt.Sprint(r) != fmt.Sprint(p.Shared.Result(int32(i))) {
			t.Fatal("results have other numbers")
		}
	}
	m, show := shared.Machine(), shared.Machine()
	type state struct {
		form string
		obs  int32
		all  string
	}
	pack := func(form []byte, obs int32, all []status, calls []int32) state {
		var text []byte
		for i, x := range all {
			text = binary.AppendVarint(binary.AppendVarint(append(text, x.lin), int64(x.answer)), int64(calls[i]))
		}
		return state{string(form), obs, string(text)}
	}
	type item struct {
		state
		status []status
		calls  []int32
	}
	first := item{status: make([]status, threads), calls: make([]int32, threads)}
	for i := range first.status {
		first.status[i], first.calls[i] = idle, -1
	}
	if p.Observer != nil {
		first.obs = p.Observer.Start()
	}
	first.state = pack(shared.Start(), first.obs, first.status, first.calls)
	seen := map[state]bool{first.state: true}
	queue := []item{first}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		err := visit(show, x.form, x.obs, x.status)
		if err == errBeyond {
			continue
		}
		if err != nil {
			return err
		}
		err = m.Expand([]byte(x.form), func(s *machine.Step) error {
			if s.Fault != nil {
				return s.Fault
			}
			y := item{status: make([]status, threads), calls: make([]int32, threads)}
			now, running, obs := append([]status(nil), x.status...), append([]int32(nil), x.calls...), x.obs
			if s.Call >= 0 {
				now[s.Thread], running[s.Thread] = idle, s.Call
			}
			for _, a := range s.Announced {
				if p.Observer == nil {
					break
				}
				var err error
				raw := number(p.Shared, shared.Result(a.Answer))
				if obs, now[a.Thread], err = p.announce(obs, now[a.Thread], running[a.Thread], raw); err != nil {
					return err
				}
			}
			if s.Answer >= 0 {
				if err := p.returns(now[s.Thread], number(p.Shared, shared.Result(s.Answer))); err != nil {
					return err
				}
				now[s.Thread], running[s.Thread] = idle, -1
			}
			for i, from := range s.Perm {
				y.status[i], y.calls[i] = now[from], running[from]
			}
			y.obs = obs
			if y.state = pack(s.Next, obs, y.status, y.calls); !seen[y.state] {
				seen[y.state] = true
				queue = append(queue, y)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	t.Logf("%d threads, %d operations: %d states", threads, ops, len(seen))
	return nil
}

// number is what a machine calls a result.
func number(s *machine.Shared, r machine.Result) int32 {
	s.Know([]machine.Result{r})
	for i, x := range s.Results() {
		if fmt.Sprint(x) == fmt.Sprint(r) {
			return int32(i)
		}
	}
	return -1
}

var (
	errMissing = errors.New("a view is missing")
	errBeyond  = errors.New("beyond the cap")
)

// contained checks that the views of all states within bounds were found.
func contained(t testing.TB, program *ir.Program, p *Proof, threads, ops int) {
	t.Helper()
	viewer, err := p.Shared.Viewer()
	if err != nil {
		t.Fatal(err)
	}
	err = bounded(t, program, p, threads, ops, func(m *machine.Machine, form string, obs int32, all []status) (err error) {
		viewer.Abstract(m, []byte(form), func(thread int, v machine.View) {
			switch {
			case err == errBeyond:
			case p.options.Cap > 0 && v.Objects > p.options.Cap:
				err = errBeyond
			case !p.Has(obs, v, all[thread].lin, all[thread].answer):
				viewer.Load(v)
				err = fmt.Errorf("%w: %s, %v, observer %d", errMissing, viewer.Text(), all[thread], obs)
			}
		})
		return err
	})
	if err != nil {
		t.Errorf("%d threads, %d operations: %v", threads, ops, err)
	}
}

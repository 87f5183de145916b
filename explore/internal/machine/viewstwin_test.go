package machine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/explore/internal/views"
)

// TestViewsTwin computes the views of sets by merging all pairs of them, in all ways, to states of two
// threads that make steps: these are the views that actions find.
func TestViewsTwin(t *testing.T) {
	for _, c := range []struct {
		dir    string
		values int
	}{{"lazy", 1}, {"handoverhand", 2}, {"harris", 1}, {"michael", 1}, {"hindsight", 1}, {"optimistic", 1}, {"vechevcas", 1}, {"lockfree", 1}} {
		t.Run(c.dir, func(t *testing.T) {
			t.Parallel()
			w := newTwin(t, "../../../examples/verified/"+c.dir, c.values)
			p, err := views.New(views.Problem{Shared: w.single, Observer: w, Answer: func(raw int32) (int32, error) { return raw, nil }}, views.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(context.Background())
			if err != nil || !r.Proved {
				t.Fatal(err, r.Finding)
			}
			if err := w.run(t); err != nil {
				t.Fatal(err)
			}
			for x := range w.seen {
				if !p.Has(x.obs, machine.View{Global: []byte(x.global), Thread: []byte(x.thread)}, x.lin, x.answer) {
					t.Fatal("a view of the twin's was not found")
				}
			}
			if len(w.seen) != r.Stats.Views {
				t.Errorf("%d views, but the twin has %d", r.Stats.Views, len(w.seen))
			}
			t.Logf("%d views, %d pairs", len(w.seen), w.pairs)
		})
	}
}

// twinView is a view as a key of a map.
type twinView struct {
	obs            int32
	global, thread string
	status
}

type status struct {
	lin    uint8
	answer int32
}

// twin merges pairs of views. It is the observer, too: a set of the values 0 to 31, a bit each.
type twin struct {
	single, double *machine.Shared
	list           *spec.List
	seen           map[twinView]bool
	groups         map[string][]twinView
	queue          []twinView
	pairs          int
}

func newTwin(t *testing.T, dir string, values int) *twin {
	pkg, err := source.Load(context.Background(), source.Options{Dir: dir, Policy: true})
	if err != nil {
		t.Fatal(err)
	}
	program, refusals := lower.Compile(pkg)
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	w := &twin{seen: map[twinView]bool{}, groups: map[string][]twinView{}}
	if w.list, err = spec.New(program, spec.Options{Values: values, Most: values}); err != nil {
		t.Fatal(err)
	}
	if w.single, err = machine.ForViews(context.Background(), program, w.list.Calls); err != nil {
		t.Fatal(err)
	}
	w.double, err = machine.New(context.Background(), program, machine.Bounds{Threads: 2, Ops: -1, Calls: w.list.Calls}, machine.Options{Held: true, Published: true, NoSymmetry: true})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *twin) Start() int32 { return 0 }

// Step is a set's.
func (w *twin) Step(set, call, answer int32) (int32, bool, error) {
	l := w.list.Labels[call]
	bit := int32(1) << w.list.Calls[call].Args[0]
	is, after := set&bit != 0, set
	yes := is
	switch l.Method {
	case "add":
		yes, after = !is, set|bit
	case "remove":
		after = set &^ bit
	}
	return after, w.single.Result(answer).Values[0] == fmt.Sprint(yes), nil
}

func (w *twin) add(obs int32, v machine.View, s status) {
	x := twinView{obs, string(v.Global), string(v.Thread), s}
	if !w.seen[x] {
		w.seen[x] = true
		key := fmt.Sprint(obs, x.global)
		w.groups[key] = append(w.groups[key], x)
		w.queue = append(w.queue, x)
	}
}

// run finds all views. What was written, and the numbers of results, are known already.
func (w *twin) run(t *testing.T) error {
	if err := w.double.Assume(w.single.Written()); err != nil {
		t.Fatal(err)
	}
	w.double.Know(w.single.Results())
	viewer, err := w.single.Viewer()
	if err != nil {
		t.Fatal(err)
	}
	m, pair := w.double.Machine(), w.double.Machine()
	start, _ := viewer.Start()
	w.add(0, start, status{0, -1})
	for len(w.queue) > 0 {
		x := w.queue[0]
		w.queue = w.queue[1:]
		for _, y := range w.groups[fmt.Sprint(x.obs, x.global)] {
			w.pairs++
			machine.Pairs(viewer, pair, []byte(x.global), []byte(x.thread), []byte(y.thread), func(form []byte) {
				if err == nil {
					err = w.steps(viewer, m, form, x.obs, [2]status{x.status, y.status})
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// steps makes the steps of a pair.
func (w *twin) steps(viewer *machine.Viewer, m *machine.Machine, form []byte, obs int32, all [2]status) error {
	return m.Expand(form, func(s *machine.Step) error {
		if s.Fault != nil {
			return s.Fault
		}
		now, state := all, obs
		calls := m.Running()
		if s.Call >= 0 {
			now[s.Thread], calls[s.Thread] = status{0, -1}, s.Call
		}
		for _, a := range s.Announced {
			next, ok, _ := w.Step(state, calls[a.Thread], a.Answer)
			if !ok || now[a.Thread].lin == 2 {
				return fmt.Errorf("refused")
			}
			now[a.Thread] = status{1, a.Answer}
			if next != state {
				now[a.Thread].lin = 2
			}
			state = next
		}
		if s.Answer >= 0 {
			if now[s.Thread].lin == 0 || now[s.Thread].answer != s.Answer {
				return fmt.Errorf("returns otherwise")
			}
			now[s.Thread] = status{0, -1}
		}
		viewer.Abstract(w.double.Machine(), s.Next, func(thread int, v machine.View) {
			w.add(state, v, now[thread])
		})
		return nil
	})
}

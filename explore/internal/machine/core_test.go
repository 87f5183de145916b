package machine

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// counter is a program with an object of one word, and an operation that adds 1 to it:
// atomically, under a mutex, or with plain accesses.
func counter(how string) *ir.Program {
	p := &ir.Program{Strings: ir.NewStrings(), Types: []*ir.Type{{Name: "nil"}}, Positions: make([]ir.Position, 1),
		Layouts: []*ir.Layout{{Name: "counter", Words: []ir.Kind{ir.Data, ir.Data}, Fields: []string{"mu", "n"}}},
		Consts:  []ir.Word{1}}
	one := int32(-1)
	p.Funcs = append(p.Funcs, &ir.Func{Name: "init", Defers: -1, Recovers: -1, Code: []ir.Instr{{Op: ir.Return}}},
		&ir.Func{Name: "New", Defers: -1, Recovers: -1, Results: 1, Kinds: []ir.Kind{ir.Ptr},
			Code: []ir.Instr{{Op: ir.Alloc, Dst: 0, To: 0, N: 1}, {Op: ir.Return, Args: []ir.Arg{{At: 0, N: 1}}}}})
	add := &ir.Func{Name: "Add", Defers: -1, Recovers: -1, Params: 1, Results: 1, Kinds: []ir.Kind{ir.Ptr, ir.Ptr, ir.Data}}
	field := ir.Instr{Op: ir.FieldAddr, Dst: 1, A: 0, N: 1}
	plain := []ir.Instr{{Op: ir.Load, Dst: 2, A: 1, N: 1}, {Op: ir.Add, Dst: 2, A: 2, B: one}, {Op: ir.Store, A: 1, B: 2, N: 1}}
	ret := ir.Instr{Op: ir.Return, Args: []ir.Arg{{At: 2, N: 1}}}
	switch how {
	case "atomic":
		add.Code = []ir.Instr{field, {Op: ir.AtomicAdd, Dst: 2, A: 1, B: one}, ret}
	case "load, store":
		add.Code = []ir.Instr{field, {Op: ir.AtomicLoad, Dst: 2, A: 1, N: 1}, {Op: ir.Add, Dst: 2, A: 2, B: one}, {Op: ir.AtomicStore, A: 1, B: 2, N: 1}, ret}
	case "mutex":
		add.Code = append(append([]ir.Instr{field, {Op: ir.Lock, A: 0}}, plain...), ir.Instr{Op: ir.Unlock, A: 0}, ret)
	case "plain":
		add.Code = append(append([]ir.Instr{field}, plain...), ret)
	}
	p.Funcs = append(p.Funcs, add)
	for _, f := range p.Funcs {
		f.Finish()
	}
	p.New = 1
	p.Ops = []ir.Operation{{Method: "add", GoName: "Add", Func: 2, Results: []ir.Form{{Kind: ir.I64}}}}
	return p
}

// reach explores all states, and counts them.
func reach(t *testing.T, p *ir.Program, b Bounds, o Options) (states int, answers map[string]bool, fault *Fault) {
	t.Helper()
	s, err := New(context.Background(), p, b, o)
	if err != nil {
		t.Fatal(err)
	}
again:
	m := s.Machine()
	seen := map[string]bool{string(s.Start()): true}
	queue := []string{string(s.Start())}
	answers = map[string]bool{}
	for len(queue) > 0 {
		form := queue[0]
		queue = queue[1:]
		err := m.Expand([]byte(form), func(st *Step) error {
			if st.Fault != nil {
				fault = st.Fault
				return nil
			}
			if st.Answer >= 0 {
				answers[s.Result(st.Answer).Values[0]] = true
			}
			if !seen[string(st.Next)] {
				seen[string(st.Next)] = true
				queue = append(queue, string(st.Next))
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
	}
	return len(seen), answers, fault
}

func TestCounter(t *testing.T) {
	b := Bounds{Threads: 2, Ops: 2, Calls: []Call{{Op: 0}}}
	for how, want := range map[string]struct {
		states int
		racy   bool
	}{"atomic": {states: 6}, "mutex": {}, "load, store": {}, "plain": {racy: true}} {
		for _, o := range []Options{{}, {NoFusion: true}, {NoSymmetry: true}, {NoFusion: true, NoSymmetry: true}} {
			n, answers, fault := reach(t, counter(how), b, o)
			if racy := fault != nil && fault.Kind == Race; racy != want.racy {
				t.Errorf("%s %+v: %v", how, o, fault)
			}
			if o == (Options{}) && want.states > 0 && n != want.states {
				t.Errorf("%s: %d states, want %d", how, n, want.states)
			}
			t.Log(how, o, n, answers, fault)
		}
	}
}

func TestTrace(t *testing.T) {
	s, err := New(context.Background(), counter("load, store"), Bounds{Threads: 2, Ops: 1, Calls: []Call{{Op: 0}}}, Options{NoSymmetry: true})
	if err != nil {
		t.Fatal(err)
	}
	moves := []Move{{Thread: 0, Call: 0}, {Thread: 1, Call: 0}, {Thread: 0, Call: -1}, {Thread: 1, Call: -1}}
	var events []Event
	for {
		if events, err = s.Machine().Trace(moves); err != ErrAgain {
			break
		}
		s.Again()
	}
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		text := fmt.Sprintf("%d %d %s %s.%s %s", e.Thread, e.Kind, e.Text, e.Object, e.Field, e.After)
		if e.Kind == ReturnEvent {
			text = fmt.Sprintf("%d returns %s", e.Thread, s.Result(e.Answer).Values)
		}
		got = append(got, text)
	}
	want := []string{"0 0  . ", "0 4 load counter1.n 0", "1 0  . ", "1 4 load counter1.n 0", "0 4 store counter1.n 1", "0 returns [1]", "1 4 store counter1.n 1", "1 returns [1]"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, err := s.Machine().Trace([]Move{{Thread: 0, Call: -1}}); err == nil {
		t.Error("a move that is not possible was made")
	}
}

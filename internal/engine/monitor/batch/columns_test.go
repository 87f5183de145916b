package batch_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// reader reads executions of a set with priorities, which has all there is: roles
// by outcome, values that must agree, arguments that must be alone.
func reader() *batch.Reader {
	in := batch.Outcome{Outcome: history.Some, Rets: 1, Role: batch.Present, FromArg: true, Agree: true}
	out := batch.Outcome{Outcome: history.Nil, Role: batch.Absent, FromArg: true}
	added, removed := out, in
	added.Role, added.Unique, removed.Role = batch.Add, true, batch.Remove
	return &batch.Reader{
		Methods: map[string]*batch.Method{
			"insert":   {Args: 1, Open: batch.MaybeAdd, Outcomes: []batch.Outcome{added, in}},
			"put":      {Args: 1, Open: batch.MaybeAdd, Unique: true, Outcomes: []batch.Outcome{added}},
			"remove":   {Args: 1, Open: batch.MaybeRemove, Kind: 3, Outcomes: []batch.Outcome{removed, out}},
			"contains": {Args: 1, Outcomes: []batch.Outcome{in, out}},
			"any":      {Outcomes: []batch.Outcome{{Outcome: history.Some, Rets: 1, Role: batch.Present}, {Outcome: history.Nil, Role: batch.Empty}}},
		},
		Priority: func(v history.Value) (int64, error) {
			if strings.HasPrefix(string(v), "bad") {
				return 0, errors.New("no priority")
			}
			return int64(len(v)), nil
		},
	}
}

var signature = []history.MethodSig{
	{Name: "insert", Args: 1}, {Name: "remove", Args: 1}, {Name: "contains", Args: 1}, {Name: "any"}, {Name: "put", Args: 1},
}

// sets are over more values than there are operations mostly.
func sets() historytest.Type {
	x := historytest.Set()
	for i := range x.Methods {
		x.Methods[i].Takes = 12
	}
	return x
}

// events hands those of an execution to a builder.
func events(b *batch.Builder, e *history.Execution) bool {
	at := make([]int, e.Events)
	for i := range e.Ops {
		at[e.Ops[i].Call] = i
		if e.Ops[i].Completed() {
			at[e.Ops[i].Return] = i
		}
	}
	text := func(vs []history.Value) (all []string) {
		for _, v := range vs {
			all = append(all, string(v))
		}
		return all
	}
	for n, i := range at {
		o, ok, k := &e.Ops[i], false, 0
		for signature[k].Name != o.Method {
			k++
		}
		if o.Call == n {
			ok = b.Call(k, text(o.Args))
		} else {
			ok = b.Return(i, k, o.Outcome, text(o.Rets))
		}
		if !ok {
			return false
		}
	}
	return true
}

// TestBuilder: events as they come give the columns that the whole execution
// gives, but for the numbers of the values.
func TestBuilder(t *testing.T) {
	r, x := rand.New(rand.NewPCG(1, 31)), sets()
	same, refused := 0, 0
	for range testsize.Samples(10_000) {
		x.Lost = []int{0, 8}[r.IntN(2)]
		e := x.Execution(r, 1+r.IntN(20), 1+r.IntN(5), []int{0, 9}[r.IntN(2)])
		for i := range e.Ops {
			switch o := &e.Ops[i]; {
			case o.Method == "contains" && r.IntN(3) == 0:
				if o.Method, o.Args = "any", nil; o.Outcome == history.Pending {
					o.Rets = nil
				}
			case o.Method == "insert" && o.Outcome != history.Some && r.IntN(4) == 0:
				o.Method = "put"
			}
		}
		want, err := reader().Read(e)
		b := batch.NewBuilder(reader(), sig(t), len(e.Ops))
		ok := events(b, e)
		var got *batch.Columns
		if ok {
			got, ok = b.Columns()
		}
		if ok != (err == nil) {
			t.Fatalf("read: %v, built: %v\n%s", err, ok, historytest.Text(e))
		}
		if !ok {
			refused++
			continue
		}
		same++
		compare(t, e, got, want)
	}
	if min(same, refused) < 20 {
		t.Errorf("%d same, %d refused", same, refused)
	}
}

func sig(t *testing.T) history.Signature {
	s, err := history.NewSignature(signature...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compare(t *testing.T, e *history.Execution, got, want *batch.Columns) {
	t.Helper()
	number := map[int32]int32{-1: -1} // of want's
	for i := range want.Call {
		for _, v := range [][2]int32{{want.Value[i], got.Value[i]}, {want.Asked[i], got.Asked[i]}} {
			if n, seen := number[v[0]]; seen && n != v[1] {
				t.Fatalf("operation %d: another value\n%s", i, historytest.Text(e))
			}
			number[v[0]] = v[1]
		}
		gr, gv, ge := got.In(i, got.Events)
		wr, wv, we := want.In(i, want.Events)
		if gr != wr || gv != number[wv] || ge != we || got.Call[i] != want.Call[i] || got.Kind[i] != want.Kind[i] {
			t.Fatalf("operation %d: %v %v %v, want %v %v %v\n%s", i, gr, gv, ge, wr, wv, we, historytest.Text(e))
		}
	}
	for w, g := range number {
		if w >= 0 && got.Priority[g] != want.Priority[w] {
			t.Fatalf("priorities %v, want %v", got.Priority, want.Priority)
		}
	}
	if len(got.Call) != len(want.Call) || got.Values != want.Values || got.Within(got.Events) != len(e.Ops) || got.Within(1) != 1 {
		t.Fatalf("%+v, want %+v", got, want)
	}
}

// op is a completed operation, after all others.
func op(e *history.Execution, method string, out history.Outcome, args, rets []history.Value) {
	o := history.Operation{ID: "x", Call: e.Events, Return: e.Events + 1}
	o.Label = history.Label{Kind: history.Kind{Method: method, Outcome: out}, Args: args, Rets: rets}
	e.Ops = append(e.Ops, o)
	e.Events += 2
}

func TestReadErrors(t *testing.T) {
	v := func(vs ...history.Value) []history.Value { return vs }
	for _, tt := range []struct {
		name string
		make func(e *history.Execution)
		want string
	}{
		{"unknown", func(e *history.Execution) { op(e, "take", history.Nil, nil, nil) }, "is no operation of the theory"},
		{"too few arguments", func(e *history.Execution) { op(e, "insert", history.Nil, nil, nil) }, "is no operation of the theory"},
		{"another outcome", func(e *history.Execution) { op(e, "insert", history.True, v("1"), nil) }, "is no operation of the theory"},
		{"twice", func(e *history.Execution) {
			op(e, "insert", history.Nil, v("1"), nil)
			op(e, "insert", history.Nil, v("1"), nil)
		}, "a value is used twice"},
		{"two values", func(e *history.Execution) { op(e, "remove", history.Some, v("1"), v("2")) }, "speaks of two values"},
		{"no priority", func(e *history.Execution) { op(e, "insert", history.Nil, v("bad"), nil) }, "no priority"},
		{"order", func(e *history.Execution) {
			op(e, "any", history.Nil, nil, nil)
			op(e, "any", history.Nil, nil, nil)
			e.Ops[0], e.Ops[1] = e.Ops[1], e.Ops[0]
		}, "not in the order of the calls"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := &history.Execution{}
			tt.make(e)
			if _, err := reader().Read(e); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestValueOf(t *testing.T) {
	e := &history.Execution{}
	op(e, "remove", history.Some, []history.Value{"7"}, []history.Value{"7"})
	op(e, "any", history.Some, nil, []history.Value{"text"})
	r := reader()
	if a, b := r.ValueOf(&e.Ops[0], true), r.ValueOf(&e.Ops[1], false); a != "7" || b != "text" {
		t.Error(a, b)
	}
	if !r.Does(batch.Absent) || (&batch.Reader{}).Does(batch.Add) {
		t.Error("does")
	}
	c, err := r.Read(e)
	if err != nil || c.Alike(1, 3) || !c.Alike(1, 1) {
		t.Error(c, err)
	}
}

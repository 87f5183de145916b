package laws

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// gate lets one guest of one age in.
type gate struct{}

func (gate) Enter(age int, name string) bool { return age == 3 && name == "b" }

// TestRare: around what an observer seldom is there are examples, and they are right.
func TestRare(t *testing.T) {
	l, _ := begunOf(t, "gate", func() *gate { return &gate{} })
	l.all = l.observers(answers)
	w, o := l.w, 0
	at := func(age int64, name string) row {
		return row{vars: []eq.Value{eq.IntOf(age), w.value(&w.methods[0].Params[1], name)}, state: w.space.Start()}
	}
	var rows []row
	for age := range int64(40) {
		rows = append(rows, at(age%4, string("abc"[age%3])))
	}
	rows, err := l.withTargets(o, rows, func(r *row) int32 { return r.state }, 0)
	if err != nil {
		t.Fatal(err)
	}
	all, err := l.withRare(o, rows)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range all {
		age, name := r.vars[0].Int(), w.store.Text(r.vars[1])
		if want := strconv.FormatBool(gate{}.Enter(int(age), strings.Trim(name, `"`))); strings.Trim(w.store.Text(r.target), `#"`) != want {
			t.Errorf("%d, %s: %s", age, name, w.store.Text(r.target))
		}
		if i >= len(rows) && slices.ContainsFunc(all[:i], func(q row) bool { return slices.Equal(q.vars, r.vars) }) {
			t.Errorf("%d, %s is there twice", age, name)
		}
	}
	for _, want := range []row{at(2, "b"), at(4, "b"), at(5, "b"), at(3, "a"), at(3, "c")} {
		if !slices.ContainsFunc(all, func(q row) bool { return slices.Equal(q.vars, want.vars) }) {
			t.Errorf("no %d, %s", want.vars[0].Int(), w.store.Text(want.vars[1]))
		}
	}
}

package wgl

import (
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// TestRenamed: what a model can do it can under other names, exchanged ones, too.
func TestRenamed(t *testing.T) {
	label := func(method string, o history.Outcome, values ...history.Value) *history.Label {
		l := &history.Label{Kind: history.Kind{Method: method, Outcome: o}}
		if method == "remove" && o == history.None {
			l.Args = values
		} else {
			l.Rets = values
		}
		return l
	}
	pq, _ := Builtin("priority-queue")
	m := Renamed(pq, map[string][]string{"add": {"remove"}, "remove": {"add"}})
	s := m.Init()
	for _, v := range []history.Value{"1", "3", "2"} {
		next, ok := m.Step(s, label("remove", history.None, v))
		if !ok {
			t.Fatalf("%s cannot be added", v)
		}
		s = next
	}
	if after := m.(Brancher).Branches(s, label("add", history.Pending)); len(after) != 1 {
		t.Errorf("%d states after a pending remove", len(after))
	}
	if _, ok := m.Step(s, label("add", history.Some, "2")); ok {
		t.Error("2 comes out before 3")
	}
	if !m.(Reader).ReadOnly(label("add", history.Nil)) || m.(Reader).ReadOnly(label("remove", history.None, "4")) {
		t.Error("ReadOnly")
	}
	if _, ok := m.(Keyed); ok {
		t.Error("a priority queue has keys")
	}
	set, _ := Builtin("set")
	k := Renamed(set, map[string][]string{"insert": {"put"}}).(Keyed)
	if got := k.Key(&history.Label{Kind: history.Kind{Method: "put"}, Args: []history.Value{"7"}}); got != "7" {
		t.Errorf("key %q", got)
	}
	reg, _ := Builtin("register")
	if after := Renamed(reg, map[string][]string{"read": {"get"}}).(Brancher).Branches(reg.Init(), label("get", history.Pending)); len(after) != 1 {
		t.Errorf("%d states after a pending read", len(after))
	}
	if Renamed(reg, nil) != reg {
		t.Error("another model without another name")
	}
}

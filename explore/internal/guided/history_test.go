package guided

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

func call(t int) Event { return Event{Thread: t} }
func ret(t int) Event  { return Event{Thread: t, Return: true} }

// TestCheck refuses histories that no goroutines have.
func TestCheck(t *testing.T) {
	one := [][]int32{{0}, {1}}
	for _, tt := range []struct {
		h       History
		answers int
		ok      bool
	}{
		{History{call(0), call(1), ret(1), ret(0)}, 2, true},
		{History{call(0), call(1), ret(1)}, 1, true},
		{History{call(0), call(1), ret(1)}, 2, false},
		{History{call(0), ret(0)}, 1, false},
		{History{ret(0), call(0), call(1)}, 1, false},
		{History{call(0), call(0), call(1)}, 0, false},
		{History{call(0), call(2)}, 0, false},
		{History{call(0), ret(0), call(0), call(1)}, 1, false},
	} {
		if err := tt.h.Check(one, tt.answers); (err == nil) != tt.ok {
			t.Errorf("%v with %d answers: %v", tt.h, tt.answers, err)
		}
	}
}

// TestPlace moves calls ahead and returns behind.
func TestPlace(t *testing.T) {
	run := []machine.Event{
		{Thread: 1, Kind: machine.CallEvent, Call: 1, Step: 0}, {Thread: 1, Kind: machine.ReadEvent, Step: 0}, {Thread: 1, Kind: machine.ReturnEvent, Answer: 5, Step: 0},
		{Thread: 0, Kind: machine.CallEvent, Call: 0, Step: 1}, {Thread: 0, Kind: machine.WriteEvent, Step: 1}, {Thread: 0, Kind: machine.ReturnEvent, Answer: 6, Step: 1},
	}
	plans := [][]int32{{0}, {1}}
	for _, tt := range []struct {
		h    History
		want string
	}{
		{History{call(1), ret(1), call(0), ret(0)}, "1( 1. 1) 0( 0. 0)"},
		{History{call(0), call(1), ret(1), ret(0)}, "0( 1( 1. 1) 0. 0)"},
		{History{call(0), call(1), ret(0), ret(1)}, "0( 1( 1. 0. 0) 1)"},
		{History{call(0), call(1), ret(0)}, "0( 1( 1. 0. 0)"},
		{History{call(0), ret(0), call(1), ret(1)}, ""},
	} {
		events, err := Place(run, tt.h, plans)
		got := ""
		for _, e := range events {
			got += fmt.Sprintf(" %d%s", e.Thread, map[machine.EventKind]string{machine.CallEvent: "(", machine.ReturnEvent: ")", machine.ReadEvent: ".", machine.WriteEvent: "."}[e.Kind])
			if e.Kind == machine.ReturnEvent && e.Answer != int32(6-e.Thread) {
				t.Errorf("%v: answer %d", tt.h, e.Answer)
			}
		}
		if (err == nil) != (tt.want != "") || err == nil && got[1:] != tt.want {
			t.Errorf("%v: %q %v, want %q", tt.h, got, err, tt.want)
		}
	}
}

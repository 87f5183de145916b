package batch

import (
	"fmt"
	"strings"
	"testing"
)

// events reads an execution in short: "A1" is an add of 1, "A1[" its call and
// "A1]" its return; R removes, E finds nothing, P and N find a value in or out,
// T is the call of a pending remove. Operations that are not ended are pending.
func events(t *testing.T, text string) *Columns {
	t.Helper()
	c, running := &Columns{}, map[string]int{}
	for _, w := range strings.Fields(text) {
		name := strings.TrimRight(w, "[]")
		if !strings.HasSuffix(w, "]") {
			c.Events++
			running[name] = len(c.Call)
			c.Push(short(t, name, c.Events))
		}
		if !strings.HasSuffix(w, "[") && name[0] != 'T' {
			c.Events++
			c.Ret[running[name]] = c.Events
		}
	}
	return c
}

func short(t *testing.T, name string, call int32) Op {
	v := int32(-1)
	fmt.Sscanf(name[1:], "%d", &v)
	o := Op{Value: v, Asked: -1, Call: call, Ret: Never}
	switch name[0] {
	case 'A':
		o.Role, o.Open, o.Asked = Add, MaybeAdd, v
	case 'R':
		o.Role, o.Open = Remove, MaybeRemove
	case 'E':
		o.Role, o.Open, o.Value = Empty, MaybeRemove, -1
	case 'T':
		o.Open, o.Value = MaybeRemove, -1
	case 'P':
		o.Role = Present
	case 'N':
		o.Role = Absent
	default:
		t.Fatalf("what is %s?", name)
	}
	return o
}

// chain is a value that can never be on top while it is removed, because m
// others are in by turns.
func chain(m int, without int) string {
	s := "A0 "
	for v := m; v > 1; v-- {
		s += fmt.Sprintf("A%d[ ", v)
	}
	s += "A1 R0[ "
	for v := 2; v <= m; v++ {
		s += fmt.Sprintf("A%d] R%d ", v, v-1)
	}
	s += fmt.Sprintf("R0] R%d", m)
	var kept []string
	for _, w := range strings.Fields(s) {
		if strings.TrimRight(w[1:], "[]") != fmt.Sprint(without) {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

func TestCases(t *testing.T) {
	type of struct {
		name, types, events string
		want                Answer
	}
	cases := []of{
		{"nothing", "queue stack register lock", "", Linearizable},
		{"an empty remove at the very end", "queue stack", "A1 R1 E", Linearizable},
		{"an empty remove at the very end, a value left", "queue stack lock", "A1 R1 A2 E", Violating},
		{"an empty remove at the end, which overlaps the last remove", "queue stack lock", "A1 R1[ E[ R1] E]", Linearizable},
		{"an empty remove that begins with the object full and ends so", "queue stack lock", "A1 E[ R1 A2 E] R2", Linearizable},
		{"values that overlap by turns, and an empty remove", "queue stack", "A1 E[ A2 R1 A3 R2 E] R3", Violating},
		{"a pending add lets an empty remove pass", "queue stack lock", "A1[ E R1", Linearizable},
		{"left over, out of order", "queue", "A1 A2 R2", Violating},
		{"left over, in order", "queue", "A1 A2 R1", Linearizable},
		{"left over below", "stack", "A1 A2 R2", Linearizable},
		{"left over above", "stack", "A1 A2 R1", Violating},
		{"a pending remove took the first", "queue", "A1 A2 T R2", Linearizable},
		{"but it began too late", "queue", "A1 A2 R2 T", Violating},
		{"one pending remove, two too many", "queue", "A1 A2 A3 T R3", Violating},
		{"two pending removes, two too many", "queue", "A1 A2 A3 T1 T2 R3", Linearizable},
		{"a pending remove takes the value above", "stack", "A1 A2 T R1", Linearizable},
		{"a pending remove takes one of two above", "stack", "A1 A2 A3 T R1", Violating},
		{"the newest takes the first pending remove", "stack", "A1 A0 A2 T1 R0 T2", Linearizable},
		{"the oldest must", "stack queue", "A1 T1 E A2", Linearizable},
		{"a pending remove and an empty one before it", "stack queue lock", "A1 E T1", Violating},
		{"a removed value around pending removes", "stack", "A5 A1 A2 T1 T2 R5", Linearizable},
		{"a removed value around too few", "stack", "A5 A1 A2 A3 T1 T2 R5", Violating},
		{"a pending add that was removed", "queue stack lock", "A1[ R1", Linearizable},
		{"a pending add that was removed before", "queue stack lock", "R1 A1[", Violating},
		{"never added", "queue stack lock", "R1", Violating},
		{"removed twice", "queue stack lock", "A1 R1 R01", Violating},
		{"splits, all right", "stack", "A1 R1 A2 R2 A3 A4 R4 R3 A5 R5", Linearizable},
		{"splits, wrong on the left", "stack", "A1 A2 R1 R2 A3 R3 A4 A5 A6 R6 R5 R4", Violating},
		{"splits, wrong on the right", "stack", "A4 A5 A6 R6 R5 R4 A3 R3 A1 A2 R1 R2", Violating},
		{"splits, wrong in the middle", "stack", "A3 R3 A1 A2 R1 R2 A4 R4", Violating},
		{"a split inside a split", "stack", "A0 A1 R1 A2 A3 R3 A4 R4 R2 A5 R5 R0", Linearizable},
		{"a split inside a split, wrong", "stack", "A0 A1 R1 A2 A3 A6 R3 R6 A4 R4 R2 A5 R5 R0", Violating},
		{"neutral: push and pop side by side", "stack", "A0 A1 A9[ R9[ A9] R9] R1 R0", Linearizable},
		{"a holder seen while an unlock is pending", "lock", "A1 T P1 A2", Linearizable},
		{"a holder seen after the next", "lock", "A1 T A2 P1", Violating},
		{"two holders left, one pending unlock", "lock", "A1 T A2", Linearizable},
		{"two holders left, none", "lock", "A1 A2", Violating},
		{"three holders left, one pending unlock", "lock", "A1 T A2 A3", Violating},
		{"a flexible holder that was seen", "lock", "A1[ A2[ T1 P2 P1 A1] A2]", Linearizable},
		{"a flexible holder that was seen, pending unlock too late", "lock", "A1[ A2[ P2 P1 T1 A1] A2]", Violating},
		{"two reads of values in turn", "register", "A1[ A2[ P1 P2 A1] A2]", Linearizable},
		{"and back", "register", "A1[ A2[ P1 P2 P01 A1] A2]", Violating},
		{"a write that nobody can have seen last", "register", "A1 A2 P1", Violating},
		{"a read of nothing after a write", "register", "A1 E", Violating},
		{"a read of nothing with a pending write that was read", "register", "A1[ P1 E", Violating},
		{"a pending write that nobody read", "register", "A1[ E", Linearizable},
		{"seen in and out", "set", "A1 P1 R1 N1", Linearizable},
		{"out while surely in", "set", "A1 N1 R1", Violating},
		{"out beside the remove", "set", "A1 R1[ N1 R1]", Linearizable},
		{"out, then in, beside the remove", "set", "A1 R1[ N1 P1 R1]", Violating},
		{"no moment to be in", "set", "A1 R1 P1", Violating},
	}
	for m := 1; m <= 5; m++ {
		cases = append(cases, of{fmt.Sprintf("a chain of %d", m), "stack", chain(m, -1), Violating})
		for v := range m + 1 {
			cases = append(cases, of{fmt.Sprintf("a chain of %d without %d", m, v), "stack", chain(m, v), Linearizable})
		}
	}
	for _, tt := range cases {
		for i := range models {
			m := &models[i]
			if !strings.Contains(tt.types, m.name) {
				continue
			}
			t.Run(m.name+"/"+tt.name, func(t *testing.T) {
				c := events(t, tt.events)
				if m.name == "set" {
					c.Asked = c.Value
				}
				if got, w := m.new().Decide(c, c.Events); got != tt.want {
					t.Errorf("%v (%v), want %v", got, w, tt.want)
				}
				if f := newFacts(c, c.Events); twin(m, &oracle{}, c, f) != (tt.want == Linearizable) {
					t.Errorf("the twin says otherwise")
				}
			})
		}
	}
}

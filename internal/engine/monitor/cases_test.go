package monitor

import (
	"fmt"
	"strings"
	"testing"
)

// events reads an execution in short: "A1" is an add of 1, "A1[" its call and
// "A1]" its return; R removes, E finds nothing, P and N find a value in or out,
// T is the call of a pending remove. Operations that are not ended are pending.
func events(t *testing.T, text string) *columns {
	t.Helper()
	c, running := &columns{}, map[string]int{}
	for _, w := range strings.Fields(text) {
		name := strings.TrimRight(w, "[]")
		if !strings.HasSuffix(w, "]") {
			c.events++
			running[name] = len(c.call)
			c.push(short(t, name, c.events))
		}
		if !strings.HasSuffix(w, "[") && name[0] != 'T' {
			c.events++
			c.ret[running[name]] = c.events
		}
	}
	return c
}

func short(t *testing.T, name string, call int32) op {
	v := int32(-1)
	fmt.Sscanf(name[1:], "%d", &v)
	o := op{value: v, asked: -1, call: call, ret: never}
	switch name[0] {
	case 'A':
		o.role, o.open, o.asked = add, maybeAdd, v
	case 'R':
		o.role, o.open = remove, maybeRemove
	case 'E':
		o.role, o.open, o.value = empty, maybeRemove, -1
	case 'T':
		o.open, o.value = maybeRemove, -1
	case 'P':
		o.role = present
	case 'N':
		o.role = absent
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
		want                answer
	}
	cases := []of{
		{"nothing", "queue stack register lock", "", linearizable},
		{"an empty remove at the very end", "queue stack", "A1 R1 E", linearizable},
		{"an empty remove at the very end, a value left", "queue stack lock", "A1 R1 A2 E", violating},
		{"an empty remove at the end, which overlaps the last remove", "queue stack lock", "A1 R1[ E[ R1] E]", linearizable},
		{"an empty remove that begins with the object full and ends so", "queue stack lock", "A1 E[ R1 A2 E] R2", linearizable},
		{"values that overlap by turns, and an empty remove", "queue stack", "A1 E[ A2 R1 A3 R2 E] R3", violating},
		{"a pending add lets an empty remove pass", "queue stack lock", "A1[ E R1", linearizable},
		{"left over, out of order", "queue", "A1 A2 R2", violating},
		{"left over, in order", "queue", "A1 A2 R1", linearizable},
		{"left over below", "stack", "A1 A2 R2", linearizable},
		{"left over above", "stack", "A1 A2 R1", violating},
		{"a pending remove took the first", "queue", "A1 A2 T R2", linearizable},
		{"but it began too late", "queue", "A1 A2 R2 T", violating},
		{"one pending remove, two too many", "queue", "A1 A2 A3 T R3", violating},
		{"two pending removes, two too many", "queue", "A1 A2 A3 T1 T2 R3", linearizable},
		{"a pending remove takes the value above", "stack", "A1 A2 T R1", linearizable},
		{"a pending remove takes one of two above", "stack", "A1 A2 A3 T R1", violating},
		{"the newest takes the first pending remove", "stack", "A1 A0 A2 T1 R0 T2", linearizable},
		{"the oldest must", "stack queue", "A1 T1 E A2", linearizable},
		{"a pending remove and an empty one before it", "stack queue lock", "A1 E T1", violating},
		{"a removed value around pending removes", "stack", "A5 A1 A2 T1 T2 R5", linearizable},
		{"a removed value around too few", "stack", "A5 A1 A2 A3 T1 T2 R5", violating},
		{"a pending add that was removed", "queue stack lock", "A1[ R1", linearizable},
		{"a pending add that was removed before", "queue stack lock", "R1 A1[", violating},
		{"never added", "queue stack lock", "R1", violating},
		{"removed twice", "queue stack lock", "A1 R1 R01", violating},
		{"splits, all right", "stack", "A1 R1 A2 R2 A3 A4 R4 R3 A5 R5", linearizable},
		{"splits, wrong on the left", "stack", "A1 A2 R1 R2 A3 R3 A4 A5 A6 R6 R5 R4", violating},
		{"splits, wrong on the right", "stack", "A4 A5 A6 R6 R5 R4 A3 R3 A1 A2 R1 R2", violating},
		{"splits, wrong in the middle", "stack", "A3 R3 A1 A2 R1 R2 A4 R4", violating},
		{"a split inside a split", "stack", "A0 A1 R1 A2 A3 R3 A4 R4 R2 A5 R5 R0", linearizable},
		{"a split inside a split, wrong", "stack", "A0 A1 R1 A2 A3 A6 R3 R6 A4 R4 R2 A5 R5 R0", violating},
		{"neutral: push and pop side by side", "stack", "A0 A1 A9[ R9[ A9] R9] R1 R0", linearizable},
		{"a holder seen while an unlock is pending", "lock", "A1 T P1 A2", linearizable},
		{"a holder seen after the next", "lock", "A1 T A2 P1", violating},
		{"two holders left, one pending unlock", "lock", "A1 T A2", linearizable},
		{"two holders left, none", "lock", "A1 A2", violating},
		{"three holders left, one pending unlock", "lock", "A1 T A2 A3", violating},
		{"a flexible holder that was seen", "lock", "A1[ A2[ T1 P2 P1 A1] A2]", linearizable},
		{"a flexible holder that was seen, pending unlock too late", "lock", "A1[ A2[ P2 P1 T1 A1] A2]", violating},
		{"two reads of values in turn", "register", "A1[ A2[ P1 P2 A1] A2]", linearizable},
		{"and back", "register", "A1[ A2[ P1 P2 P01 A1] A2]", violating},
		{"a write that nobody can have seen last", "register", "A1 A2 P1", violating},
		{"a read of nothing after a write", "register", "A1 E", violating},
		{"a read of nothing with a pending write that was read", "register", "A1[ P1 E", violating},
		{"a pending write that nobody read", "register", "A1[ E", linearizable},
		{"seen in and out", "set", "A1 P1 R1 N1", linearizable},
		{"out while surely in", "set", "A1 N1 R1", violating},
		{"out beside the remove", "set", "A1 R1[ N1 R1]", linearizable},
		{"out, then in, beside the remove", "set", "A1 R1[ N1 P1 R1]", violating},
		{"no moment to be in", "set", "A1 R1 P1", violating},
	}
	for m := 1; m <= 5; m++ {
		cases = append(cases, of{fmt.Sprintf("a chain of %d", m), "stack", chain(m, -1), violating})
		for v := range m + 1 {
			cases = append(cases, of{fmt.Sprintf("a chain of %d without %d", m, v), "stack", chain(m, v), linearizable})
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
					c.asked = c.value
				}
				if got, w := m.new().decide(c, c.events); got != tt.want {
					t.Errorf("%v (%v), want %v", got, w, tt.want)
				}
				if f := newFacts(c, c.events); twin(m, &oracle{}, c, f) != (tt.want == linearizable) {
					t.Errorf("the twin says otherwise")
				}
			})
		}
	}
}

package monitor

import "testing"

// In these cases the priority of a value is its number, but those from 50 on
// all have 50.
func TestPriorityCases(t *testing.T) {
	for _, tt := range []struct {
		name, events string
		want         answer
	}{
		{"the highest first", "A1 A2 R2 R1", linearizable},
		{"the lowest first", "A1 A2 R1 R2", violating},
		{"the lowest first, the highest left over", "A1 A2 R1", violating},
		{"a pending remove took the highest", "A1 A2 T R1", linearizable},
		{"but it was called too late", "A1 A2 R1 T", violating},
		{"one pending remove, two too many", "A1 A2 A3 T R1", violating},
		{"two pending removes, two too many", "A1 A2 A3 T1 T2 R1", linearizable},
		{"the oldest of those left is taken first", "A3 T1 A1 R1 A2 T2", linearizable},
		{"equal priorities in any order", "A50 A51 R51 A52 R50 R52", linearizable},
		{"higher ones by turns over the whole remove", "A1 A2 R1[ A3 R2 A4 R3 R1] R4", violating},
		{"and a gap between two", "A1 A2 R1[ R2 A3 R1] R3", linearizable},
		{"an empty remove at the very end", "A1 R1 E", linearizable},
		{"an empty remove at the very end, a value left", "A1 A2 R2 E", violating},
		{"a pending remove for an empty one", "A1 T E", linearizable},
		{"ties: removed while the higher add is pending", "A2[ A1 R1 A2] R2", linearizable},
		{"removed twice", "A1 R1 R01", violating},
		{"removed before it was added", "R1 A1", violating},
		{"the highest is seen", "A1 A2 P2 R2 P1", linearizable},
		{"another is seen", "A1 A2 P1", violating},
		{"seen before the remove, which must be later", "A1 A2 P1[ R2 P1] R1", linearizable},
		{"seen after the remove", "A1 R1 P1", violating},
		{"a pending add that was seen stays", "A2[ P2 A1 R1", violating},
		{"seen, with a pending remove that may have taken it", "A2 P2 A1 T R1", unclear},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := events(t, tt.events)
			for v := range max(c.values, 60) {
				c.priority = append(c.priority, int64(min(v, 50)))
			}
			got, w := new(priorities).decide(c, c.events)
			if got != tt.want {
				t.Errorf("%v (%v), want %v", got, w, tt.want)
			}
			if f := newFacts(c, c.events); got != unclear && twinPriority(f, c.priority) != (tt.want == linearizable) {
				t.Errorf("the twin says otherwise")
			}
		})
	}
}

func TestPeekCases(t *testing.T) {
	queue, stack := func() procedure { return new(queue) }, func() procedure { return new(stack) }
	for _, tt := range []struct {
		name   string
		of     func() procedure
		events string
		want   answer
	}{
		{"the front", queue, "A1 A2 P1 R1 P2", linearizable},
		{"another", queue, "A1 A2 P2", violating},
		{"the front, beside a remove", queue, "A1 A2 R1[ P2 R1]", linearizable},
		{"back to the front before", queue, "A1 A2 R1[ P2 P1 R1]", violating},
		{"the order of adds that overlap, seen", queue, "A1[ A2[ P1 A1] A2] R2 R1", violating},
		{"two that stay at the front", queue, "A1[ A2[ P1 P2 A1] A2]", violating},
		{"a pending add that was seen", queue, "A1[ P1 E", violating},
		{"seen, with a pending remove that may have taken it", queue, "A1 A2 P1 T P2", unclear},
		{"the top", stack, "A1 A2 P2 R2 P1", linearizable},
		{"another", stack, "A1 A2 P1", violating},
		{"below, beside the remove of the one above", stack, "A1 A2 P1[ R2 P1] R1", linearizable},
		{"below while others are in by turns", stack, "A1 A2 P1[ A3[ R2[ A3] R2] P1] R3 R1", linearizable},
		{"below while another is surely in", stack, "A1 A2 A3 P1[ R3 P1] R2 R1", violating},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := events(t, tt.events)
			if got, w := tt.of().decide(c, c.events); got != tt.want {
				t.Errorf("%v (%v), want %v", got, w, tt.want)
			}
		})
	}
}

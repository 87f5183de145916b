package batch

import "testing"

// In these cases the priority of a value is its number, but those from 50 on
// all have 50.
func TestPriorityCases(t *testing.T) {
	for _, tt := range []struct {
		name, events string
		want         Answer
	}{
		{"the highest first", "A1 A2 R2 R1", Linearizable},
		{"the lowest first", "A1 A2 R1 R2", Violating},
		{"the lowest first, the highest left over", "A1 A2 R1", Violating},
		{"a pending remove took the highest", "A1 A2 T R1", Linearizable},
		{"but it was called too late", "A1 A2 R1 T", Violating},
		{"one pending remove, two too many", "A1 A2 A3 T R1", Violating},
		{"two pending removes, two too many", "A1 A2 A3 T1 T2 R1", Linearizable},
		{"the oldest of those left is taken first", "A3 T1 A1 R1 A2 T2", Linearizable},
		{"equal priorities in any order", "A50 A51 R51 A52 R50 R52", Linearizable},
		{"higher ones by turns over the whole remove", "A1 A2 R1[ A3 R2 A4 R3 R1] R4", Violating},
		{"and a gap between two", "A1 A2 R1[ R2 A3 R1] R3", Linearizable},
		{"an empty remove at the very end", "A1 R1 E", Linearizable},
		{"an empty remove at the very end, a value left", "A1 A2 R2 E", Violating},
		{"a pending remove for an empty one", "A1 T E", Linearizable},
		{"ties: removed while the higher add is pending", "A2[ A1 R1 A2] R2", Linearizable},
		{"removed twice", "A1 R1 R01", Violating},
		{"removed before it was added", "R1 A1", Violating},
		{"the highest is seen", "A1 A2 P2 R2 P1", Linearizable},
		{"another is seen", "A1 A2 P1", Violating},
		{"seen before the remove, which must be later", "A1 A2 P1[ R2 P1] R1", Linearizable},
		{"seen after the remove", "A1 R1 P1", Violating},
		{"a pending add that was seen stays", "A2[ P2 A1 R1", Violating},
		{"seen, with a pending remove that may have taken it", "A2 P2 A1 T R1", Linearizable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := events(t, tt.events)
			for v := range max(c.Values, 60) {
				c.Priority = append(c.Priority, int64(min(v, 50)))
			}
			got, w := new(Priority).Decide(c, c.Events)
			if got != tt.want {
				t.Errorf("%v (%v), want %v", got, w, tt.want)
			}
			if f := newFacts(c, c.Events); len(f.tokens) == 0 && twinPriority(f, c.Priority) != (tt.want == Linearizable) {
				t.Errorf("the twin says otherwise")
			}
		})
	}
}

func TestPeekCases(t *testing.T) {
	queue, stack := func() Algorithm { return new(Queue) }, func() Algorithm { return new(Stack) }
	for _, tt := range []struct {
		name   string
		of     func() Algorithm
		events string
		want   Answer
	}{
		{"the front", queue, "A1 A2 P1 R1 P2", Linearizable},
		{"another", queue, "A1 A2 P2", Violating},
		{"the front, beside a remove", queue, "A1 A2 R1[ P2 R1]", Linearizable},
		{"back to the front before", queue, "A1 A2 R1[ P2 P1 R1]", Violating},
		{"the order of adds that overlap, seen", queue, "A1[ A2[ P1 A1] A2] R2 R1", Violating},
		{"two that stay at the front", queue, "A1[ A2[ P1 P2 A1] A2]", Violating},
		{"a pending add that was seen", queue, "A1[ P1 E", Violating},
		{"seen, with a pending remove that may have taken it", queue, "A1 A2 P1 T P2", Linearizable},
		{"the top", stack, "A1 A2 P2 R2 P1", Linearizable},
		{"another", stack, "A1 A2 P1", Violating},
		{"below, beside the remove of the one above", stack, "A1 A2 P1[ R2 P1] R1", Linearizable},
		{"below while others are in by turns", stack, "A1 A2 P1[ A3[ R2[ A3] R2] P1] R3 R1", Linearizable},
		{"below while another is surely in", stack, "A1 A2 A3 P1[ R3 P1] R2 R1", Violating},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := events(t, tt.events)
			if got, w := tt.of().Decide(c, c.Events); got != tt.want {
				t.Errorf("%v (%v), want %v", got, w, tt.want)
			}
		})
	}
}

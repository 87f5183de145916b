package explore_test

import (
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/explore/internal/callreturn"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// callReturn are the algorithms that are decided by calls and returns alone, without policies, as in
// Fig. 6(b) of "Automated verification of linearization policies".
var callReturn = map[string]struct {
	order callreturn.Order
	adds  string
}{
	treiberStack: {callreturn.LIFO, "push"},
	twoLockQueue: {callreturn.FIFO, "enqueue"},
	michaelScott: {callreturn.FIFO, "enqueue"},
	laggingQueue: {callreturn.FIFO, "enqueue"},
	herlihyWing:  {callreturn.FIFO, "enqueue"},
}

// TestCallReturn compares with sets of configurations.
func TestCallReturn(t *testing.T) {
	t.Parallel()
	at := []explore.Bounds{bounds(2, 2, 2), bounds(3, 1, 2)}
	if testsize.Long() {
		at = append(at, bounds(2, 3, 2))
	}
	for of := range callReturn {
		for _, b := range at {
			t.Run(of+" "+b.String(), func(t *testing.T) {
				t.Parallel()
				o := explore.Options{Dir: folder(of), Bounds: b, Workers: 1}
				o.Type, o.New = constructor(of)
				sameByCallReturn(t, of, o, explore.Holds)
			})
		}
	}
}

// TestCallReturnMutants sees that wrong versions are seen.
func TestCallReturnMutants(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	wrong := 0
	for _, m := range testsize.Some(slices.Concat(herlihyWingMutants, mutants), 24) {
		if _, ok := callReturn[m.of]; !ok {
			continue
		}
		if m.want == explore.Violated {
			wrong++
		}
		t.Run(m.of+" "+m.name, func(t *testing.T) {
			t.Parallel()
			o := explore.Options{Dir: m.write(t), Bounds: bounds(2, 2, 2), Workers: 1}
			o.Type, o.New = constructor(m.of)
			sameByCallReturn(t, m.of, o, m.want)
		})
	}
	if wrong == 0 {
		t.Error("no version that is not linearizable was looked at")
	}
}

// sameByCallReturn explores a queue or a stack by calls and returns, and by sets of configurations.
func sameByCallReturn(t *testing.T, of string, o explore.Options, want explore.Verdict) {
	t.Helper()
	how := callReturn[of]
	if o.Theory = theoryOf(t, of); o.Theory == nil {
		o.Reference, o.Fresh = folder(of), []string{how.adds}
	}
	sets, err := explore.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r, states, err := explore.ByCallReturn(t.Context(), o, how.order)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d states, of the observer %d; with sets of configurations %d", r.Verdict, r.States, states, sets.States)
	if r.Verdict != want || sets.Verdict != want {
		t.Errorf("%s, with sets of configurations %s, want %s", r.Verdict, sets.Verdict, want)
	}
}

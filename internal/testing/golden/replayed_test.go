package golden

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/bag"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/fifo"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/presence"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/tryqueue"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// twins are references with models written by hand, in whose words their methods
// have other names.
var twins = []struct {
	name    string
	spec    reference.Spec
	mayFail []history.Kind
	model   historytest.Model
	words   map[string]string
}{
	{"fifo", reference.Spec{New: func() *fifo.Queue { return new(fifo.Queue) }}, nil,
		historytest.Queue().Model, map[string]string{"enqueue": "add", "dequeue": "remove"}},
	{"presence", reference.Spec{New: presence.NewRoom}, nil,
		historytest.Presence().Model, map[string]string{"enter": "join", "leave": "leave", "isHere": "online"}},
	{"bag", bag.Spec, nil,
		historytest.Bag().Model, map[string]string{"put": "add", "take": "remove"}},
	{"tryqueue", reference.Spec{New: tryqueue.New}, Type{Flags: "--may-fail offer=false --may-fail poll=nil"}.MayFail(),
		givesUp, map[string]string{"offer": "offer", "poll": "poll"}},
}

// givesUp is a queue whose methods may fail at any time.
func givesUp(state string, call *history.Label) []historytest.Way {
	add := *call
	add.Method = map[string]string{"offer": "add", "poll": "remove"}[call.Method]
	ways := historytest.Queue().Model(state, &add)
	if call.Method == "poll" {
		return append(ways, historytest.Way{Outcome: history.Nil, Next: state})
	}
	ways[0].Outcome = history.True
	return append(ways, historytest.Way{Outcome: history.False, Next: state})
}

// TestReplayed compares replaying a reference, and calling it directly, with models
// of the same types.
func TestReplayed(t *testing.T) {
	for _, twin := range twins {
		t.Run(twin.name, func(t *testing.T) {
			t.Parallel()
			impl, err := reference.New(twin.spec)
			if err != nil {
				t.Fatal(err)
			}
			replayed, err := Replay(t.Context(), impl, twin.mayFail...)
			if err != nil {
				t.Fatal(err)
			}
			direct, err := Inside(t.Context(), twin.spec, twin.mayFail...)
			if err != nil {
				t.Fatal(err)
			}
			model := func(state string, call *history.Label) []historytest.Way {
				l := *call
				l.Method = twin.words[l.Method]
				return twin.model(state, &l)
			}
			compareWithModel(t, replayed, model)
			compareWithModel(t, direct, model)
		})
	}
}

// compareWithModel decides random executions.
func compareWithModel(t *testing.T, r *Replayed, model historytest.Model) {
	t.Helper()
	wrong, many := 0, 0
	for seed := range testsize.Samples(1000) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		spoil := seed%2 == 0
		e, err := r.Execution(rnd, spoil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.ShortestViolation(e)
		if err == ErrTooMany {
			many++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if want := model.ShortestViolation(e); got != want || !spoil && got > 0 {
			t.Fatalf("seed %d: violation at event %d, want %d\n%s", seed, got, want, historytest.Text(e))
		}
		if got > 0 {
			wrong++
		}
	}
	if n := int(testsize.Samples(1000)); wrong < n/20 || wrong > n/2 || many > n/20 {
		t.Errorf("%d of %d executions are violations, and %d have too many orders", wrong, n, many)
	}
}

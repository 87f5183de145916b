package counters_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/counters"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/account"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/applog"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/bank"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/bounded"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/clearstack"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/closablequeue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/counter"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/eventbus"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/fencing"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/fifo"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/genericring"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/idalloc"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/idpool"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/kvcas"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/lru"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/maxregister"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/multiset"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/mutex"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/queuelen"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ratelimiter"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ring"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ring8"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/rwlock"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/semaphore"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/setlen"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/stackempty"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/workqueue"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

var update = flag.Bool("update", false, "write testdata/sentences.txt")

// pipe is a queue on which both ends wait.
type pipe struct {
	buffer []int
	most   int
}

func (p *pipe) Send(v int) error {
	if len(p.buffer) == p.most {
		return reference.Blocked
	}
	p.buffer = append(p.buffer, v)
	return nil
}

func (p *pipe) Receive() (int, error) {
	if len(p.buffer) == 0 {
		return 0, reference.Blocked
	}
	v := p.buffer[0]
	p.buffer = p.buffer[1:]
	return v, nil
}

// group is a sync.WaitGroup: it overflows where its sum does.
type group struct{ n int }

func (g *group) Add(d int) {
	if g.n+d < 0 {
		panic("negative counter")
	}
	g.n += d
}

func (g *group) Done()      { g.Add(-1) }
func (g *group) Idle() bool { return g.n == 0 }

// record is the greatest number since the last reset.
type record struct{ best int }

func (r *record) Try(n int) (beaten bool) {
	beaten = n > r.best
	r.best = max(r.best, n)
	return beaten
}

func (r *record) Best() int { return r.best }

func (r *record) Reset() { r.best = 0 }

func of[T, N any](make func(N) T, n N) func() T { return func() T { return make(n) } }

// types are references, most of them of the golden table.
var types = []struct {
	name string
	new  any
}{
	{"counter", func() *counter.Counter { return new(counter.Counter) }},
	{"semaphore 3", of(semaphore.New, 3)},
	{"semaphore 10", of(semaphore.New, 10)},
	{"semaphore 100", of(semaphore.New, 100)},
	{"semaphore 1000", of(semaphore.New, 1000)},
	{"rwlock", func() *rwlock.RWLock { return new(rwlock.RWLock) }},
	{"account", func() *account.Account { return new(account.Account) }},
	{"bank", bank.New},
	{"multiset", multiset.New},
	{"eventbus", func() *eventbus.Bus { return new(eventbus.Bus) }},
	{"idpool", idpool.New},
	{"idalloc", func() *idalloc.Allocator { return new(idalloc.Allocator) }},
	{"applog", func() *applog.Log { return new(applog.Log) }},
	{"queuelen", func() *queuelen.Queue { return new(queuelen.Queue) }},
	{"stackempty", func() *stackempty.Stack { return new(stackempty.Stack) }},
	{"clearstack", func() *clearstack.Stack { return new(clearstack.Stack) }},
	{"closablequeue", func() *closablequeue.Queue { return new(closablequeue.Queue) }},
	{"pipe 2", func() *pipe { return &pipe{most: 2} }},
	{"pipe 128", func() *pipe { return &pipe{most: 128} }},
	{"bounded 2", of(bounded.New, 2)},
	{"bounded 8", of(bounded.New, 8)},
	{"bounded 100", of(bounded.New, 100)},
	{"bounded 128", of(bounded.New, 128)},
	{"ring 16", of(ring.New, 16)},
	{"ring 128", of(genericring.New[string], 128)},
	{"ring8", func() *ring8.Ring { return new(ring8.Ring) }},
	{"ratelimiter", of(ratelimiter.NewLimiter, 3)},
	{"mutex", func() *mutex.Mutex { return new(mutex.Mutex) }},
	{"fencing", func() *fencing.Lock { return new(fencing.Lock) }},
	{"fifo", func() *fifo.Queue { return new(fifo.Queue) }},
	{"kvcas", kvcas.New},
	{"lru", of(lru.New, 2)},
	{"maxregister", func() *maxregister.Max { return new(maxregister.Max) }},
	{"record", func() *record { return new(record) }},
	{"group", func() *group { return new(group) }},
	{"setlen", setlen.New},
	{"workqueue", workqueue.New},
}

// skipped are types that plain runs leave out: others are much like them.
func skipped(i int) bool {
	also := []string{"semaphore 3", "semaphore 10", "semaphore 1000", "pipe 2", "bounded 2", "bounded 100", "bounded 128", "ring 16", "ring8", "fencing", "group", "kvcas", "maxregister", "setlen", "workqueue", "lru"}
	return !testsize.Long() && slices.Contains(also, types[i].name)
}

// find finds the counters of a type, once for all tests.
func find(tb testing.TB, i int) (reference.Implementation, *counters.Found) {
	tb.Helper()
	if foundOf[i].found == nil {
		impl, err := reference.Of(types[i].new)
		if err == nil {
			foundOf[i].impl = impl
			foundOf[i].found, err = counters.Find(tb.Context(), impl)
		}
		if err != nil {
			tb.Fatalf("%s: %v", types[i].name, err)
		}
	}
	return foundOf[i].impl, foundOf[i].found
}

var foundOf = make([]struct {
	impl  reference.Implementation
	found *counters.Found
}, len(types))

// TestFind compares what is found with testdata/sentences.txt.
func TestFind(t *testing.T) {
	const file = "testdata/sentences.txt"
	var got strings.Builder
	for i, typ := range types {
		if skipped(i) && !*update {
			continue
		}
		_, found := find(t, i)
		fmt.Fprintf(&got, "=== %s\n", typ.name)
		if found.Automaton != nil {
			for line := range strings.Lines(found.Automaton.String()) {
				fmt.Fprintln(&got, strings.TrimSpace(line))
			}
		}
		if found.Whole != (found.Automaton != nil && found.Why == "") {
			t.Errorf("%s: whole is %v, and why %q", typ.name, found.Whole, found.Why)
		}
		if found.Why != "" {
			fmt.Fprintln(&got, "--", found.Why)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split(got.String(), "=== ")[1:] {
		if !strings.Contains(string(want)+"=== ", "=== "+section+"=== ") {
			t.Errorf("%s has otherwise:\n%s", file, section)
		}
	}
}

// counting are the types that count, and are compared the most.
var counting = []string{"counter", "semaphore 3", "semaphore 10", "semaphore 100", "rwlock", "account", "bank", "multiset", "queuelen", "stackempty", "bounded 100"}

// TestWords compares automata with references on random words, with large integers,
// too.
func TestWords(t *testing.T) {
	for i, typ := range types {
		if skipped(i) {
			continue
		}
		impl, found := find(t, i)
		if found.Automaton == nil {
			continue
		}
		if err := found.Automaton.Validate(); err != nil {
			t.Errorf("%s: %v", typ.name, err)
		}
		times := uint64(10)
		if slices.Contains(counting, typ.name) {
			times = 1
		}
		ask, r := teacher.New(impl), rand.New(rand.NewPCG(1, uint64(i)))
		for range testsize.Samples(10_000) / times {
			var w []teacher.Call
			for range 30 {
				m := r.IntN(len(impl.Methods()))
				c := teacher.Call{Method: m}
				for p, typ := range impl.Methods()[m].Args {
					v := ask.Value(m, p, 1+r.IntN(3))
					if strings.HasPrefix(typ, "int") {
						v = history.Value(strconv.FormatInt(int64(r.Uint64())>>([]int{63, 62, 61, 60, 56, 32, 1, 0}[r.IntN(8)]), 10))
					}
					c.Args = append(c.Args, v)
				}
				w = append(w, c)
			}
			answers, err := ask.Ask(t.Context(), [][]teacher.Call{w})
			if err != nil {
				t.Fatal(err)
			}
			s := found.Automaton.Start()
			for j, l := range answers[0].Labels {
				var ok bool
				if s, ok = found.Automaton.Step(s, &l); !ok {
					t.Fatalf("%s: the automaton does not answer %v as the last of %v", typ.name, l, answers[0].Labels[:j+1])
				}
			}
			if n := len(answers[0].Labels); answers[0].Blocks {
				c := history.Label{Kind: history.Kind{Method: impl.Methods()[w[n].Method].Name}, Args: w[n].Args}
				if _, ok := found.Automaton.Step(s, &c); ok {
					t.Fatalf("%s: %v waits after %v", typ.name, c, answers[0].Labels)
				}
			}
		}
	}
}

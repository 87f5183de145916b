package counters_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/counters"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/account"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/applog"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/bank"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/bounded"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/clearstack"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/closablequeue"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/counter"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/fencing"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/fifo"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/genericring"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/idalloc"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/kvcas"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/lru"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/multiset"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/mutex"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/queuelen"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/ratelimiter"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/ring"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/ring8"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/rwlock"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/semaphore"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/setlen"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/stackempty"
	"github.com/adtinfer/adtinfer/internal/golden/testdata/types/workqueue"
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
	{"setlen", setlen.New},
	{"workqueue", workqueue.New},
}

func impl(tb testing.TB, constructor any) reference.Implementation {
	tb.Helper()
	impl, err := reference.Of(constructor)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { impl.Close() })
	return impl
}

// TestFind compares what is found with testdata/sentences.txt.
func TestFind(t *testing.T) {
	const file = "testdata/sentences.txt"
	var got strings.Builder
	for _, typ := range types {
		found, err := counters.Find(t.Context(), impl(t, typ.new))
		if err != nil {
			t.Fatalf("%s: %v", typ.name, err)
		}
		fmt.Fprintf(&got, "=== %s\n", typ.name)
		if found.Automaton != nil {
			for _, line := range counters.Sentences(found.Automaton) {
				fmt.Fprintln(&got, line)
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
	if got.String() != string(want) {
		t.Errorf("found:\n%s\nwant %s", got.String(), file)
	}
}

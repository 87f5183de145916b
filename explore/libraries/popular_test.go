package libraries

import (
	"strings"
	"testing"

	// The packages below, as they are.
	_ "github.com/allegro/bigcache/v3"
	_ "github.com/alphadose/haxmap"
	_ "github.com/bits-and-blooms/bloom/v3"
	_ "github.com/bluele/gcache"
	_ "github.com/emirpasic/gods/v2/lists/arraylist"
	_ "github.com/gammazero/deque"
	_ "github.com/gammazero/workerpool"
	_ "github.com/golang/groupcache/lru"
	_ "github.com/golang/groupcache/singleflight"
	_ "github.com/google/btree"
	_ "github.com/hashicorp/golang-lru/v2/expirable"
	_ "github.com/jackc/puddle/v2"
	_ "github.com/jellydator/ttlcache/v3"
	_ "github.com/patrickmn/go-cache"
	_ "github.com/sony/gobreaker"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sync/semaphore"
	_ "golang.org/x/sync/singleflight"
	_ "golang.org/x/time/rate"

	"github.com/adtinfer/adtinfer/explore"
)

const (
	aBigCache = `func() *BigCache { c, _ := New(context.Background(), Config{Shards: 1, LifeWindow: time.Second, MaxEntriesInWindow: 2, MaxEntrySize: 8, Hasher: newDefaultHasher()}); return c }()`
	aPuddle   = `NewPool(&Config[int]{Constructor: func(context.Context) (int, error) { return 1, nil }, Destructor: func(int) {}, MaxSize: 1})`
)

// popular is what comes out of packages as they are, without a harness.
var popular = []struct {
	path, typ, new    string
	only, skip, loose string
	at                explore.Bounds
	want              explore.Verdict
	text              string // of the result
}{
	{path: "github.com/patrickmn/go-cache", typ: "Cache", new: "New(0, 0)", at: bounds(2, 1, 1), want: explore.Holds, text: "41 operations"},
	{path: "github.com/patrickmn/go-cache", typ: "Cache", new: "New(time.Minute, time.Minute)", only: "SetDefault,Get,Delete", at: bounds(2, 2, 1), want: explore.Holds},
	{path: "github.com/puzpuzpuz/xsync/v4", typ: "Map", new: "NewMap[int, int]()", loose: "Size,Stats", at: bounds(2, 1, 1), want: explore.Holds},
	{path: "github.com/puzpuzpuz/xsync/v4", typ: "Counter", at: bounds(2, 1, 1), want: explore.Holds},
	{path: "github.com/hashicorp/golang-lru/v2", typ: "Cache", new: "New[int, int](2)", at: bounds(2, 2, 1), want: explore.Holds},
	{path: "github.com/hashicorp/golang-lru/v2", typ: "TwoQueueCache", new: "New2Q[int, int](2)", at: bounds(2, 1, 1), want: explore.Holds},
	{path: "github.com/hashicorp/golang-lru/v2/expirable", typ: "LRU", new: "NewLRU[int, int](2, nil, 0)", at: bounds(2, 1, 1), want: explore.Holds},
	{path: "github.com/orcaman/concurrent-map/v2", typ: "ConcurrentMap", new: "func() ConcurrentMap[string, int] { SHARD_COUNT = 2; return New[int]() }()",
		only: "Set,SetIfAbsent,Get,Remove,Pop,Has", at: bounds(2, 2, 1), want: explore.Holds},
	{path: "golang.org/x/sync/semaphore", typ: "Weighted", new: "NewWeighted(1)", at: bounds(2, 1, 1), want: explore.Holds},
	{path: "golang.org/x/time/rate", typ: "Limiter", new: "NewLimiter(1, 1)", at: bounds(2, 1, 1), want: explore.Holds},
	{path: "github.com/gammazero/workerpool", typ: "WorkerPool", new: "New(2)", only: "Submit,SubmitWait,Size", at: bounds(2, 1, 2), want: explore.Holds,
		text: "callbacks do not panic"},
	{path: "github.com/bluele/gcache", new: "New(2).LRU().Build()", at: bounds(2, 1, 1), want: explore.Holds},
	{path: "github.com/sony/gobreaker", typ: "CircuitBreaker", new: "NewCircuitBreaker(Settings{})", loose: "Counts", at: bounds(2, 2, 2), want: explore.Holds},
	{path: "github.com/jellydator/ttlcache/v3", typ: "Cache", new: "New[int, int]()", only: "Set,Get,Delete,Len", at: bounds(2, 1, 1), want: explore.Holds},

	// Who shares a call does not make one: that is what it is for. A panic is for ever in the older version.
	{path: "golang.org/x/sync/singleflight", typ: "Group", only: "Do", loose: "Do", at: bounds(2, 2, 1), want: explore.Holds},
	{path: "golang.org/x/sync/singleflight", typ: "Group", only: "Do", at: bounds(2, 1, 1), want: explore.Violated, text: "ran:0"},
	{path: "github.com/golang/groupcache/singleflight", typ: "Group", at: bounds(1, 2, 2), want: explore.Deadlocked, text: "do(a, panicking)"},

	// A statistic is reset as a whole, and read word by word.
	{path: "github.com/allegro/bigcache/v3", typ: "BigCache", new: aBigCache, at: bounds(2, 1, 1), want: explore.Racy, text: "(*BigCache).ResetStats"},
	{path: "github.com/allegro/bigcache/v3", typ: "BigCache", new: aBigCache, only: "Set,Get,Delete", at: bounds(2, 1, 1), want: explore.Holds},
	// Close waits for what TryAcquire makes in the background, which nobody destroys.
	{path: "github.com/jackc/puddle/v2", typ: "Pool", new: aPuddle, only: "TryAcquire,Close", at: bounds(2, 1, 1), want: explore.Deadlocked, text: "pool.go:180"},
	{path: "github.com/jackc/puddle/v2", typ: "Pool", new: aPuddle, only: "TryAcquire,Acquire", at: bounds(2, 1, 1), want: explore.Violated},

	// Both say that they stored the value.
	{path: "github.com/alphadose/haxmap", typ: "Map", new: "New[int, int](2)", only: "GetOrSet", at: bounds(2, 1, 1), want: explore.Violated, text: "getOrSet(1, 1) => 1 would fit"},
	{path: "github.com/alphadose/haxmap", typ: "Map", new: "New[int, int](2)", only: "Get,Set", at: bounds(2, 2, 1), want: explore.Holds},

	// They are for one goroutine, and the documents say so.
	{path: "github.com/golang/groupcache/lru", typ: "Cache", new: "New(2)", at: bounds(2, 1, 1), want: explore.Racy},
	{path: "github.com/google/btree", typ: "BTreeG", new: "NewOrderedG[int](2)", at: bounds(2, 1, 1), want: explore.Racy},
	{path: "github.com/emirpasic/gods/v2/lists/arraylist", typ: "List", new: "New[int]()", at: bounds(2, 1, 1), want: explore.Racy},
	{path: "github.com/gammazero/deque", typ: "Deque", new: "&Deque[int]{}", at: bounds(2, 1, 1), want: explore.Racy},
	{path: "github.com/bits-and-blooms/bloom/v3", typ: "BloomFilter", new: "New(8, 2)", at: bounds(2, 1, 1), want: explore.Racy},
	{path: "golang.org/x/sync/errgroup", typ: "Group", at: bounds(2, 1, 1), want: explore.Racy},
}

func TestPopular(t *testing.T) {
	split := func(names string) []string {
		if names == "" {
			return nil
		}
		return strings.Split(names, ",")
	}
	for _, p := range popular {
		t.Run(p.path[strings.IndexByte(p.path, '/')+1:]+" "+p.only, func(t *testing.T) {
			t.Parallel()
			o := explore.Options{Dir: p.path, Type: p.typ, New: p.new, Only: split(p.only), Skip: split(p.skip), Loose: split(p.loose), Bounds: p.at, Workers: 1}
			r, err := explore.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != p.want || !strings.Contains(r.Text(), p.text) {
				t.Errorf("%s, want %s and %q:\n%s", r.Verdict, p.want, p.text, r.Text())
			}
		})
	}
}

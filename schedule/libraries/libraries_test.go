package libraries

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/schedule"
)

func toolchain(t *testing.T) *schedule.Toolchain {
	t.Helper()
	tool, err := schedule.NewToolchain(t.Context(), ".")
	if errors.Is(err, schedule.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// findings are what docs/findings.md lists, by the tests that prove them.
var findings = []struct {
	folder, test string
	want         schedule.Verdict
	says         string
}{
	{"proofs", "TestRistrettoClose", schedule.Panicked, "send on closed channel"},
	{"proofs", "TestRistrettoCloseTwice", schedule.Panicked, "closed channel"},
	{"proofs", "TestSetUnion", schedule.Deadlock, "RLock at threadsafe.go:141"},
	{"proofs", "TestTTLCacheStop", schedule.Failed, "Start still runs"},
	{"proofs", "TestPubSubShutdown", schedule.Deadlock, "chan send at pubsub.go:67"},
	{"proofs", "TestResizableClose", schedule.Panicked, "send on closed channel"},
	{"proofs", "TestPondCompleted", schedule.Failed, "0 are completed"},
	{"proofs", "TestHaxmapDelete", schedule.Failed, "both got and deleted"},
	{"proofs", "TestHaxmapInsert", schedule.Failed, "2 was inserted, and is not there"},
	{"proofs", "TestHaxmapGrow", schedule.Failed, "both inserted 6"},
	{"proofs", "TestHaxmapCompute", schedule.Failed, "computed 2 times"},
	{"proofs", "TestHaxmapOldValue", schedule.Failed, "7, and not there"},
	{"proofs", "TestSingleflightPanic", schedule.Deadlock, "singleflight.go"},
	{"raced", "TestSharedBufferLen", schedule.Race, "shared_buffer.go:162"},
	{"raced", "TestAntsReboot", schedule.Race, "ants.go:500"},
}

func TestFindings(t *testing.T) {
	tool := toolchain(t)
	programs := map[string]*schedule.Program{}
	for _, f := range findings {
		race := f.folder == "raced"
		if race && testing.Short() {
			continue // compiles the standard library once more
		}
		p := programs[f.folder]
		if p == nil {
			all, err := tool.Build(t.Context(), ".", []string{"./testdata/" + f.folder}, schedule.BuildOptions{Race: race, Deps: true, Out: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			p = all[0]
			programs[f.folder] = p
		}
		t.Run(f.test, func(t *testing.T) {
			r, err := p.Run(t.Context(), f.test, schedule.Budget{Schedules: 20_000})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != f.want || !strings.Contains(r.Failure.Message, f.says) {
				t.Fatalf("%s %s %+v; want %s: %s", r.Verdict, r.Why, r.Failure, f.want, f.says)
			}
			t.Logf("schedule %d: %s", r.Failure.Number, r.Failure.Message)
			if r.Failure.Free {
				return // there is nothing to make again
			}
			x, err := schedule.ParseReplay(r.Failure.Replay)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := p.Replay(t.Context(), x, nil); err != nil || again.Verdict != f.want {
				t.Errorf("again: %+v %v", again, err)
			}
		})
	}
}

// modules are those whose own tests run, with the tests that fail and why; docs/test-modules.md has the counts.
var modules = []struct {
	packages string
	failing  map[string]string
}{
	{"github.com/patrickmn/go-cache", nil},
	{"github.com/hashicorp/golang-lru/v2/...", nil},
	{"github.com/puzpuzpuz/xsync/v4", nil},
	{"github.com/panjf2000/ants/v2/...", nil},
	{"github.com/jackc/puddle/v2/...", nil},
	{"github.com/dgraph-io/ristretto/v2/...", map[string]string{
		"TestCacheProcessItems": sleeps, "TestCacheSet": sleeps, "TestCacheSetWithTTL": sleeps, "TestCacheGetTTL": sleeps,
		"TestCacheClear": sleeps, "TestCacheMetrics": sleeps,
	}},
	{"github.com/allegro/bigcache/v3/...", nil},
	{"github.com/coocood/freecache", nil},
	{"github.com/alphadose/haxmap", nil},
	{"github.com/orcaman/concurrent-map/v2", nil},
}

const sleeps = "flaky by itself: it sleeps for 10 ms and expects that another goroutine is done then"

func TestModules(t *testing.T) {
	if !testsize.Long() {
		t.Skip("takes minutes")
	}
	tool := toolchain(t)
	for _, m := range modules {
		t.Run(m.packages, func(t *testing.T) {
			programs, err := tool.Build(t.Context(), ".", []string{m.packages}, schedule.BuildOptions{Deps: true, Out: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			counts, all := map[schedule.Verdict]int{}, 0
			for _, p := range programs {
				tests, err := p.Tests(t.Context(), "")
				if err != nil {
					t.Fatal(err)
				}
				for _, test := range tests {
					r, err := p.Run(t.Context(), test, schedule.Budget{Schedules: 30})
					if err != nil {
						t.Fatal(err)
					}
					counts[r.Verdict]++
					all++
					switch {
					case r.Verdict == schedule.Undecided:
						t.Logf("%s: %s", test, r.Why)
					case r.Verdict.Failing() && m.failing[test] == "":
						t.Errorf("%s: %s: %s", test, r.Verdict, r.Failure.Message)
					case r.Verdict.Failing():
						t.Logf("%s: %s: %s (%s)", test, r.Verdict, r.Failure.Message, m.failing[test])
					}
				}
			}
			t.Log(counts)
			if good := counts[schedule.Passed] + counts[schedule.Undecided]; good*100 < all*95 {
				t.Errorf("%d of %d tests pass or are undecided", good, all)
			}
		})
	}
}

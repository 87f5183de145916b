package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func sourceOf(r io.Reader) check.Source {
	return check.Source{Name: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

func follow(b *logBatch, src string) check.Report {
	return b.Follow(context.Background(), sourceOf(strings.NewReader(src)), &check.Progress{})
}

// Followed, an execution has the verdict that its engine gives; a violation
// ends at its shortest prefix or, where propagation notices it, later.
func TestFollowAgrees(t *testing.T) {
	count := testsize.Samples(200)
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			b, symbolic := batchOf(t, th, by{}), ready(t, by{Engine: "symbolic"}, th)
			verdicts := map[check.Verdict]int{}
			for seed := range count {
				r := rand.New(rand.NewPCG(seed, 91))
				e := s.Execution(r, 2+r.IntN(9), 1+r.IntN(4), 5)
				var log strings.Builder
				if err := history.WriteText(&log, e); err != nil {
					t.Fatal(err)
				}
				want, wantErr := symbolic.Check(t.Context(), th, e)
				b.Keep(0)
				kept := follow(b, log.String())
				b.Keep(1)
				got := follow(b, log.String())
				if wantErr != nil {
					if kept.Err == nil && kept.Result.Verdict != check.Violation { // before what is wrong
						t.Fatalf("seed %d: %+v, symbolic says %v\n%s", seed, kept.Result, wantErr, log.String())
					}
					continue
				}
				if want.Verdict == check.Inconclusive {
					continue
				}
				if outside := (*monitor.OutsideClass)(nil); s.name == "set" && errors.As(got.Err, &outside) {
					verdicts["outside"]++ // and the events before, which symbolic would need, are gone
					continue
				}
				verdicts[got.Result.Verdict]++
				known := want.Detail == "" // where the violation begins
				if kept.Err != nil || kept.Result.Verdict != want.Verdict || known && kept.Result.Prefix != want.Prefix {
					t.Fatalf("seed %d: %+v, %v, symbolic says %+v\n%s", seed, kept.Result, kept.Err, want, log.String())
				}
				late := strings.HasSuffix(got.Result.Engine, "saturate")
				right := got.Result.Verdict == want.Verdict && (!known || got.Result.Prefix == want.Prefix)
				if late {
					right = (got.Result.Verdict == check.Violation) == (want.Verdict == check.Violation) && (!known || got.Result.Prefix >= want.Prefix)
				}
				if got.Err != nil || !right {
					t.Fatalf("seed %d: %+v, %v, symbolic says %+v\n%s", seed, got.Result, got.Err, want, log.String())
				}
			}
			t.Log(verdicts)
			if verdicts[check.Violation] == 0 || len(verdicts) < 2 || verdicts["outside"] > int(count)/10 {
				t.Error("the executions are all alike")
			}
		})
	}
}

// queueLog writes a log of a queue with n operations that overlap, in which one
// value is lost if broken is less than that.
func queueLog(w io.Writer, n, broken int) {
	for i := range n / 2 {
		v := i
		if 2*i >= broken && 2*i < broken+2 {
			v = i + 1
		}
		fmt.Fprintf(w, "[%d] call add(%d)\n[%d] call remove\n[%d] return\n[%d] return %d\n", 2*i+1, i, 2*i+2, 2*i+1, 2*i+2, v)
	}
}

// Only what is live is kept of a long log. A log of a queue with one value at a
// time is that of a stack, too.
func TestFollowLong(t *testing.T) {
	for _, source := range []source{queue, stack} {
		followLong(t, batchOf(t, build(t, source), by{}))
	}
}

func followLong(t *testing.T, b *logBatch) {
	t.Helper()
	n := int(testsize.Samples(100_000))
	for _, broken := range []int{n, n - n/10} {
		var p check.Progress
		r, w := io.Pipe()
		go func() { queueLog(w, n, broken); w.Close() }()
		got := b.Follow(context.Background(), sourceOf(r), &p)
		r.Close()
		want := check.Linearizable
		if broken < n {
			want = check.Violation
		}
		if got.Err != nil || got.Result.Verdict != want || got.Result.Engine != "auto: monitor" || want == check.Violation && got.Result.Prefix != 2*broken+4 {
			t.Errorf("broken at %d: %+v, %v", broken, got.Result, got.Err)
		}
		if p.Live.Load() > 100 || p.Events.Load() < int64(2*broken) {
			t.Errorf("%d events, %d live", p.Events.Load(), p.Live.Load())
		}
	}
}

// The reason for a violation of a long log that is followed is that of the log as a whole:
// of the operations that the procedure blames.
func TestFollowExplains(t *testing.T) {
	b := batchOf(t, build(t, queue), by{Explain: true})
	for _, n := range []int{4_000, 12_000} {
		var log strings.Builder
		for i := range n / 2 {
			if i%25 == 0 {
				fmt.Fprintf(&log, "[r%d] call remove\n[a%d] call add(a%d)\n", i, i, i) // and never return
			}
			v := i
			if i == n/2-n/20 {
				v-- // twice
			}
			fmt.Fprintf(&log, "[%d] call add(%d)\n[%d] call remove\n[%d] return\n[%d] return %d\n", 2*i+1, i, 2*i+2, 2*i+1, 2*i+2, v)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := follow(b, log.String())
		runtime.ReadMemStats(&after)
		if r.Err != nil || r.Explanation == nil || r.Explanation.Prefix != r.Result.Prefix {
			t.Fatalf("%+v", r)
		}
		b.Direct(1)
		var whole check.Report
		if err := b.Run(t.Context(), []check.Source{sourceOf(strings.NewReader(log.String()))}, func(r check.Report) { whole = r }); err != nil {
			t.Fatal(err)
		}
		b.Direct(0)
		if whole.Explanation == nil || historytest.Text(whole.Explanation.Execution) != historytest.Text(r.Explanation.Execution) {
			t.Errorf("%d operations: %+v, the whole has %+v", n, r.Explanation, whole.Explanation)
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<29 {
			t.Errorf("%d bytes are allocated for %d operations", bytes, n)
		}
	}
}

// A violation is reported although the log goes on, and nobody waits for it.
func TestFollowAtOnce(t *testing.T) {
	for _, e := range []checking{by{}, by{Engine: "monitor"}, by{Engine: "saturate"}} {
		r, w := io.Pipe() // stays open
		go io.WriteString(w, "[1] call add(1)\n[1] return\n[2] call remove\n[2] return 5\n")
		got := batchOf(t, build(t, queue), e).Follow(context.Background(), sourceOf(r), &check.Progress{})
		r.Close()
		if got.Err != nil || got.Result.Verdict != check.Violation || got.Result.Prefix != 4 {
			t.Errorf("%s: %+v, %v", e.Name(), got.Result, got.Err)
		}
	}
}

// until is a log that ends with its context.
type until struct {
	ctx context.Context
	io.Reader
}

func (u until) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if err == io.EOF {
		<-u.ctx.Done()
		return n, u.ctx.Err()
	}
	return n, err
}

func TestFollowInterrupted(t *testing.T) {
	for name, want := range map[string]check.Verdict{"auto": check.Linearizable, "saturate": check.NoViolationFound, "symbolic": check.Inconclusive} {
		engine := by{Engine: name}
		ctx, cancel := context.WithCancel(context.Background())
		var p check.Progress
		go func() {
			for p.Events.Load() < 400 {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		var log bytes.Buffer
		queueLog(&log, 200, 200)
		got := batchOf(t, build(t, queue), engine).Follow(ctx, sourceOf(until{ctx, &log}), &p)
		if got.Err != nil || got.Result.Verdict != want || !strings.HasPrefix(got.Result.Detail, "interrupted after 400 events") {
			t.Errorf("%s: %+v, %v", engine.Name(), got.Result, got.Err)
		}
	}
}

func TestCanFollow(t *testing.T) {
	for name, want := range map[string]string{
		"auto": "<nil>", "saturate": "<nil>", "monitor": "<nil>", "symbolic": "check: engine symbolic needs the whole log of theory queue",
	} {
		engine := by{Engine: name}
		if got := fmt.Sprint(batchOf(t, build(t, queue), engine).CanFollow(context.Background())); got != want {
			t.Errorf("%s: got %s want %s", engine.Name(), got, want)
		}
	}
}

func TestFollowBadLogs(t *testing.T) {
	const start = "[1] call add(1)\n[1] return\n"
	b := batchOf(t, build(t, queue), by{})
	for _, tt := range []struct{ name, src, want string }{
		{"middle of a line", start + "[2] call remove\n[2] return 1", "x:4:13: the log ends in the middle of this line; no violation was found in the 3 events before"},
		{"unknown method", start + "[2] call ad(2)\n", `x:3:10: unknown method "ad"; did you mean "add"?; no violation was found in the 2 events before`},
		{"called twice", start + "[1] call add(2)\n", "x:3:1: operation 1 is called twice; the first call is on line 1"},
		{"garbage", start + "\x00\x01\xff\n", "x:3:1: the line is not UTF-8 text"},
		{"language", start + "[2] call add(1)\n", "check: the execution is outside the theory's language"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if r := follow(b, tt.src); r.Err == nil || !strings.HasPrefix(r.Err.Error(), tt.want) {
				t.Errorf("%+v, %v; want %s", r.Result, r.Err, tt.want)
			}
		})
	}
	b.Keep(1)
	for src, want := range map[string]string{"[2] call add(1)\n": "[2] add(1)* at x:3:1 breaks the rule rule-1", "[1] call remove\n": "operation 1 is called twice"} {
		if r := follow(b, start+src); r.Err == nil || !strings.Contains(r.Err.Error(), want+"; no violation was found in the 2 events before") {
			t.Errorf("%+v, %v", r.Result, r.Err)
		}
	}
}

func TestFollowBinary(t *testing.T) {
	var log bytes.Buffer
	if err := history.NewReader(strings.NewReader("[1] call remove\n[1] return -\n"), "x").Convert(t.Context(), &log, history.Binary); err != nil {
		t.Fatal(err)
	}
	var end binlog.Appender
	log.Truncate(log.Len() - len(end.End(nil, false, 0)))
	b := batchOf(t, build(t, queue), by{})
	if r := follow(b, log.String()); r.Err != nil || r.Result.Verdict != check.Inconclusive || !strings.Contains(r.Result.Detail, "no violation in what is there; the log was not closed: its tail is missing") {
		t.Errorf("%+v, %v", r.Result, r.Err)
	}
}

// A procedure that was chosen by somebody else is not replaced by the theory's.
func TestFollowSelected(t *testing.T) {
	th := byHand(t, "bag")
	const log = "[1] call add(1)\n[1] return\n[2] call add(2)\n[2] return\n[3] call remove\n[3] return 1\n"
	b := batchOf(t, th, by{Engine: "monitor", Model: "priority-queue"})
	for _, keep := range []int{0, 1} {
		b.Keep(keep)
		if r := follow(b, log); r.Err != nil || r.Result.Verdict != check.Violation {
			t.Errorf("keeping %d: %+v, %v", keep, r.Result, r.Err)
		}
	}
}

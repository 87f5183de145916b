package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// A binary log that is cut or damaged has the verdict of the whole log, or is
// inconclusive, or cannot be read: at once, as it comes, and by every engine that
// reads logs in its own way.
func TestDamagedLogs(t *testing.T) {
	damages := testsize.Samples(1_000)
	if testsize.Nightly() {
		damages = 100_000
	}
	verdicts := map[string]int{}
	each := damages / uint64(len(subjects))
	for i := range subjects {
		s := &subjects[i]
		d := damaged{t, batchOf(t, build(t, s.source), by{}), verdicts}
		for seed := range each/20 + 1 {
			r := rand.New(rand.NewPCG(seed, 19))
			log := blocks(t, r, s.Execution(r, 3+r.IntN(10), 1+r.IntN(4), 4))
			whole := reportOf(t, d.logBatch, string(log))
			if whole.Err != nil || whole.Result.Verdict == check.Inconclusive {
				continue
			}
			for range 20 {
				bad, how := historytest.Damage(r, log)
				d.compare(whole, bad, how, seed%2 == 0)
			}
			if seed%20 == 0 {
				for n := range log {
					d.compare(whole, log[:n], fmt.Sprintf("cut to %d of %d bytes", n, len(log)), false)
				}
			}
		}
	}
	t.Log(verdicts)
	if verdicts["violation"] == 0 || verdicts["inconclusive"] == 0 || verdicts["error"] == 0 {
		t.Errorf("one-sided: %v", verdicts)
	}
}

// damaged compares logs with the whole ones that they were.
type damaged struct {
	*testing.T
	*logBatch
	verdicts map[string]int
}

func (d *damaged) compare(whole check.Report, log []byte, how string, one bool) {
	d.Helper()
	reports := map[string]check.Report{"read": reportOf(d.T, d.logBatch, string(log))}
	if one {
		reports["followed"] = follow(d.logBatch, string(log))
	}
	for way, r := range reports {
		v := string(r.Result.Verdict)
		switch {
		case r.Err != nil:
			v = "error"
		case r.Result.Verdict == check.Violation && whole.Result.Verdict == check.Violation && r.Result.Prefix == whole.Result.Prefix:
		case r.Result.Verdict != check.Inconclusive:
			d.Fatalf("%s, %s: %+v; the whole log: %+v", how, way, r.Result, whole.Result)
		}
		d.verdicts[v]++
	}
}

// blocks is an execution as a binary log with several blocks of entries, of which
// its processes are those that must have been.
func blocks(t *testing.T, r *rand.Rand, e *history.Execution) []byte {
	t.Helper()
	var a binlog.Appender
	log := a.Begin(nil)
	add := func(kind byte, contents []byte) {
		var err error
		if log, err = a.Block(log, kind, contents); err != nil {
			t.Fatal(err)
		}
	}
	number := func(kind byte, of map[string]int, text string) int {
		if _, ok := of[text]; !ok {
			of[text] = len(of)
			add(kind, []byte(text))
		}
		return of[text]
	}
	names, texts, processes := map[string]int{}, map[string]int{}, map[string]int{}
	running := map[int]bool{}
	process := make([]int, len(e.Ops))
	var block []byte
	for at := range e.Events {
		i := slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.Call == at || o.Return == at })
		o := &e.Ops[i]
		kind, name, values := uint8(binlog.ReturnEntry), string(o.Outcome), o.Rets
		if o.Call == at {
			kind, name, values = binlog.CallEntry, o.Method, o.Args
			for process[i] = 0; running[process[i]]; process[i]++ {
			}
		}
		running[process[i]] = o.Call == at
		x := binlog.Entry{Seq: uint64(at + 1), ID: uint16(number(binlog.NameBlock, names, name)), Kind: kind | uint8(len(values))<<4}
		x.Proc = uint32(number(binlog.ProcessBlock, processes, strconv.Itoa(process[i])))
		for k, v := range values {
			x.Types |= binlog.TextValue << (4 * k)
			x.Vals[k] = uint64(number(binlog.TextBlock, texts, string(v)))
		}
		var b [binlog.EntrySize]byte
		x.Encode(b[:])
		if block = append(block, b[:]...); r.IntN(4) == 0 {
			add(binlog.EntryBlock, block)
			block = nil
		}
	}
	add(binlog.EntryBlock, block)
	return a.End(log, false, 0)
}

// A log without events says nothing, in any format, and has no evidence.
func TestEmptyLogs(t *testing.T) {
	var empty binlog.Appender
	for _, e := range []checking{by{}, by{Engine: "symbolic"}, by{Engine: "saturate", KeepMatches: true}, by{Engine: "monitor"}} {
		b := batchOf(t, build(t, queue), e)
		b.o.Witness = true
		for name, log := range map[string]string{"nothing": "", "comment": "# @object queue\n", "JSON Lines": "{\"object\":\"queue\"}\n", "binary": string(empty.End(empty.Begin(nil), false, 0))} {
			for way, r := range map[string]check.Report{"read": reportOf(t, b, log), "followed": follow(b, log)} {
				if r.Err != nil || r.Result.Verdict != check.Inconclusive || r.Result.Detail != "the log has no events" || r.Evidence != nil || r.Unproved == "" {
					t.Errorf("%s, %s: %+v, %v", name, way, r, r.Err)
				}
			}
		}
	}
}

// A log whose tail is missing is not shown to be linearizable.
func TestNoEvidenceWithoutTail(t *testing.T) {
	log := blocks(t, rand.New(rand.NewPCG(1, 1)), historytest.Log(t, build(t, queue), "[1] call add(1)", "[1] return"))
	b := batchOf(t, build(t, queue), by{})
	b.o.Witness = true
	if r := reportOf(t, b, string(log)); r.Evidence == nil {
		t.Fatalf("the whole log: %+v, %v", r, r.Err)
	}
	if r := reportOf(t, b, string(log[:len(log)-1])); r.Evidence != nil || !strings.Contains(r.Unproved, "its tail is missing") {
		t.Errorf("cut: %+v, %v", r, r.Err)
	}
}

package record

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/adtinfer/adtinfer/check"
)

// disk has room for so many bytes, and counts files.
type disk struct {
	room       int64
	files, all atomic.Int64 // there, and ever made
}

func (d *disk) create() (spillFile, error) {
	if d.room <= 0 {
		return nil, syscall.ENOSPC
	}
	f, err := newTempFile()
	d.files.Add(1)
	d.all.Add(1)
	return onDisk{f, d}, err
}

type onDisk struct {
	spillFile
	disk *disk
}

func (f onDisk) Write(b []byte) (int, error) {
	n := min(f.disk.room, int64(len(b)))
	f.disk.room -= n
	if n < int64(len(b)) {
		m, _ := f.spillFile.Write(b[:n])
		return m, syscall.ENOSPC
	}
	return f.spillFile.Write(b)
}

func (f onDisk) Close() error {
	f.disk.files.Add(-1)
	return f.spillFile.Close()
}

// watched is a recorder of counters that is watched and spills to a disk.
func watched(t *testing.T, limit int, d *disk, found func(Result)) (*Recorder, *Watcher) {
	t.Helper()
	rec := New(Options{Limit: limit, Policy: Spill})
	rec.newSpillFile = d.create
	w, err := Watch(rec, Config[int64]{Spec: counterSpec{}}, WatchOptions{OnViolation: found})
	if err != nil {
		t.Fatal(err)
	}
	return rec, w
}

func count(rec *Recorder, h *Handle, answer int) {
	h.Call(rec.Method("next"))
	h.Commit()
	h.Return(Some, Int(answer))
}

// When the disk is full the recording ends: memory stays within the limit, and the
// result says why, and is that of the log before.
func TestSpillOnFullDisk(t *testing.T) {
	const limit = 8 * chunkSize
	for _, wrong := range []bool{false, true} {
		var told atomic.Bool
		rec, w := watched(t, limit, &disk{room: 100_000}, func(Result) { told.Store(true) })
		h := rec.Handle("p")
		for i := range 1_000 { // 96,000 bytes
			answer := i
			if wrong && i == 500 {
				answer = 7
			}
			count(rec, h, answer)
		}
		for w.Lag() > 0 && !told.Load() {
			runtime.Gosched()
		}
		n := 1_000
		for full := false; !full; n++ { // the watcher ends by itself
			count(rec, h, n)
			select {
			case <-w.stopped:
				full = true
			default:
			}
		}
		before := rec.used
		for range 100_000 {
			count(rec, h, n)
			n++
		}
		if most := max(before, limit/chunkSize) + 2; rec.used > most {
			t.Errorf("%d chunks are in memory; there were %d, and the limit is %d", rec.used, before, limit/chunkSize)
		}
		r, err := w.Stop(context.Background())
		want := check.Inconclusive
		if wrong {
			want = check.Violation
		}
		if err != nil || r.Verdict != want || !strings.Contains(r.Detail, "entries were dropped: spilling entries: no space left on device") {
			t.Errorf("wrong %t: %v, %v", wrong, r, err)
		}
		if !wrong && r.Commits < 1_000 {
			t.Errorf("only %d commits were checked", r.Commits)
		}
	}
	rec := New(Options{Limit: limit, Policy: Spill})
	rec.newSpillFile = (&disk{}).create
	if _, err := Watch(rec, Config[int64]{Spec: counterSpec{}}, WatchOptions{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("no file at all: %v", err)
	}
}

// What was read is no longer on the disk.
func TestSpillIsTrimmed(t *testing.T) {
	d := &disk{room: 1 << 40}
	rec, w := watched(t, 8*chunkSize, d, nil)
	h := rec.Handle("p")
	n := 0
	for range 5 {
		for range partSize / (3 * 32) {
			count(rec, h, n)
			n++
		}
		for w.Lag() > 0 {
			runtime.Gosched()
		}
		if files := d.files.Load(); files > 2 {
			t.Errorf("%d files are there, of %d", files, d.all.Load())
		}
	}
	if d.all.Load() < 3 {
		t.Errorf("only %d files were written", d.all.Load())
	}
	r, err := w.Stop(context.Background())
	if err != nil || r.Verdict != check.Linearizable || r.Commits != n {
		t.Errorf("%v after %d commits of %d, %v", r, r.Commits, n, err)
	}
	if d.files.Load() != 0 {
		t.Errorf("%d files are left", d.files.Load())
	}
}

// A goroutine for each request takes a handle and gives it back: there is memory for
// those that run at once.
func TestHandlePerRequest(t *testing.T) {
	for _, limit := range []int{0, 64 * chunkSize} {
		rec := New(Options{Limit: limit})
		w, err := Watch(rec, Config[int64]{Spec: counterSpec{}}, WatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		const requests, atOnce = 20_000, 8
		var mu sync.Mutex
		var wg sync.WaitGroup
		slots, next := make(chan bool, atOnce), 0
		for range requests {
			slots <- true
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer func() { <-slots }()
				h := rec.Handle("request")
				defer h.Close()
				h.Call(rec.Method("next"))
				mu.Lock()
				answer := next
				next++
				h.Commit()
				mu.Unlock()
				h.Return(Some, Int(answer))
			}()
		}
		wg.Wait()
		if len(rec.lanes) > atOnce || len(rec.procs) > atOnce {
			t.Errorf("%d lanes and %d processes for %d handles at once", len(rec.lanes), len(rec.procs), atOnce)
		}
		r, err := w.Stop(context.Background())
		if err != nil || r.Verdict != check.Linearizable || r.Commits != requests {
			t.Errorf("%v after %d commits, %v", r, r.Commits, err)
		}
	}
}

// Whether handles are closed and opened in between is not to be seen in a log,
// except where an operation had not returned: then it stays pending.
func TestCloseIsNotSeen(t *testing.T) {
	record := func(closes func(step int) bool) *Log {
		rec := New(Options{})
		hs := map[int]*Handle{}
		for step := range 5_000 {
			p := step * 7 % 3
			if hs[p] == nil {
				hs[p] = rec.Handle(fmt.Sprint("p", p))
			}
			push(rec, hs[p], step)
			if closes(step) {
				hs[p].Close()
				hs[p].Close()
				hs[p] = nil
			}
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	want := texts(t, record(func(int) bool { return false }))
	for _, every := range []int{1, 2, 5, 1000} {
		if got := texts(t, record(func(step int) bool { return step%every == 0 })); got != want {
			t.Errorf("closing at every %d steps: another log", every)
		}
	}
	rec := New(Options{})
	h := rec.Handle("p")
	h.Call(rec.Method("push"), Int(1))
	h.Write(rec.Variable("v"), 0, Int(1))
	h.Close()
	h = rec.Handle("p")
	push(rec, h, 2)
	e, err := rec.Execution()
	if err != nil || len(e.Ops) != 2 || e.Ops[0].Completed() || !e.Ops[1].Completed() {
		t.Errorf("%v, %v", e, err)
	}
}

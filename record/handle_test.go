//go:build !adtinfer_norecord

package record

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// A goroutine for each request takes a handle and gives it back: there is memory for
// those that run at once.
func TestHandlePerRequest(t *testing.T) {
	for _, limit := range []int{0, 64 * chunkSize} {
		rec := New(Options{Limit: limit})
		var file bytes.Buffer
		stop, err := rec.Stream(&file, 0)
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
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		l, err := ReadBinary(&file, "x.bin")
		if err != nil {
			t.Fatal(err)
		}
		if e, err := l.Execution(); err != nil || len(e.Ops) != requests || e.Events != 2*requests {
			t.Errorf("%d operations, %v", len(e.Ops), err)
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
	e, err := execution(rec)
	if err != nil || len(e.Ops) != 2 || e.Ops[0].Completed() || !e.Ops[1].Completed() {
		t.Errorf("%v, %v", e, err)
	}
}

// A log that is taken while goroutines record is what they published, and never
// says that they made a mistake.
func TestLogWhileRecording(t *testing.T) {
	for range testsize.Samples(100) {
		rec := New(Options{})
		var wg sync.WaitGroup
		for p := range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				h := rec.Handle("p")
				for i := range 2_000 {
					push(rec, h, i)
					if p == 0 && i%10 == 0 {
						h.Close()
						h = rec.Handle("p")
					}
				}
			}()
		}
		for range 20 {
			if _, err := rec.Log(); err != nil {
				t.Fatal(err)
			}
		}
		wg.Wait()
		if l, err := rec.Log(); err != nil || l.Missing != 0 || len(l.tape.Entries) != 3*2_000*3 {
			t.Fatal(l, err)
		}
	}
}

// A reader that has stopped holds nobody up, and no memory: the recording ends.
func TestReaderThatStopped(t *testing.T) {
	const limit = 8 * chunkSize
	for _, patient := range []bool{false, true} {
		rec := New(Options{Limit: limit})
		m := tape.Follow(rec)
		if err := m.Attach(patient); err != nil {
			t.Fatal(err)
		}
		h := rec.Handle("p")
		push(rec, h, 1)
		m.Close()
		before := rec.used
		for i := range 100_000 {
			push(rec, h, i)
		}
		if most := max(before, limit/chunkSize) + 2; rec.used > most {
			t.Errorf("%d chunks are in memory; there were %d, and the limit is %d", rec.used, before, limit/chunkSize)
		}
		if dropped, _, err := m.Rest(); !dropped || err != nil {
			t.Errorf("dropped %t, %v", dropped, err)
		}
	}
}

// An entry that two goroutines wrote at the same moment is missed, as soon as all
// of them are published.
func TestEntryOverwritten(t *testing.T) {
	for _, closed := range []bool{false, true} {
		rec := New(Options{})
		m := tape.Follow(rec)
		h := rec.Handle("p")
		push(rec, h, 1)
		h.n--
		push(rec, h, 2)
		if closed {
			h.Close()
		}
		n := 0
		m.Pull(func([]tape.Entry) bool { n++; return true })
		l, err := rec.Log()
		_, missing, onLine := m.Rest()
		if !closed {
			if err != nil || onLine != nil || l.Missing == 0 || missing != l.Missing {
				t.Errorf("%d entries, %d missing: %v; %v", n, missing, err, onLine)
			}
			continue
		}
		for _, err := range []error{err, onLine} {
			var use *UseError
			if !errors.As(err, &use) || !strings.Contains(err.Error(), "two goroutines used one Handle at the same time") {
				t.Errorf("error %v", err)
			}
		}
	}
}

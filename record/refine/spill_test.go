//go:build !adtinfer_norecord

package refine

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/record"
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
func watched(t *testing.T, limit int, d *disk, found func(Result)) (*record.Recorder, *Watcher) {
	t.Helper()
	rec := record.New(record.Options{Limit: limit})
	w, err := Watch(rec, counterSpec{}, Options{OnViolation: found, Spill: true, newFile: d.create})
	if err != nil {
		t.Fatal(err)
	}
	return rec, w
}

func count(rec *record.Recorder, h *record.Handle, answer int) {
	h.Call(rec.Method("next"))
	h.Commit()
	h.Return(record.Some, record.Int(answer))
}

// When the disk is full the recording ends; the result says why, and is that of the log before.
func TestSpillOnFullDisk(t *testing.T) {
	const limit = 8 * 1023
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
	rec := record.New(record.Options{Limit: limit})
	if _, err := Watch(rec, counterSpec{}, Options{Spill: true, newFile: (&disk{}).create}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("no file at all: %v", err)
	}
}

// What was read is no longer on the disk.
func TestSpillIsTrimmed(t *testing.T) {
	d := &disk{room: 1 << 40}
	rec, w := watched(t, 8*1023, d, nil)
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

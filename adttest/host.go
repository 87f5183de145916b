package adttest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// host is who runs a Config: a test, or nobody in particular.
type host struct {
	test, pkg string            // its name and import path, or ""
	inside    func(func())      // calls in its goroutine, if it has a bubble, or any
	bubbled   bool              // it has one
	schedules *schedules        // that rounds run under; nil: they run freely
	halved    bool              // half of the budget is used up
	folder    func() string     // where artifacts are wanted instead of Config.Dir, or ""
	say       func(text string) // tells at once; nil: there is nobody to listen
	attribute func(key, value string)
}

// nobody is the host of Find.
func nobody(test, pkg string) host {
	return host{test: test, pkg: pkg, inside: func(f func()) { f() }, folder: func() string { return "" },
		attribute: func(string, string) {}}
}

// hostOf is a test as host.
func hostOf(t testing.TB, pkg string) host {
	h := nobody(t.Name(), pkg)
	h.folder = func() string { return artifacts(t) }
	h.say = func(text string) {
		to := os.Stderr // go test shows the log when the test is over, and where it was written
		if testing.Verbose() {
			to = os.Stdout
		}
		fmt.Fprintf(to, "%s: %s\n", t.Name(), text)
	}
	if a, ok := t.(interface{ Attr(key, value string) }); ok { // since Go 1.25
		h.attribute = func(key, value string) {
			a.Attr("adttest."+key, wording.Line(strings.ReplaceAll(strings.TrimSpace(value), "\n", " | ")))
		}
	}
	return h
}

// artifacts is the test's folder for artifacts, if go test -artifacts keeps it.
// A folder that cannot be made ends the goroutine that asks for it, after a line
// that says so.
func artifacts(t testing.TB) (dir string) {
	a, ok := t.(interface{ ArtifactDir() string }) // since Go 1.26
	if f := flag.Lookup("test.artifacts"); !ok || f == nil || f.Value.String() != "true" {
		return ""
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		dir = a.ArtifactDir()
	}()
	<-done
	return dir
}

// hosted runs a Config for a host, outside of its bubble.
func hosted(ctx context.Context, c Config, h host) (r *run, f *Failure, err error) {
	h.bubbled = bubbleOf() != nil
	apart(func(inside func(func())) {
		ctx, end := h.context(ctx, inside)
		defer end()
		h.inside = inside
		r, f, err = start(ctx, c, h)
	})
	return r, f, err
}

// context is a context for use outside of the host's bubble.
func (h host) context(ctx context.Context, inside func(func())) (context.Context, func()) {
	if !h.bubbled {
		return ctx, func() {}
	}
	apart, cancel := context.WithCancel(context.WithoutCancel(ctx))
	apart.Done() // is not the bubble's
	var stop func() bool
	inside(func() { stop = context.AfterFunc(ctx, cancel) })
	return apart, func() { inside(func() { stop() }); cancel() }
}

// attributes tells the host what a machine may want to know of a run.
func (r *run) attributes(f *Failure) {
	r.host.inside(func() {
		r.host.attribute("seed", strconv.FormatUint(r.Seed, 10))
		r.host.attribute("theory", orWord(r.Theory, r.subject.theory.Name))
		if f != nil {
			r.host.attribute("scenario", f.Scenario.String())
		}
	})
}

// save writes the failing log, and the theory if it is in no file yet.
func (r *run) save(f *Failure) error {
	if f.Execution == nil {
		return nil
	}
	f.Execution.Object = r.subject.theory.Name
	var b bytes.Buffer
	if err := history.WriteJSON(&b, f.Execution); err != nil {
		return fmt.Errorf("adttest: the log cannot be saved: %w", err)
	}
	f.Theory = r.Theory
	dir := r.folder()
	path := filepath.Join(dir, logName(r.Seed))
	if err := writeFile(path, b.Bytes()); err != nil {
		return err
	}
	f.Log = path
	for _, k := range []Kind{Panic, Hang} {
		_ = os.Remove(wordsPath(f.Log, k)) // of another run with this seed
	}
	if f.Theory != "" || r.judge.engine == nil {
		return nil
	}
	b.Reset()
	if err := theory.Write(&b, r.subject.theory); err != nil {
		return fmt.Errorf("adttest: the theory cannot be saved: %w", err)
	}
	path = filepath.Join(dir, r.subject.theory.Name+".theory.yaml")
	if err := writeFile(path, b.Bytes()); err != nil {
		return err
	}
	f.Theory = path
	return nil
}

// folder is where failures are saved: where the host wants them, or in the directory.
func (r *run) folder() string {
	r.where.Do(func() {
		r.host.inside(func() { r.place = r.host.folder() })
		if r.place == "" {
			r.place = r.dir()
		}
	})
	return r.place
}

// wordsPath is where the report of a failure is kept that its log does not show.
func wordsPath(log string, k Kind) string {
	return strings.TrimSuffix(log, ".jsonl") + "." + string(k) + ".txt"
}

// saveWords keeps the report of a panic or hang beside its log.
func (f *Failure) saveWords() error {
	if f.Log == "" || f.Kind == Violation || f.Kind == Disagreement {
		return nil
	}
	return writeFile(wordsPath(f.Log, f.Kind), []byte(f.text))
}

// bubbleOf is the mark that stack traces give goroutines of the present one's
// testing/synctest bubble; nil where there is none. (T.Deadline panics in a bubble,
// but callers of Find have no T.)
func bubbleOf() []byte {
	var buf [200]byte
	line, _, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte("\n"))
	i := bytes.LastIndex(line, []byte(", synctest bubble "))
	if i < 0 {
		return nil
	}
	return bytes.Clone(line[i:])
}

// apart calls f where there is no bubble, and returns when it has returned.
// What takes time in a bubble, where the clock stands still, or has goroutines and
// channels of its own, runs there: inference, judges, the watch. The objects under
// test belong to the bubble: inside, which f gets, makes a call in the caller's
// goroutine. Without a bubble both are plain calls.
func apart(f func(inside func(func()))) {
	if bubbleOf() == nil {
		f(func(g func()) { g() })
		return
	}
	// A goroutine of the bubble starts others in it; cleanups run outside of any.
	var link atomic.Pointer[chan func()]
	witness := new([4]*int)
	runtime.AddCleanup(witness, func(link *atomic.Pointer[chan func()]) {
		calls := make(chan func())
		go func() {
			defer close(calls)
			f(func(g func()) {
				done := make(chan struct{})
				calls <- func() { defer close(done); g() }
				<-done
			})
		}()
		link.Store(&calls)
	}, &link)
	for link.Load() == nil {
		runtime.GC()
		runtime.Gosched()
	}
	for call := range *link.Load() {
		call()
	}
}

// asleep reports whether all goroutines of a bubble but the present one are durably
// blocked: nothing happens there until its clock moves on.
func asleep(bubble []byte) bool {
	buf := make([]byte, 1<<16)
	for n := runtime.Stack(buf, true); n == len(buf); n = runtime.Stack(buf, true) {
		if n > 1<<26 {
			return false
		}
		buf = make([]byte, 2*n)
	}
	blocks := bytes.Split(bytes.TrimRight(buf, "\x00"), []byte("\n\n"))
	for _, g := range blocks[1:] { // the first one is the present one
		line, _, _ := bytes.Cut(g, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte(":"))
		if bytes.HasSuffix(line, bytes.TrimSuffix(bubble, []byte(":"))) && !bytes.Contains(line, []byte("(durable)")) {
			return false
		}
	}
	return true
}

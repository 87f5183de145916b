package adttest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/printable"
)

// host is who runs a Config: a test, or nobody in particular.
type host struct {
	test, pkg string            // its name and import path, or ""
	inside    func(func())      // calls in its goroutine, if it has a bubble, or any
	bubbled   bool              // it has one
	folder    func() string     // where artifacts are wanted instead of Config.Dir, or ""
	say       func(text string) // tells at once
	attribute func(key, value string)
}

// nobody is the host of Find.
func nobody(test, pkg string) host {
	return host{test: test, pkg: pkg, inside: func(f func()) { f() }, folder: func() string { return "" },
		say: func(string) {}, attribute: func(string, string) {}}
}

// hostOf is a test as host.
func hostOf(t testing.TB, pkg string) host {
	h := nobody(t.Name(), pkg)
	h.folder = func() string { return artifacts(t) }
	h.say = func(text string) {
		if testing.Verbose() {
			t.Log(text)
		} else { // go test shows the log when the test is over
			fmt.Fprintf(os.Stderr, "%s: %s\n", t.Name(), text)
		}
	}
	if a, ok := t.(interface{ Attr(key, value string) }); ok { // since Go 1.25
		h.attribute = func(key, value string) {
			a.Attr("adttest."+key, printable.Line(strings.ReplaceAll(strings.TrimSpace(value), "\n", " | ")))
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

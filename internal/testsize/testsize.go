// Package testsize says how much tests should do. Plain go test takes about a
// minute on two cores; two environment variables ask for more:
//
//	ADTINFER_LONG=1     what CI runs in its second step: minutes
//	ADTINFER_NIGHTLY=1  what is run once in a while: hours
package testsize

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// Tests make much garbage in small heaps, and collecting it took a third of
// their time: they collect less often, unless the environment says how often, or
// benchmarks run, which measure what users get.
func init() {
	bench := func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") }
	if testing.Testing() && os.Getenv("GOGC") == "" && !slices.ContainsFunc(os.Args, bench) {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
}

// Samples is how many random inputs a test looks at: n under ADTINFER_LONG, ten
// times as many under ADTINFER_NIGHTLY, a fifth in plain runs, and a tenth under
// -short.
func Samples(n uint64) uint64 {
	switch {
	case Nightly():
		return 10 * n
	case Long():
		return n
	case testing.Short():
		return n / 10
	}
	return n / 5
}

// Long reports whether tests may take minutes.
func Long() bool { return os.Getenv("ADTINFER_LONG") != "" || Nightly() }

// Nightly reports whether tests may take hours.
func Nightly() bool { return os.Getenv("ADTINFER_NIGHTLY") != "" }

// NeedsLong skips a test unless ADTINFER_LONG is set; its message says how to
// run it.
func NeedsLong(t testing.TB) {
	t.Helper()
	if !Long() {
		t.Skip("takes long: set ADTINFER_LONG=1")
	}
}

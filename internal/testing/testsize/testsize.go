// Package testsize says how much tests should do. Plain go test takes some
// minutes on two cores; two environment variables ask for more:
//
//	ADTINFER_LONG=1     what CI runs: half an hour
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

// Samples is how many random inputs a test looks at: 10n under ADTINFER_NIGHTLY; under
// ADTINFER_LONG n/4 up to a thousand, and a hundredth of the nightly ones beyond; else
// n/20, and one at least. They are the same in every run, so that what runs often needs few.
func Samples(n uint64) uint64 {
	switch {
	case Nightly():
		return 10 * n
	case Long():
		return max(1, min(n/4, max(n/10, 1000)))
	}
	return max(1, n/20)
}

// Some are the rows of a table that a test looks at: one in n in plain runs, one
// in n/2 under ADTINFER_LONG, all under ADTINFER_NIGHTLY.
func Some[T any](rows []T, n int) (few []T) {
	switch {
	case Nightly():
		n = 1
	case Long():
		n = max(1, n/2)
	}
	for i := 0; i < len(rows); i += n {
		few = append(few, rows[i])
	}
	return few
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

// NeedsNightly skips a test unless ADTINFER_NIGHTLY is set, and says why.
func NeedsNightly(t testing.TB, why string) {
	t.Helper()
	if !Nightly() {
		t.Skip(why + ": set ADTINFER_NIGHTLY=1")
	}
}

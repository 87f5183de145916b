//go:build unix

package golden

import (
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/reference"
)

// BenchmarkInfer reports the processor time that inference takes for each type, of
// this process and the one that runs the reference, without building that, and
// without long runs and wrong versions. Garbage is collected as often as by the
// command.
func BenchmarkInfer(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(300))
	for _, typ := range Types() {
		b.Run(typ.Name, func(b *testing.B) {
			var all time.Duration
			for b.Loop() {
				pkg, err := reference.Load(b.Context(), typ.Dir(b), typ.Options())
				if err != nil {
					b.Skip(err)
				}
				start := processorTime(b)
				info := reference.Info{Name: pkg.Name(), MayFail: kindsOf(typ.MayFail())}
				_, err = describe.Infer(b.Context(), pkg.Implementation, info, describe.Options{})
				if cerr := pkg.Close(); cerr != nil {
					b.Fatal(cerr)
				}
				if all += processorTime(b) - start; err != nil {
					b.Log(err)
				}
			}
			b.ReportMetric(all.Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

// processorTime is what this process, and the children it has waited for, have taken.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

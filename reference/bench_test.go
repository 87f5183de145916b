package reference_test

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/reference"
)

// sequences makes n sequences of length calls to a queue.
func sequences(t testing.TB, impl reference.Implementation, n, length int) [][]reference.Call {
	add, remove := call(t, impl, "add").Method, call(t, impl, "remove").Method
	seqs := make([][]reference.Call, n)
	for i := range seqs {
		fresh := 0
		for j := range length {
			c := reference.Call{Method: remove}
			if i>>j&1 == 0 {
				fresh++
				c = reference.Call{Method: add, Args: []int{fresh}}
			}
			seqs[i] = append(seqs[i], c)
		}
	}
	return seqs
}

// BenchmarkReplay replays sequences of length 8, each twice.
func BenchmarkReplay(b *testing.B) {
	impl := must(b)(reference.Of(newQueue))
	benchmarkReplay(b, impl)
}

func benchmarkReplay(b *testing.B, impl reference.Implementation) {
	const n = 100_000
	seqs := sequences(b, impl, n, 8)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := impl.Replay(context.Background(), seqs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "seqs/s")
}

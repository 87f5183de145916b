package reference_test

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/reference"
)

// BenchmarkReplayChild is BenchmarkReplay across the process boundary.
func BenchmarkReplayChild(b *testing.B) {
	p, err := load(b, extract(b, "module.txtar"), "queue", reference.Options{})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkReplay(b, p)
}

// BenchmarkLoad is the start-up with everything built before: list, build and
// handshake.
func BenchmarkLoad(b *testing.B) {
	dir := extract(b, "module.txtar")
	for b.Loop() {
		p, err := reference.Load(context.Background(), "queue", reference.Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}

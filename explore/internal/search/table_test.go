package search

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestTable compares a table with a map.
func TestTable(t *testing.T) {
	for seed := range testsize.Samples(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		table, want := newTable(), map[sum]uint32{}
		// Hashes with equal first bits fill a part of the directory.
		shared, mask := uint(r.IntN(6)), uint64(1)<<(16+r.IntN(48))-1
		var all []sum
		for range r.IntN(60_000) {
			h := sum{r.Uint64() >> shared, r.Uint64() & mask}
			if len(all) > 0 && r.IntN(3) == 0 {
				h = all[r.IntN(len(all))]
			}
			if n, ok := table.get(h); ok != hasKey(want, h) || ok && n != want[h] {
				t.Fatalf("seed %d: get is %d, %v, want %d", seed, n, ok, want[h])
			}
			n, ok := table.find(h, uint32(len(want)))
			if ok != hasKey(want, h) || ok && n != want[h] || !ok && n != uint32(len(want)) {
				t.Fatalf("seed %d: %d, %v, want %d", seed, n, ok, want[h])
			}
			if !ok {
				want[h] = n
				all = append(all, h)
			}
		}
		n := 0
		table.each(func(x *slot) {
			if n++; want[x.sum()] != x[4]-1 {
				t.Fatalf("seed %d: slot %v", seed, *x)
			}
		})
		if n != len(want) || table.n != n {
			t.Fatalf("seed %d: %d entries, %d in slots, want %d", seed, table.n, n, len(want))
		}
		segments := map[*segment]bool{}
		bytes := int64(8 * len(table.dir))
		for _, seg := range table.dir {
			if !segments[seg] {
				bytes += int64(len(seg.slots)) * 20
			}
			segments[seg] = true
		}
		if table.bytes() != bytes || table.segments != len(segments) {
			t.Fatalf("seed %d: %d bytes in %d segments, want %d in %d", seed, table.bytes(), table.segments, bytes, len(segments))
		}
	}
}

func hasKey(m map[sum]uint32, h sum) bool {
	_, ok := m[h]
	return ok
}

// TestHash changes bits of bytes and sets: about half of the bits of the hash change, each
// about as often as not, and no parts of 32 bits are equal more often than by chance.
func TestHash(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	samples := int(testsize.Samples(50_000))
	var flips [128]int
	for range samples {
		b := make([]byte, 1+r.IntN(70))
		for i := range b {
			b[i] = byte(r.IntN(4)) // as states are: many zeros
		}
		set := r.Int32N(100)
		h := hash(b).with(set)
		if r.IntN(8) == 0 {
			set ^= 1 << r.IntN(10)
		} else {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
		g := hash(b).with(set)
		count := 0
		for i := range 128 {
			x := (h.a ^ g.a) >> (i & 63) & 1
			if i >= 64 {
				x = (h.b ^ g.b) >> (i & 63) & 1
			}
			flips[i] += int(x)
			count += int(x)
		}
		if count < 20 || count > 108 { // 8 standard deviations
			t.Fatalf("%d bits change", count)
		}
		if bits.OnesCount64(h.a^g.a) == 0 || bits.OnesCount64(h.b^g.b) == 0 {
			t.Fatal("half of the hash does not change")
		}
	}
	for i, n := range flips {
		if d := n - samples/2; d*d > 16*samples { // 8 standard deviations
			t.Errorf("bit %d changes %d times of %d", i, n, samples)
		}
	}
	// Counters in a few bytes, and zeros that only the length tells apart.
	parts := [4]map[uint32]bool{{}, {}, {}, {}}
	n := 0
	for x := range uint32(40_000) {
		for _, b := range [][]byte{{byte(x), byte(x >> 8), byte(x >> 16)}, make([]byte, x%1000)} {
			if len(b) == 3 && b[0]|b[1]|b[2] == 0 || len(b) != 3 && x >= 1000 {
				continue
			}
			h := hash(b).with(int32(x % 3))
			n++
			parts[0][uint32(h.a)], parts[1][uint32(h.a>>32)] = true, true
			parts[2][uint32(h.b)], parts[3][uint32(h.b>>32)] = true, true
		}
	}
	for i, part := range parts { // 0.2 pairs are expected to be equal
		if n-len(part) > 8 {
			t.Errorf("part %d: %d of %d are equal to others", i, n-len(part), n)
		}
	}
}

// grid is a machine of counters: each step counts one of them up.
type grid struct {
	counters, to, pad int
	step              machine.Step
}

func (g *grid) Expand(state []byte, yield func(*machine.Step) error) error {
	for i := range g.counters {
		if int(state[i]) == g.to-1 {
			continue
		}
		g.step.Next = append(g.step.Next[:0], state...)
		g.step.Next[i]++
		g.step.Thread, g.step.Call, g.step.Answer = i%2, -1, -1
		if err := yield(&g.step); err != nil {
			return err
		}
	}
	return nil
}

func (g *grid) Status([]byte) machine.Status {
	return machine.Status{Left: make([]int, 2), Next: make([][]int32, 2)}
}

// BenchmarkGrid is the search's own cost.
func BenchmarkGrid(b *testing.B) {
	p := &toy{threads: 2, sets: 1}
	for _, workers := range []int{1, 2} {
		for _, g := range []grid{{counters: 4, to: 32, pad: 120}, {counters: 10, to: 4, pad: 120}} {
			b.Run(fmt.Sprintf("workers=%d/counters=%d", workers, g.counters), func(b *testing.B) {
				for b.Loop() {
					problem := p.problem()
					problem.Start = func() []byte { return make([]byte, g.counters+g.pad) }
					problem.Machine = func() Machine { g := g; return &g }
					r, err := New(problem, Options{Workers: workers}).Run(b.Context())
					if err != nil || !r.Complete || r.Finding != nil {
						b.Fatal(r, err)
					}
					b.ReportMetric(float64(r.Stats.Bytes)/float64(r.Stats.States), "bytes/state")
					b.ReportMetric(float64(r.Stats.States)/r.Stats.Elapsed.Seconds(), "states/s")
					b.ReportMetric(float64(r.Stats.Elapsed.Nanoseconds())/float64(r.Stats.Steps), "ns/step")
				}
			})
		}
	}
}

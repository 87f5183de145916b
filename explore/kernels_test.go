package explore_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestKernels explores small programs with the mistakes of large ones, and the same without them.
func TestKernels(t *testing.T) { archived(t, "testdata/kernels.txtar", 7) }

// TestEmpty explores objects of which little or nothing can be wrong.
func TestEmpty(t *testing.T) { archived(t, "testdata/empty.txtar", 4) }

// TestEndless explores operations of which some never return, without ever being in the same state twice.
func TestEndless(t *testing.T) { archived(t, "testdata/endless.txtar", 18) }

// TestTakes explores programs that use what packages have beside goroutines.
func TestTakes(t *testing.T) { archived(t, "testdata/takes.txtar", 5) }

// archived explores the programs of an archive, one in so many. The first line of each is the verdict and a text, and
// flags may follow.
func archived(t *testing.T, file string, few int) {
	t.Parallel()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range testsize.Some(archive.Files, few) {
		t.Run(strings.TrimSuffix(f.Name, ".go"), func(t *testing.T) {
			t.Parallel()
			head, text, _ := strings.Cut(string(f.Data), "\n")
			want, place, _ := strings.Cut(strings.TrimPrefix(head, "// "), ": ")
			dir := t.TempDir()
			o := explore.Options{Dir: dir, Bounds: bounds(2, 2, 2), Workers: 1}
			for flag, to := range map[string]*[]string{"loose": &o.Loose, "skip": &o.Skip, "only": &o.Only} {
				if rest, ok := strings.CutPrefix(text, "// --"+flag+" "); ok {
					names, after, _ := strings.Cut(rest, "\n")
					*to, text = strings.Split(names, ","), after
					break
				}
			}
			put(t, filepath.Join(dir, "go.mod"), "module example.com/k\n\ngo 1.24.0\n")
			put(t, filepath.Join(dir, "k.go"), "\n"+text)
			if want == "leak" {
				run(t, o, explore.Holds, place)
				o.Leaks, want = true, string(explore.Faulty)
			}
			r := run(t, o, explore.Verdict(want), place)
			if r.Counterexample == nil {
				return
			}
			if again, err := explore.Replay(t.Context(), o, r.Counterexample.Replay); err != nil || again.Text() != r.Text() {
				t.Errorf("the replay string gives %v, %v", again, err)
			}
		})
	}
}

// TestLongCalls sees to it that calls one at a time, which never lead to the same state, take no longer than the rest.
func TestLongCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("short runs are those of the race detector, which takes ten times as long")
	}
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/k\n\ngo 1.24.0\n")
	put(t, filepath.Join(dir, "k.go"), `package k

import "sync/atomic"

type Sum struct{ n atomic.Uint64 }

func (s *Sum) Add(v int) uint64 {
	x := uint64(v)
	for range 500_000 {
		x = x*6364136223846793005 + 1
	}
	return s.n.Add(x | 1)
}
`)
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	r, err := explore.Run(ctx, explore.Options{Dir: dir, Bounds: bounds(2, 1, 1), Workers: 1})
	if err != nil || r.Verdict != explore.Holds {
		t.Errorf("%v, %v", r, err)
	}
}

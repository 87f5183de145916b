package check_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// chunks gives a log in pieces of random lengths.
type chunks struct {
	log  []byte
	r    *rand.Rand
	most int
	last bool // the end comes with the last bytes
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.log) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.r.IntN(c.most+1))], c.log)
	if c.log = c.log[n:]; len(c.log) == 0 && c.last {
		return n, io.EOF
	}
	return n, nil
}

// TestFollowChunks: in whatever pieces a log arrives, in any format, whole or cut off
// somewhere, what is said of it is the same.
func TestFollowChunks(t *testing.T) {
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			b := batchOf(t, build(t, s.source), by{})
			verdicts := map[check.Verdict]int{}
			for seed := range testsize.Samples(100) {
				r := rand.New(rand.NewPCG(seed, 17))
				e := s.Execution(r, 2+r.IntN(15), 1+r.IntN(4), 3)
				var text, lines, binary bytes.Buffer
				if err := history.WriteText(&text, e); err != nil {
					t.Fatal(err)
				}
				if err := history.WriteJSON(&lines, e); err != nil {
					t.Fatal(err)
				}
				if err := history.NewReader(bytes.NewReader(text.Bytes()), "x").Convert(t.Context(), &binary, history.Binary); err != nil {
					t.Fatal(err)
				}
				for _, log := range [][]byte{text.Bytes(), lines.Bytes(), binary.Bytes()} {
					if r.IntN(4) == 0 {
						log = log[:r.IntN(len(log))]
					}
					b.Keep(r.IntN(2))
					want := follow(b, string(log))
					for _, most := range []int{1, 7, 100, 100_000} {
						got := b.Follow(t.Context(), sourceOf(&chunks{log, r, most, r.IntN(2) == 0}), &check.Progress{})
						if told(&got) != told(&want) {
							t.Fatalf("seed %d, pieces of up to %d bytes: %s\nwant %s\n%q", seed, most, told(&got), told(&want), log)
						}
					}
					if want.Err == nil {
						verdicts[want.Result.Verdict]++
					}
				}
			}
			if t.Log(verdicts); verdicts[check.Violation] == 0 {
				t.Error("no violations")
			}
		})
	}
}

// TestFollowHalfLines: a line counts once its end is there, and a violation is reported
// with the event that shows it, although the
// log goes on, and nothing more has arrived.
func TestFollowHalfLines(t *testing.T) {
	b := batchOf(t, build(t, subjects[0].source), by{})
	in, out := io.Pipe()
	defer out.Close()
	go func() {
		for _, s := range []string{"[1] call add(1)\n[1] ret", "urn\n[2] call remove\n", "[2] return 2\n"} {
			_, _ = io.WriteString(out, s)
		}
	}()
	if r := b.Follow(t.Context(), sourceOf(in), &check.Progress{}); r.Err != nil || r.Result.Verdict != check.Violation || r.Result.Prefix != 4 {
		t.Errorf("%+v", r)
	}
}

// told is a report without times, and the way it was found.
func told(r *check.Report) string {
	return fmt.Sprint(r.Result.Verdict, r.Result.Prefix, r.Result.Events, r.Result.Detail, r.Err, r.Ops, r.At)
}

package logbeam

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestMerge: in which order and which groups what came of parts is merged does not matter.
func TestMerge(t *testing.T) {
	for seed := range testsize.Samples(10_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		var all []Found
		for range 1 + r.IntN(6) {
			x := Found{Parts: 1, Ops: int64(r.IntN(9)), Rank: int64(r.IntN(5)), Key: fmt.Sprint(r.IntN(3)), Detail: []byte{byte(r.IntN(3))}}
			if x.Rank >= violation {
				x.At = Place{Time: int64(r.IntN(3)), Timed: true, Return: r.IntN(2) == 0, Block: int64(r.IntN(2)), Index: int64(r.IntN(3))}
			}
			all = append(all, x)
		}
		merged := func() Found {
			own := append([]Found(nil), all...)
			for len(own) > 1 {
				r.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
				own = append(own[2:], (&mergeFn{}).MergeAccumulators(own[0], own[1]))
			}
			return own[0]
		}
		a, b := merged(), merged()
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d: %+v and %+v of %+v", seed, a, b, all)
		}
		for _, x := range all {
			if x.Rank > a.Rank || x.Rank == a.Rank && x.At.compare(a.At) < 0 {
				t.Fatalf("seed %d: %+v, of %+v", seed, a, all)
			}
		}
	}
}

// TestText: the blocks of a file have its lines, each once and in order, however long they
// are; all have its head.
func TestText(t *testing.T) {
	th, err := theory.Read(strings.NewReader(readFile(t, "../examples/kv/kv.theory.yaml")), "kv")
	if err != nil {
		t.Fatal(err)
	}
	p := new(prepared)
	if p.methods, err = th.Signature(nil); err != nil {
		t.Fatal(err)
	}
	for seed := range testsize.Samples(2_000) {
		r := rand.New(rand.NewPCG(seed, 4))
		head := []string{"", "# a comment\n\n# @object x\n"}[r.IntN(2)]
		lines := ""
		for i := range r.IntN(8) {
			lines += fmt.Sprintf("[%d] call put(%s, 1)%s", i, strings.Repeat("x", r.IntN(30)), []string{"\n", "\r\n", "\n\n"}[r.IntN(3)])
		}
		if r.IntN(3) == 0 {
			lines = strings.TrimRight(lines, "\r\n")
		}
		if lines == "" {
			head = "" // a file without events has no head
		}
		file := filepath.Join(t.TempDir(), "x.log")
		if err := os.WriteFile(file, []byte(head+lines), 0o600); err != nil {
			t.Fatal(err)
		}
		got, size := "", int64(1+r.IntN(40))
		for start := int64(0); start < int64(len(head+lines)); start += size {
			b := Block{File: file, Start: start, End: min(start+size, int64(len(head+lines)))}
			own, text, err := b.text(t.Context(), p)
			if err != nil || own != head {
				t.Fatalf("seed %d: head %q, want %q, %v", seed, own, head, err)
			}
			got += text
		}
		if got != lines {
			t.Fatalf("seed %d, blocks of %d: %q, want %q", seed, size, got, lines)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

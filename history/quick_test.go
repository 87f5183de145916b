package history

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestQuick compares what is read quickly with what is read with care, in lines with
// something taken out, put in or repeated.
func TestQuick(t *testing.T) {
	lines := [][]string{
		{"[", "12", "]", " ", "call", " ", "add", "(", "7", ",", " ", "-3", ")"},
		{"[", "0", "]", " ", "call", " ", "remove"},
		{"[", "p1", "]", " ", "return", " ", "7", ", ", "x.y"},
		{"[", "123456789", "]", " ", "return"},
		{"[", "7", "@", "3", "]", " ", "call", " ", "add", "(", "1", ")"},
	}
	odd := []string{"", "@", " ", "\t", "\r", "[", "]", "(", ")", ",", "0", "1", "9", "call", "return", "error:", "é", "\xff", "\"", "#", "{", "-", "\x00"}
	quick, careful := 0, 0
	for seed := range testsize.Samples(100_000) {
		r := rand.New(rand.NewPCG(seed, 91))
		parts := slices.Clone(lines[r.IntN(len(lines))])
		for range r.IntN(3) {
			i := r.IntN(len(parts))
			switch r.IntN(3) {
			case 0:
				parts = slices.Delete(parts, i, i+1)
			case 1:
				parts = slices.Insert(parts, i, parts[r.IntN(len(parts))])
			default:
				parts = slices.Insert(parts, i, odd[r.IntN(len(odd))])
			}
		}
		line := strings.Join(parts, "")
		var got, want event
		got.begin(Pos{"x", 1, 1}, line)
		end := -1
		if line != "" {
			end = got.quick(line + "\n[1] call add(1)\n")
		}
		l := newLines("x", "", nil, nil)
		l.no, l.isText = 1, true
		ok, err := l.parse(strings.TrimSuffix(line, "\r"), &want)
		if end < 0 {
			careful++
			continue
		}
		quick++
		if !ok || err != nil || end != len(line)+1 || got.op != want.op || got.number != want.number || got.process != want.process || got.written != want.written || got.call != want.call || got.method != want.method ||
			!slices.Equal(got.values, want.values) || got.pos != want.pos || got.methodAt != want.methodAt || got.valuesAt != want.valuesAt {
			t.Fatalf("%q: %+v up to %d, want %+v, %v, %v", line, got, end, want, ok, err)
		}
		for n := range len(line) + 1 {
			var cut event
			if n > 0 && cut.quick(line[:n]) >= 0 {
				t.Fatalf("%q is complete", line[:n])
			}
		}
	}
	if min(quick, careful) < 1000 {
		t.Errorf("%d lines were read quickly, %d were not", quick, careful)
	}
}

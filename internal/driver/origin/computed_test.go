package origin

import (
	"fmt"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestComputed: expressions have the values that Go gives them.
func TestComputed(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var random func(deep int) string
	random = func(deep int) string {
		if deep == 0 || rnd.IntN(4) == 0 {
			return fmt.Sprint(rnd.IntN(50))
		}
		return "(" + random(deep-1) + []string{"+", "-", "*", "/", "<<"}[rnd.IntN(5)] + random(deep-1) + ")"
	}
	same := 0
	for range testsize.Samples(20_000) {
		text := random(3)
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		n, timed, ok := computed(e)
		want, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
		if err != nil {
			continue // a division by zero, or a shift by what is negative
		}
		if exact, fits := constant.Int64Val(want.Value); fits && ok && !large(want.Value, text) {
			if n != exact || timed {
				t.Errorf("%s is %d, want %d", text, n, exact)
			}
			same++
		}
	}
	if same < 100 {
		t.Errorf("%d compared", same)
	}
}

// large reports whether some part of an expression may not fit 64 bits, so that Go computes with more.
func large(v constant.Value, text string) bool {
	for i := range len(text) - 1 {
		if text[i:i+2] == "<<" {
			return true
		}
	}
	return constant.BitLen(v) > 40
}

// TestDurations: what is computed with units of time is a duration, and what else is computed an integer beside its parts.
func TestDurations(t *testing.T) {
	for text, want := range map[string]Constants{
		"f(10*time.Second, time.Minute)":            {Durations: []time.Duration{10 * time.Second, time.Minute}},
		"time.Duration(3)*time.Hour+time.Second":    {Durations: []time.Duration{3*time.Hour + time.Second}},
		"time.Now().Add(90 * time.Minute)":          {Durations: []time.Duration{90 * time.Minute}},
		"g(1<<10, -3)":                              {Ints: []int64{1024, 1, 10, -3}},
		"n*time.Second":                             {Durations: []time.Duration{time.Second}},
		"fmt.Sprint(3*time.Second) + other.Hour(4)": {Ints: []int64{4}},
	} {
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		var got Constants
		got.collect(e)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}

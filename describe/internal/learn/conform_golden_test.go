package learn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// load loads a golden type; nil if it is one that does not load, contradicts itself, or
// is an acceptor.
func load(t *testing.T, typ golden.Type) reference.Implementation {
	t.Helper()
	p, err := reference.Load(t.Context(), typ.Dir(t), typ.Options())
	if err != nil && typ.Loads == "yes" {
		t.Fatal(err)
	}
	if err != nil || typ.Out == "refused" {
		return nil
	}
	t.Cleanup(func() { p.Close() })
	if _, judges := p.Implementation.(reference.Acceptor); judges {
		return nil
	}
	return p.Implementation
}

// closures are how many states golden types have together with the automata that are
// learned of them; or why they are not all.
var closures = map[string]any{
	"mutex": 2, "latch": 2, "ownerlock": 2, "lease": 2, "semaphore": 4, "ratelimiter": 4,
	"once": 2, "register": 2, "casregister": 2, "swapregister": 2, "optregister": 2, "slot": 2, "snapshot": 5,
	"bounded2": 5, "ring1": 3, "ring3": 69, "ring4": 329, "ring5": 1664, "lru2": 4, "lru4": 24, "lrulist": 13,
	"chanqueue": "field c is a channel",
	"ring8":     "the reference keeps values that the automaton forgot",
	"ring16":    "the reference keeps values that the automaton forgot",
}

// TestClosures compares golden types with the automata that are learned of them.
func TestClosures(t *testing.T) {
	for _, typ := range golden.Types() {
		want, ok := closures[typ.Name]
		if !ok || !testsize.Nightly() && !slices.Contains(testsize.Some([]string{"ownerlock", "ring4", "ring8", "chanqueue", "snapshot"}, 5), typ.Name) {
			continue
		}
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			impl := load(t, typ)
			found, err := learn.Learn(t.Context(), impl, learn.Options{})
			if err != nil || found.Automaton == nil {
				t.Fatalf("not learned: %v, error %v", found, err)
			}
			extent, d, err := learn.Compare(t.Context(), impl, found.Automaton, learn.Comparison{Words: 200, Closed: true})
			if err != nil || d != nil {
				t.Fatalf("difference %v, error %v", d, err)
			}
			why, isWhy := want.(string)
			if isWhy && (extent.States != 0 || !strings.Contains(extent.Why, why)) || !isWhy && extent.States != want {
				t.Errorf("%+v, want %v", *extent, want)
			}
		})
	}
}

// TestEqualityOfTypes finds the golden types that look at the order of values, and
// those that reckon, and no other.
func TestEqualityOfTypes(t *testing.T) {
	special := map[string]string{
		"pqmin": "follow the order", "pqheap": "follow the order", "maxregister": "follow the order", "floormap": "follow the order",
		"account": "more than which values are equal", "bank": "more than which values are equal",
	}
	for _, typ := range golden.Types() {
		if !testsize.Nightly() && !slices.Contains(testsize.Some([]string{"floormap", "bank", "kvoptions"}, 3), typ.Name) {
			continue
		}
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			impl := load(t, typ)
			if impl == nil {
				return
			}
			ok, why, err := learn.Equality(t.Context(), impl)
			if err != nil {
				t.Fatal(err)
			}
			if want := special[typ.Name]; ok != (want == "") || !strings.Contains(why, want) {
				t.Errorf("equality alone: %t, %s; want %q", ok, why, want)
			}
			t.Log(why)
		})
	}
}

package matching_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// unseen are types that synthesis has not been tuned for.
var unseen = []struct {
	name string
	new  any
}{
	{"queue of strings with errors, no telling names", func() *abc { return &abc{} }},
	{"generic stack with pointer results and a look", func() *generic[string] { return &generic[string]{} }},
	{"deque", func() *deque { return &deque{} }},
	{"set that answers with bools", func() *boolSet { return &boolSet{} }},
	{"set with a size", func() *sizedSet { return &sizedSet{} }},
	{"reader-writer lock that names who is in the way", func() *holders { return &holders{} }},
	{"pool with discard", func() *pool { return &pool{} }},
	{"swapper", func() *swapper { return &swapper{} }},
	{"register with compare-and-swap", func() *cas { return &cas{} }},
	{"cell that is written once", func() *cell { return &cell{} }},
	{"map", func() table { return table{} }},
	{"bounded queue that says when it is full", func() *bounded { return &bounded{} }},
	{"priority queue", func() *priority { return &priority{} }},
	{"counter", func() *counter { return &counter{} }},
	{"fetch-and-add register", func() *adder { return &adder{} }},
	{"flag", func() *onOff { return &onOff{} }},
}

// What synthesis makes of each, or why it refuses: testdata/unseen.golden is
// read by people.
func TestSynthesizeUnseen(t *testing.T) {
	var b strings.Builder
	types := unseen
	if !testsize.Long() && !*update {
		types = unseen[:4]
	}
	for _, c := range types {
		fmt.Fprintf(&b, "== %s\n", c.name)
		r, err := synthesize(t, c.new, matching.Options{})
		if err != nil {
			fmt.Fprintf(&b, "refused: %v\n\n", err)
			continue
		}
		for _, l := range r.Language {
			fmt.Fprintln(&b, "language:", l.Reading)
		}
		for _, f := range r.Matching.Target {
			fmt.Fprintln(&b, "target:  ", formula.String(f))
		}
		fmt.Fprintf(&b, "readonly: %s\n", formula.String(r.Matching.ReadOnly))
		fmt.Fprintf(&b, "verified: faithful to length %d, normal to length %d\n\n", r.Stats.Faithful.Length, r.Stats.Normal.Length)
		if r.Stats.Faithful.Length < 4 || r.Stats.Normal.Length < 4 {
			t.Errorf("%s: verified to lengths %d and %d only", c.name, r.Stats.Faithful.Length, r.Stats.Normal.Length)
		}
	}
	const golden = "testdata/unseen.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if len(types) < len(unseen) { // the golden file has all of them
		whole, _, found := strings.Cut(string(want), "== "+unseen[len(types)].name+"\n")
		if want = []byte(whole); !found {
			t.Errorf("%s has no %s", golden, unseen[len(types)].name)
		}
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func synthesize(t testing.TB, constructor any, o matching.Options) (*matching.Result, error) {
	t.Helper()
	impl, err := reference.Of(constructor)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	return matching.Synthesize(context.Background(), impl, o)
}

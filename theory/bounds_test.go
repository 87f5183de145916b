package theory

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// zeros is a text without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Files that are too large in some way are refused at the place that is, with
// the bound.
func TestBounds(t *testing.T) {
	const head = "apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: a}\nspec:\n"
	many := func(n int, item string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(item, "%d", "%[1]d"), i)
		}
		return b.String()
	}
	const methods = "  methods: [{name: m, outcomes: [{outcome: none}]}]\n"
	tests := []struct{ name, text, want string }{
		{"methods", head + "  methods:\n" + many(1001, "    - {name: m%d, outcomes: [{outcome: none}]}\n"),
			"1006:7: methods: a list in a theory has at most 1000 entries, and this one has 1001"},
		{"axioms", head + methods + "  axioms:\n" + many(5000, "    - {name: a%d, formula: 'true'}\n"),
			"1007:7: axioms: a list in a theory has at most 1000 entries, and this one has 5000"},
		{"drawing", head + methods + "  patterns:\n    - name: p\n      weight: 1\n      formula: 'true'\n      drawing: |\n" + many(33, "        [%d:%d] m\n"),
			"10:16: a drawing in a theory has at most 32 operations, and this one has 33"},
		{"implications", head + methods + "  axioms:\n    - name: a\n      formula: " + strings.Repeat("true -> ", 600) + "true\n",
			"8:16: the formula nests more than 500 levels deep, its predicates written out; split it, or use smaller predicates"},
		{"predicates that double", head + methods + "  predicates:\n    - {name: p0, params: [x], formula: completed(x)}\n" +
			"    - {name: p1, params: [x], formula: p0(x) & p0(x)}\n" +
			doubling(40), "20:41: the formula has more than 10000 parts, its predicates written out; split it, or use smaller predicates"},
		{"uses of predicates", head + methods + "  predicates:\n    - {name: p0, params: [x], formula: completed(x)}\n" +
			"    - {name: p1, params: [x], formula: p0(x) & p0(x)}\n" + doubling(12) +
			"  axioms:\n" + many(1000, "    - {name: a%d, formula: 'forall x:Op. p11(x)'}\n"),
			"140:29: up to here the formulas have more than 500000 parts, their predicates written out; use fewer formulas, or smaller predicates"},
		{"levels of YAML", head + methods + "  x-deep: " + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "\n",
			"6:1: not YAML: exceeded max depth of 10000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.text), "t.yaml")
			if err == nil || err.Error() != "t.yaml:"+tt.want {
				t.Errorf("error is %v\nwant t.yaml:%s", err, tt.want)
			}
		})
	}
	t.Run("no end", func(t *testing.T) {
		const want = "t.yaml:1:1: not a theory file: it is longer than 4 MiB"
		if _, err := Read(zeros{}, "t.yaml"); err == nil || err.Error() != want {
			t.Errorf("Read: error is %v\nwant %s", err, want)
		}
		_, err := ReadScheme(zeros{}, "t.yaml", Spec{})
		if e := (*history.ParseError)(nil); !errors.As(err, &e) {
			t.Errorf("ReadScheme: error is %v, want a *history.ParseError", err)
		}
	})
}

// doubling is a list of predicates each of which uses the one before twice.
func doubling(n int) string {
	var b strings.Builder
	for i := 2; i < n; i++ {
		fmt.Fprintf(&b, "    - {name: p%d, params: [x], formula: p%d(x) & p%d(x)}\n", i, i-1, i-1)
	}
	return b.String()
}

package wording_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// TestElements: one set in the texts of several languages, and what is none.
func TestElements(t *testing.T) {
	for text, want := range map[string][]string{
		"#{1 2 3}":          {"1", "2", "3"},
		"[1 2 3]":           {"1", "2", "3"},
		"[1,2,3]":           {"1", "2", "3"},
		"(1 2 3)":           {"1", "2", "3"},
		"{1, 2, 3}":         {"1", "2", "3"},
		"#{1, 2, 3}":        {"1", "2", "3"},
		`["a b","c"]`:       {"a b", "c"},
		`{'a', 'b "c"'}`:    {"a", `b "c"`},
		"#{:a :b}":          {"a", "b"},
		"#{[1 2] {:a 1}}":   {"[1 2]", "{:a 1}"},
		"[[1,2],[3,\"]\"]]": {"[1,2]", `[3,"]"]`},
		"#{}":               nil,
		"{1}":               {"1"},
		"[]":                nil,
		"{}":                nil,
		"set()":             nil,
		"[-1 1.5 x_y]":      {"-1", "1.5", "x_y"},
	} {
		if got, ok := wording.Elements(text); !ok || !cmp.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "1", "nil", "{1 2}", "{1 2, 3 4}", "{1: 2}", "#{1", "1}", "[1 2", "[1 2)", "map[1:2]", "[1,]", "[1:2]", "[\"a]", "[a]b]", "[[1]", "[]]", "a b"} {
		if got, ok := wording.Elements(text); ok {
			t.Errorf("%s is no set: %q", text, got)
		}
	}
}

// TestPairs: one map in the texts of several languages, and what is none.
func TestPairs(t *testing.T) {
	want := []wording.Pair{{Key: "0", Value: "10"}, {Key: "1", Value: "-5"}}
	for _, text := range []string{
		"{0 10, 1 -5}", "{0 10 1 -5}", `{"0":10,"1":-5}`, `{"0" 10 "1" -5}`, "{0: 10, 1: -5}", "{'0': 10, '1': -5}", "{0=10, 1=-5}",
		"map[0:10 1:-5]", "[10 -5]", "[10,-5]", "(10 -5)",
	} {
		if got, ok := wording.Pairs(text); !ok || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	named := []wording.Pair{{Key: "a", Value: "1"}, {Key: "b", Value: "x"}}
	for _, text := range []string{"{:a 1, :b :x}", "{:a 1 :b :x}", `{"a": 1, "b": "x"}`, "map[a:1 b:x]", "{a=1, b=x}"} {
		if got, ok := wording.Pairs(text); !ok || !cmp.Equal(got, named) {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "5", "#{1 2}", "{1}", "{1 2 3}", "{1, 2, 3}", "{1, 2}", "{a:1, b}", "{a:1 b 2}", "{a: 1", "{a:1,}", "map[a:1", "[a:1]", "{a:1, b=2}"} {
		if got, ok := wording.Pairs(text); ok {
			t.Errorf("%s is no map: %v", text, got)
		}
	}
}

// FuzzCollections: elements written as a list again are the same.
func FuzzCollections(f *testing.F) {
	for _, text := range []string{"#{1 2}", `{"a": [1, 2]}`, "map[0:1]", "{:a 1}", "{'x', \"y\"}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = wording.Pairs(text)
		all, ok := wording.Elements(text)
		if !ok {
			return
		}
		again := make([]string, len(all))
		for i, v := range all {
			again[i] = strconv.Quote(v)
		}
		got, ok := wording.Elements("[" + strings.Join(again, ", ") + "]")
		if !ok || !slices.Equal(got, all) {
			t.Errorf("%q: %q, then %q", text, all, got)
		}
	})
}

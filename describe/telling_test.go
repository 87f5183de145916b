package describe_test

import (
	"path"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// names are a set of texts, which looks into them.
type names struct {
	all   map[string]bool
	form  func(string) string       // what counts as the same
	meets func(has, of string) bool // whether a text in the set answers for another
	takes func(string) bool
}

func (n *names) Add(s string) bool {
	s = n.form(s)
	if n.all[s] || !n.takes(s) {
		return false
	}
	n.all[s] = true
	return true
}

func (n *names) Has(s string) bool {
	for has := range n.all {
		if n.meets(has, n.form(s)) {
			return true
		}
	}
	return false
}

func (n *names) Drop(s string) bool {
	s = n.form(s)
	had := n.all[s]
	delete(n.all, s)
	return had
}

// numbers are a queue that looks into its values.
type numbers struct {
	queue
	takes func(int) bool
}

func (n *numbers) Put(v int) bool {
	if n.takes(v) {
		n.queue.Put(v)
	}
	return n.takes(v)
}

// letters are a queue of texts that are not empty.
type letters struct{ vs []string }

func (l *letters) Put(s string) bool {
	if s != "" {
		l.vs = append(l.vs, s)
	}
	return s != ""
}

func (l *letters) Get() (string, bool) {
	if len(l.vs) == 0 {
		return "", false
	}
	s := l.vs[0]
	l.vs = l.vs[1:]
	return s, true
}

// TestTelling: what looks into its values is not described by which of them are equal, but
// by guards if these are enough. Without that, each of these would be a set, or a queue.
func TestTelling(t *testing.T) {
	testsize.NeedsLong(t)
	same := func(s string) string { return s }
	equal := func(has, of string) bool { return has == of }
	all := func(string) bool { return true }
	set := func(form func(string) string, meets func(has, of string) bool, takes func(string) bool) any {
		return func() *names { return &names{map[string]bool{}, form, meets, takes} }
	}
	ints := func(takes func(int) bool) any {
		return func() *numbers { return &numbers{takes: takes} }
	}
	for _, typ := range testsize.Some([]struct {
		name      string
		construct any
		described bool
	}{
		{"texts", set(same, equal, all), true},
		{"any case", set(strings.ToLower, equal, all), false},
		{"trimmed", set(strings.TrimSpace, equal, all), false},
		{"paths", set(path.Clean, equal, all), false},
		{"below", set(same, func(has, of string) bool { return has == of || strings.HasPrefix(of, has+".") }, all), false},
		{"wild cards", set(same, func(has, of string) bool { ok, err := path.Match(has, of); return ok && err == nil }, all), false},
		{"not empty", set(same, equal, func(s string) bool { return s != "" }), true},
		{"prefixes", set(same, func(has, of string) bool { return strings.HasPrefix(of, has) }, all), false},
		{"not long", set(same, equal, func(s string) bool { return len(s) <= 64 }), false},
		{"no digits", set(same, equal, func(s string) bool { return !strings.ContainsAny(s[:min(1, len(s))], "0123456789") }), false},
		{"integers", ints(func(int) bool { return true }), true},
		{"positive", ints(func(v int) bool { return v > 0 }), true},
		{"small", ints(func(v int) bool { return v < 1_000 }), false},
		{"not 0", ints(func(v int) bool { return v != 0 }), true},
		{"even", ints(func(v int) bool { return v%2 == 0 }), false},
		{"letters", func() *letters { return &letters{} }, true},
	}, 7) {
		t.Run(typ.name, func(t *testing.T) {
			t.Parallel()
			th, _, err := infer(t, typ.construct, describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 4, Words: 500}})
			if err != nil {
				t.Fatal(err)
			}
			if by := th.Spec.Headline(); (by != theory.ByModel) != typ.described {
				t.Errorf("described by its %s, tried %q", by, th.Status.Tried)
			}
		})
	}
}

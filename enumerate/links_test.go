package enumerate

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// Links of the example types, written by hand. yes is a possible link, ro a
// read-only one.
var (
	yes = Link{Possible: true}
	ro  = Link{Possible: true, ReadOnly: true}
	no  = Link{}
)

// queueLinks: 0 add, 1 remove => value, 2 remove => nil.
func queueLinks() *Links {
	return &Links{
		Self: []Link{yes, no, ro},
		Free: []Link{no, yes, no},
		To:   [][]Link{{no, no, no}, {yes, no, no}, {no, no, no}},
	}
}

// registerLinks: 0 write, 1 read => value, 2 read => nil.
func registerLinks() *Links {
	return &Links{
		Self: []Link{yes, no, ro},
		Free: []Link{no, ro, no},
		To:   [][]Link{{no, no, no}, {ro, no, no}, {no, no, no}},
	}
}

// lockLinks: 0 lock => nil, 1 lock => value, 2 unlock => value, 3 unlock => nil.
func lockLinks() *Links {
	return &Links{
		Self: []Link{yes, no, no, ro},
		Free: []Link{no, ro, yes, no},
		To:   [][]Link{{no, no, no, no}, {ro, no, no, no}, {yes, no, no, no}, {no, no, no, no}},
	}
}

// workStealingLinks: 0 give, 1 take => value, 2 steal => value, 3 take => nil, 4 steal => nil.
func workStealingLinks() *Links {
	l := &Links{
		Self: []Link{yes, no, no, ro, ro},
		Free: []Link{no, yes, yes, no, no},
	}
	for range l.Self {
		l.To = append(l.To, make([]Link, 5))
	}
	l.To[1][0], l.To[2][0] = yes, yes
	return l
}

// setLinks: 0 insert => nil, 1 insert => value, 2 remove => value, 3 remove =>
// nil, 4 contains => value, 5 contains => nil.
func setLinks() *Links {
	l := &Links{
		Self: []Link{yes, no, no, ro, no, ro},
		Free: []Link{no, ro, yes, no, ro, no},
	}
	for k := range l.Self {
		l.To = append(l.To, make([]Link, 6))
		if k > 0 {
			l.To[k][0] = ro
		}
	}
	l.To[2][0] = yes
	return l
}

// The exact number of histories of each weight, and the length of the longest,
// from closed formulas over match contents.
func TestHistoriesOfAWeight(t *testing.T) {
	for _, c := range []struct {
		name           string
		links          *Links
		weight         int
		count, longest int
	}{
		{"register", registerLinks(), 1, 16, 3},
		{"queue", queueLinks(), 1, 16, 3},
		{"register", registerLinks(), 2, 5976, 8},
		{"queue", queueLinks(), 2, 5976, 8},
		{"lock", lockLinks(), 1, 277, 5},
		{"work stealing", workStealingLinks(), 1, 288, 5},
		{"set", setLinks(), 1, 876_923, 9},
	} {
		t.Run(fmt.Sprint(c.name, " ", c.weight), func(t *testing.T) {
			if c.count > 100_000 {
				testsize.NeedsLong(t)
			}
			count, longest := 0, 0
			c.links.Histories(Bounds{Weight: c.weight}, func(s Sequence) bool {
				count++
				longest = max(longest, len(s))
				if s.Weight() > c.weight {
					t.Fatalf("%v has weight %d", s, s.Weight())
				}
				return true
			})
			if count != c.count || longest != c.longest {
				t.Errorf("%d histories, longest %d; want %d, %d", count, longest, c.count, c.longest)
			}
		})
	}
}

// slowHistories lists the histories of at most n operations the obvious way:
// every assignment of kinds and targets, kept if it respects the links.
func slowHistories(l *Links, n int, yield func(Sequence)) {
	for length := 0; length <= n; length++ {
		s := make(Sequence, length)
		var assign func(i int)
		assign = func(i int) {
			if i == length {
				if respects(l, s) {
					yield(s)
				}
				return
			}
			for k := range l.Self {
				for t := Free; t < length; t++ {
					s[i] = Op{Kind: int8(k), Target: int8(t)}
					assign(i + 1)
				}
			}
		}
		assign(0)
	}
}

// respects sets the read-only flags of s and reports whether the links allow it.
func respects(l *Links, s Sequence) bool {
	for i := range s {
		link := l.Free[s[i].Kind]
		if t := int(s[i].Target); t == i {
			link = l.Self[s[i].Kind]
		} else if t != Free {
			if int(s[t].Target) != t || l.PastOnly && t > i {
				return false
			}
			link = l.To[s[i].Kind][s[t].Kind]
		}
		if !link.Possible {
			return false
		}
		s[i].ReadOnly = link.ReadOnly
	}
	return true
}

func TestHistoriesAgainstAllAssignments(t *testing.T) {
	for name, l := range map[string]*Links{
		"queue": queueLinks(), "register": registerLinks(), "lock": lockLinks(),
		"work stealing": workStealingLinks(), "set": setLinks(), "random": randomLinks(3, 7),
	} {
		for _, past := range []bool{false, true} {
			l.PastOnly = past
			n := 4
			if len(l.Self) > 4 {
				n = 3
			}
			want := map[string]bool{}
			slowHistories(l, n, func(s Sequence) { want[string(s.AppendKey(nil))] = true })
			got := 0
			l.Histories(Bounds{Length: n}, func(s Sequence) bool {
				got++
				if !want[string(s.AppendKey(nil))] {
					t.Errorf("%s: %v is no history", name, s)
				}
				return true
			})
			if got != len(want) {
				t.Errorf("%s past=%v: %d histories, want %d", name, past, got, len(want))
			}
		}
	}
}

func randomLinks(kinds int, seed int64) *Links {
	r := rand.New(rand.NewSource(seed))
	link := func() Link { return Link{Possible: r.Intn(2) == 0, ReadOnly: r.Intn(3) == 0} }
	l := &Links{}
	for range kinds {
		l.Self, l.Free = append(l.Self, link()), append(l.Free, link())
		var row []Link
		for range kinds {
			row = append(row, link())
		}
		l.To = append(l.To, row)
	}
	return l
}

// Extending the empty history, and what comes of it, meets every history once, and
// removing steps inverts adding them.
func TestExtensionsMeetEveryHistoryOnce(t *testing.T) {
	all := map[string]*Links{"queue": queueLinks(), "register": registerLinks(), "lock": lockLinks(), "set": setLinks()}
	for seed := range int64(testsize.Samples(200)) {
		all[fmt.Sprint("random ", seed)] = randomLinks(2+int(seed%2), seed)
	}
	for name, l := range all {
		for _, past := range []bool{false, true} {
			l.PastOnly = past
			meetOnce(t, fmt.Sprint(name, " past=", past), l)
		}
	}
}

func meetOnce(t *testing.T, name string, l *Links) {
	const weight, length = 2, 4
	all := map[string]bool{}
	var matches []Sequence
	l.Histories(Bounds{Weight: weight, Length: length}, func(s Sequence) bool {
		all[string(s.AppendKey(nil))] = true
		if s.IsMatch() {
			matches = append(matches, slices.Clone(s))
		}
		return true
	})
	for _, known := range [][]Sequence{nil, append([]Sequence{}, matches...)} {
		reached := map[string]bool{"": true}
		todo := []Sequence{{}}
		for len(todo) > 0 {
			s := todo[0]
			todo = todo[1:]
			l.Extensions(s, known, func(e Sequence) {
				key := string(e.AppendKey(nil))
				if e.Weight() > weight || len(e) > length {
					return
				}
				if reached[key] || !all[key] {
					t.Fatalf("%s: %v extends %v: met before: %v, a history: %v", name, e, s, reached[key], all[key])
				}
				reached[key] = true
				todo = append(todo, slices.Clone(e))
				if !comesFrom(e, s) {
					t.Fatalf("%s: %v extends %v but no removal leads back", name, e, s)
				}
			})
		}
		if len(reached) != len(all) {
			t.Errorf("%s, %d matches known: %d histories reached, want %d", name, len(known), len(reached), len(all))
		}
	}
}

func comesFrom(e, s Sequence) bool {
	return !e.Removals(func(_ string, positions []int) bool {
		rest := e.Without(nil, positions)
		return string(rest.AppendKey(nil)) != string(s.AppendKey(nil))
	})
}

package product_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/product"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// cache drops the key that was used first.
type cache struct {
	most   int
	keys   []string
	values map[string]string
}

func newCache(most int) func() *cache {
	return func() *cache { return &cache{most: most, values: map[string]string{}} }
}

func (c *cache) Put(k, v string) {
	if i := slices.Index(c.keys, k); i >= 0 {
		c.keys = slices.Delete(c.keys, i, i+1)
	} else if len(c.keys) == c.most {
		delete(c.values, c.keys[0])
		c.keys = c.keys[1:]
	}
	c.keys, c.values[k] = append(c.keys, k), v
}

func (c *cache) Get(k string) (string, bool) {
	v, ok := c.values[k]
	return v, ok
}

// strict does not take the empty key.
type strict map[string]int

func (s strict) Put(k string, v int) error {
	if k == "" {
		return errors.New("no key")
	}
	s[k] = v
	return nil
}
func (s strict) Get(k string) int { return s[k] }

// array has four places.
type array [4]int

func (a *array) Set(i, v int)  { a[i] = v }
func (a *array) Get(i int) int { return a[i] }

// graph has edges, and may have loops.
type graph struct {
	edges map[[2]string]bool
	loops bool
}

func (g *graph) Add(from, to string) bool {
	if from == to && !g.loops {
		return false
	}
	g.edges[[2]string{from, to}] = true
	return true
}
func (g *graph) Has(from, to string) bool { return g.edges[[2]string{from, to}] }

// switches are two.
type switches [2]bool

func at(b bool) int {
	if b {
		return 1
	}
	return 0
}
func (s *switches) Flip(which bool)    { s[at(which)] = !s[at(which)] }
func (s *switches) On(which bool) bool { return s[at(which)] }

// Place is a key with parts.
type Place struct {
	Row  int
	Name string
}

// board can be closed.
type board struct {
	at     map[Place]string
	closed bool
}

func (b *board) Move(p Place, v string) error {
	if b.closed {
		return errors.New("closed")
	}
	b.at[p] = v
	return nil
}
func (b *board) At(p Place) string { return b.at[p] }
func (b *board) Close()            { b.closed = true }

// boxes make those wait who take from an empty one.
type boxes map[string][]string

func (b boxes) Put(v, box string) { b[box] = append(b[box], v) }
func (b boxes) Take(box string) (string, error) {
	if len(b[box]) == 0 {
		return "", reference.Blocked
	}
	v := b[box][0]
	b[box] = b[box][1:]
	return v, nil
}

// tally tells who was counted last.
type tally map[string]int

func (t tally) Add(k string) string { t[k]++; return k + "!" }
func (t tally) Echo(k string) string {
	if t[k] > 0 {
		return k
	}
	return ""
}

// checked is an array that looks at its indices.
type checked struct{ v [10]int }

func (c *checked) Write(i, v int) bool {
	if i < 0 || i >= len(c.v) {
		return false
	}
	c.v[i] = v
	return true
}
func (c *checked) Read(i int) (int, bool) {
	if i < 0 || i >= len(c.v) {
		return 0, false
	}
	return c.v[i], true
}

// tries counts to two for each name; after n calls of Forgive in a row with one name, the
// next try counts for the name that was tried last.
type tries struct {
	n, row   int
	forgiven string
	last     string
	made     map[string]int
	mistaken bool
}

func newTries(n int) func() *tries {
	return func() *tries { return &tries{n: n, made: map[string]int{}} }
}

func (t *tries) Try(who string) bool {
	if t.row >= t.n && !t.mistaken && t.last != "" {
		who, t.mistaken = t.last, true
	}
	t.last = who
	if t.made[who] >= 2 {
		return false
	}
	t.made[who]++
	return true
}

func (t *tries) Forgive(who string) {
	if delete(t.made, who); t.row >= t.n {
		return
	}
	if who != t.forgiven {
		t.forgiven, t.row = who, 0
	}
	t.row++
}

// moody answers otherwise the second time.
type moody struct{ n *int }

func (m moody) Ask(k string) int { *m.n++; return *m.n }

// coin is one of two.
type coin struct{}

func TestTypes(t *testing.T) {
	asked := 0
	for _, c := range []struct {
		name string
		new  any
		want string // keys, or a part of why there are none
	}{
		{"cache 128", newCache(128), "put(a, a); put(b, b); and so on, 129 calls: get(a) => nil, but get(a) => a without"},
		{"cache 300", newCache(300), "put(a, a); put(b, b); and so on, 301 calls: get(a) => nil, but get(a) => a without"},
		{"strict", func() strict { return strict{} }, `put("", 0) => errNoKey, but with another value put(y9973, 0)`},
		{"array", func() *array { return &array{} }, "panic"},
		{"graph", func() *graph { return &graph{edges: map[[2]string]bool{}, loops: true} }, "add key 1, has key 1"},
		{"graph without loops", func() *graph { return &graph{edges: map[[2]string]bool{}} }, "add(a, a) => false, but with another value add(y9973, a) => true"},
		{"checked array", func() *checked { return &checked{} }, "write(2, 0) => true, but with another value write(370002, 0) => false"},
		{"switches", func() *switches { return &switches{} }, "flip key 1, on key 1"},
		{"board", func() *board { return &board{at: map[Place]string{}} }, "move key 1, at key 1, close all"},
		{"boxes", func() boxes { return boxes{} }, "put key 2, take key 1"},
		{"tally", func() tally { return tally{} }, "an answer with the key in it"},
		{"tries, 7 in a row", newTries(7), "without the calls of other keys"},
		{"tries, 12 in a row", newTries(12), "without the calls of other keys"},
		{"moody", func() moody { return moody{&asked} }, "the reference could not be run on words that tell products: product: reference: "},
		{"coin", nil, "acceptor"},
	} {
		if (c.name == "array" || strings.HasPrefix(c.name, "cache")) && !testsize.Long() {
			continue
		}
		spec := reference.Spec{New: c.new}
		if c.new == nil {
			spec = reference.Spec{New: func() coin { return coin{} }, Accept: func(coin, reference.Claim) bool { return true },
				Operations: []reference.Operation{{Name: "flip", Func: (func(string) bool)(nil)}}}
		}
		impl, err := reference.New(spec)
		if err != nil {
			t.Fatal(c.name, err)
		}
		found, err := product.Find(t.Context(), impl)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := text(found.Keys); got != c.want && (got != "" || !strings.Contains(found.Why, c.want)) {
			t.Errorf("%s: found %q, or not for %q; want %q", c.name, got, found.Why, c.want)
		}
	}
}

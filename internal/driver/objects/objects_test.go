package objects

import (
	"container/list"
	"fmt"
	"math"
	"math/rand"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// node may point anywhere in a graph.
type node struct {
	V     int
	next  *node
	kids  []*node
	field *int // into a node
	row   []int
	part  []int // of a row
	m     map[string]*node
	any   interface{}
	pair  [2]*node
}

// randomNodes is a graph with pointers everywhere, also into the middle of things.
func randomNodes(rng *rand.Rand) *node {
	nodes := make([]*node, 1+rng.Intn(5))
	for i := range nodes {
		nodes[i] = &node{V: rng.Intn(3)}
	}
	any := func() *node { return nodes[rng.Intn(len(nodes))] }
	for _, n := range nodes {
		for i := rng.Intn(4); i > 0; i-- {
			switch rng.Intn(9) {
			case 0:
				n.next = any()
			case 1:
				n.kids = append(n.kids, any(), nil)
			case 2:
				n.field = &any().V
			case 3:
				n.row = append(n.row, rng.Intn(3))
			case 4:
				if r := any().row; len(r) > 0 {
					n.part = r[rng.Intn(len(r)):]
				}
			case 5:
				if n.m = any().m; n.m == nil || rng.Intn(2) == 0 {
					n.m = map[string]*node{fmt.Sprint(rng.Intn(3)): any()}
				}
			case 6:
				n.any = []interface{}{any(), 3, "x", n.m, *any(), nil}[rng.Intn(6)]
			case 7:
				n.pair[rng.Intn(2)] = any()
			case 8:
				if r := any(); len(r.row) > 0 {
					n.field = &r.row[rng.Intn(len(r.row))]
				}
			}
		}
	}
	return nodes[0]
}

// mutate writes somewhere below n, as rng says.
func mutate(n *node, rng *rand.Rand) {
	for i := 0; i < 3; i++ {
		switch next := []*node{n.next, n.pair[0], n.pair[1], n.m["1"]}[rng.Intn(4)]; {
		case next != nil:
			n = next
		case len(n.kids) > 0 && n.kids[0] != nil:
			n = n.kids[0]
		}
	}
	switch rng.Intn(6) {
	case 0:
		n.V += 10
	case 1:
		if n.field != nil {
			*n.field += 10
		}
	case 2:
		n.part = append(n.part, 10)
	case 3:
		if len(n.part) > 0 {
			n.part[0] += 10
		}
	case 4:
		if n.m != nil {
			n.m["1"] = n
		}
	case 5:
		n.row = append(n.row, 11)
	}
}

func mustCopy[T any](t testing.TB, w *World, p *T) *T {
	t.Helper()
	q, err := w.Copy(reflect.TypeOf(p).Elem(), unsafe.Pointer(p))
	if err != nil {
		t.Fatal(err)
	}
	return (*T)(q)
}

func mustText[T any](t testing.TB, w *World, p *T, d Detail) string {
	t.Helper()
	text, err := w.Text(nil, reflect.TypeOf(p).Elem(), unsafe.Pointer(p), d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCopiesOfGraphs writes to copies and to their originals alike.
func TestCopiesOfGraphs(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	w := NewWorld()
	for i := 0; i < 3000; i++ {
		a := randomNodes(rng)
		b := mustCopy(t, w, a)
		before := mustText(t, w, a, Full)
		if mustText(t, w, b, Full) != before {
			t.Fatalf("%d: the copy of %s is %s", i, Show(reflect.TypeOf(*a), unsafe.Pointer(a)), Show(reflect.TypeOf(*b), unsafe.Pointer(b)))
		}
		seed := rng.Int63()
		for _, n := range []*node{b, a} {
			r := rand.New(rand.NewSource(seed))
			for k := 0; k < 4; k++ {
				mutate(n, r)
			}
			if n == b && mustText(t, w, a, Full) != before {
				t.Fatalf("%d: a write to the copy shows in the original", i)
			}
		}
		if mustText(t, w, a, Full) != mustText(t, w, b, Full) {
			t.Fatalf("%d: the same writes make %s and %s", i, Show(reflect.TypeOf(*a), unsafe.Pointer(a)), Show(reflect.TypeOf(*b), unsafe.Pointer(b)))
		}
	}
}

// TestForms compares forms with texts: they tell the same objects from one another,
// and copies have the same form.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, d := range []Detail{Short, Full} {
		w := NewWorld()
		texts, forms := map[string]string{}, map[string]string{}
		for i := 0; i < 3000; i++ {
			a := randomNodes(rng)
			text := mustText(t, w, a, d)
			for _, n := range []*node{a, mustCopy(t, w, a)} {
				b, err := w.Form(nil, reflect.TypeOf(*n), unsafe.Pointer(n), d)
				if err != nil {
					t.Fatal(err)
				}
				form := string(b)
				if was, ok := texts[form]; ok && was != text {
					t.Fatalf("%d: two texts have one form: %q and %q", i, was, text)
				}
				if was, ok := forms[text]; ok && was != form {
					t.Fatalf("%d: two forms have one text: %q and %q", i, was, form)
				}
				texts[form], forms[text] = text, form
			}
		}
	}
}

type guarded struct {
	mu    sync.RWMutex
	once  sync.Once
	n     atomic.Int64
	p     atomic.Pointer[node]
	v     atomic.Value
	cond  *sync.Cond
	l     list.List
	where map[*list.Element]string
	order map[string]*list.Element
	b     strings.Builder
	at    time.Time
	f     float64
	err   error
	less  func(a, b int) bool
}

func newGuarded() *guarded {
	g := &guarded{order: map[string]*list.Element{}, f: math.NaN(), at: time.Unix(5, 0), err: os.ErrNotExist, less: intLess}
	g.cond = sync.NewCond(&g.mu)
	g.b.WriteString("text")
	g.once.Do(func() {})
	g.n.Store(4)
	g.p.Store(&node{V: 6})
	g.v.Store([]int{7})
	for _, s := range []string{"x", "y", "z"} {
		g.order[s] = g.l.PushFront(s)
	}
	return g
}

func intLess(a, b int) bool { return a < b }

// TestStandardTypes copies what the standard library offers, interior pointers
// among them, and uses the copy.
func TestStandardTypes(t *testing.T) {
	w := NewWorld()
	g := newGuarded()
	if err := w.Learn(reflect.TypeOf(g).Elem(), unsafe.Pointer(g), unsafe.Pointer(newGuarded())); err != nil {
		t.Fatal(err)
	}
	c := mustCopy(t, w, g)
	before := mustText(t, w, g, Short)
	if mustText(t, w, c, Short) != before || mustText(t, w, newGuarded(), Short) != before {
		t.Error("texts differ")
	}
	if c.err != os.ErrNotExist {
		t.Error("a variable of a package was copied")
	}
	c.l.MoveToFront(c.order["x"])
	if got := c.l.Front().Value.(string) + g.l.Front().Value.(string); got != "xz" {
		t.Error(got)
	}
	c.b.WriteString("!")
	c.n.Add(1)
	c.p.Load().V++
	c.v.Load().([]int)[0]++
	c.cond.L.Lock()
	c.cond.Broadcast()
	if !g.mu.TryLock() || c.mu.TryLock() {
		t.Error("a copy's condition has another lock")
	}
	g.mu.Unlock()
	c.cond.L.Unlock()
	if mustText(t, w, g, Short) != before {
		t.Error("a write to the copy shows in the original")
	}
	want := `guarded{n:5 p:&node{V:7 next:nil kids:[] field:nil row:[] part:[] m:map[] any:nil pair:[nil nil]} v:[8] l:["x" "z" "y"] where:map[] order:map[`
	if got := Show(reflect.TypeOf(c).Elem(), unsafe.Pointer(c)); !strings.HasPrefix(got, want) {
		t.Errorf("%s\n%s", got, want)
	}
}

// TestRefusals names what cannot be copied, with the field.
func TestRefusals(t *testing.T) {
	type inner struct{ ch chan int }
	type outer struct {
		rows [2]inner
		p    *inner
		any  interface{}
		m    map[string]inner
	}
	n := 0
	for want, x := range map[string]interface{}{
		"field ch is a channel":                            &inner{make(chan int)},
		"field rows.ch is a channel":                       &outer{rows: [2]inner{{}, {make(chan int)}}},
		"field p.ch is a channel":                          &outer{p: &inner{make(chan int)}},
		"field any is a channel":                           &outer{any: make(chan int)},
		"field m is a channel":                             &outer{m: map[string]inner{"x": {make(chan int)}}},
		"the object is a channel":                          &[]chan int{make(chan int)}[0],
		"field F is a function":                            &struct{ F func() int }{func() int { n++; return n }},
		"field P is an unsafe.Pointer":                     &struct{ P unsafe.Pointer }{unsafe.Pointer(&n)},
		"field P is a uintptr, which may be an address":    &struct{ P uintptr }{1},
		"field M is a sync.Map":                            &struct{ M *sync.Map }{loaded()},
		"field P is a sync.Pool":                           &struct{ P sync.Pool }{sync.Pool{New: func() interface{} { return 1 }}},
		"field T is a time.Timer":                          &struct{ T *time.Timer }{time.NewTimer(0)},
		"field F is an os.File":                            &struct{ F *os.File }{os.Stderr},
		"field V is a reflect.Value":                       &struct{ V reflect.Value }{reflect.ValueOf(1)},
		"field Q is a pointer to a part of something else": overlapping(),
	} {
		w := NewWorld()
		v := reflect.ValueOf(x)
		if _, err := w.Copy(v.Type().Elem(), v.UnsafePointer()); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func loaded() *sync.Map {
	m := new(sync.Map)
	m.Store(1, 2)
	return m
}

// overlapping has two pointers whose types overlap and neither contains the other.
func overlapping() interface{} {
	type three struct{ a, b, c int }
	all := new([4]int)
	return &struct{ P, Q *three }{(*three)(unsafe.Pointer(&all[0])), (*three)(unsafe.Pointer(&all[1]))}
}

// TestTexts tells different objects apart, and only those.
func TestTexts(t *testing.T) {
	type s struct {
		A, B []int
		M    map[float64]int
		P    map[*int]int
	}
	shared := make([]int, 1, 2)
	roomy := append(make([]int, 0, 9), 0)
	x, y := new(int), new(int)
	for i, c := range []struct {
		a, b        s
		short, full bool // equal
	}{
		{s{A: []int{0}}, s{A: []int{0}}, true, true},
		{s{A: []int{0}}, s{A: []int{1}}, false, false},
		{s{A: []int{0}}, s{B: []int{0}}, false, false},
		{s{A: nil}, s{A: []int{}}, false, false},
		{s{A: []int{0}}, s{A: roomy}, true, false},
		{s{A: shared, B: shared}, s{A: []int{0}, B: []int{0}}, false, false},
		{s{A: shared, B: shared[:2]}, s{A: shared, B: shared[:1]}, false, false},
		{s{M: map[float64]int{1: 2, 3: 4}}, s{M: map[float64]int{3: 4, 1: 2}}, true, true},
		{s{M: map[float64]int{1: 2, 3: 4}}, s{M: map[float64]int{3: 2, 1: 4}}, false, false},
		{s{P: map[*int]int{}}, s{P: map[*int]int{}}, true, true},
		{s{P: map[*int]int{}}, s{}, false, false},
	} {
		w := NewWorld()
		if got := mustText(t, w, &c.a, Short) == mustText(t, w, &c.b, Short); got != c.short {
			t.Errorf("%d: short texts equal: %v", i, got)
		}
		if got := mustText(t, w, &c.a, Full) == mustText(t, w, &c.b, Full); got != c.full {
			t.Errorf("%d: full texts equal: %v", i, got)
		}
	}
	w := NewWorld()
	for _, bad := range []s{{P: map[*int]int{x: 1, y: 2}}, {M: map[float64]int{math.NaN(): 1, -math.NaN(): 2}}} {
		if _, err := w.Text(nil, reflect.TypeOf(bad), unsafe.Pointer(&bad), Short); err == nil && bad.P != nil {
			t.Error("no error for a map that has no order")
		}
	}
}

// The text of a map whose entries lead nowhere is that of its entries in order, however
// they came, and copies have the same.
func TestFlatMaps(t *testing.T) {
	type pair struct {
		a int8
		b string
	}
	rng := rand.New(rand.NewSource(7))
	w := NewWorld()
	for i := 0; i < 2000; i++ {
		a, b, c := map[string]string{}, map[pair]int{}, map[float64]struct{}{}
		for n := rng.Intn(6); n > 0; n-- {
			s := strings.Repeat("x", rng.Intn(3)) + fmt.Sprint(rng.Intn(20))
			a[s] = fmt.Sprint(rng.Intn(3))
			b[pair{int8(rng.Intn(9)), s}] = rng.Intn(1000)
			c[rng.Float64()] = struct{}{}
		}
		for _, m := range []interface{}{&a, &b, &c} {
			v := reflect.ValueOf(m)
			l, p := w.layout(v.Type().Elem()), v.UnsafePointer()
			if !l.key.flat || !l.elem.flat {
				t.Fatalf("%s is not flat", l.t)
			}
			x, twin := writer{g: &w.graph}, writer{g: &w.graph}
			x.flatEntries(l, v.Elem())
			twin.number(v.Elem().Len())
			for _, e := range twin.entries(l, v.Elem()) {
				twin.b = append(twin.b, e.key...)
				twin.value(l.elem, e.value)
			}
			if string(x.b) != string(twin.b) || x.err != nil {
				t.Fatalf("%v: %q, want %q", v.Elem(), x.b, twin.b)
			}
			text, err := w.Text(nil, l.t, p, Full)
			if err != nil {
				t.Fatal(err)
			}
			copied, err := w.Copy(l.t, p)
			if err != nil || !reflect.DeepEqual(reflect.NewAt(l.t, copied).Interface(), m) {
				t.Fatalf("%v: %v", v.Elem(), err)
			}
			if again, err := w.Text(nil, l.t, copied, Full); err != nil || string(again) != string(text) {
				t.Fatalf("%v: %q, and its copy %q", v.Elem(), text, again)
			}
		}
	}
	strange := map[float64]int{math.NaN(): 1, math.Inf(1): 2}
	strange[math.NaN()] = 3
	if _, err := w.Text(nil, reflect.TypeOf(strange), unsafe.Pointer(&strange), Full); err == nil {
		t.Error("a map with two entries that are not numbers has a text")
	}
}

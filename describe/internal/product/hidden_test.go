package product

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// tables say how objects of a hidden type behave: each key has a state 0 to 3.
type tables struct {
	put      [3][4]int
	says     [3][4]bool
	get      [4]int
	seen     [4]bool
	tick     [4]int
	size     [4]int
	leak     int // how keys are not independent: 0 not at all
	capacity int // of leak 1
}

func newTables(r *rand.Rand) *tables {
	t := &tables{leak: max(0, r.IntN(6)-2), capacity: 1 + r.IntN(6)}
	for s := range 4 {
		for v := range 3 {
			t.put[v][s], t.says[v][s] = r.IntN(4), r.IntN(2) == 0
		}
		t.get[s], t.seen[s], t.tick[s] = s, r.IntN(2) == 0, s
		if r.IntN(3) == 0 {
			t.get[s] = r.IntN(4)
		}
		if r.IntN(2) == 0 {
			t.tick[s] = r.IntN(4)
		}
		if s > 0 {
			t.size[s] = r.IntN(2)
		}
	}
	t.tick[0] = 0 // so that Size is a sum
	return t
}

// object is one of a hidden type. It is as if all keys that nobody used were there,
// too.
type object struct {
	t      *tables
	states map[string]int
	last   string
}

func (o *object) Put(value, key string) bool {
	v := 0
	switch {
	case value == "v1":
		v = 1
	case value == key && o.t.leak == 2:
		v = 2
	}
	_, has := o.states[key]
	if o.t.leak == 1 && !has && len(o.states) >= o.t.capacity {
		return false
	}
	s := o.states[key]
	if o.t.leak == 3 && o.last != "" && o.last != key {
		s = o.states[o.last]
	}
	o.last = key
	o.states[key] = o.t.put[v][s]
	return o.t.says[v][s]
}

func (o *object) Get(key string) bool {
	s := o.states[key]
	if _, has := o.states[key]; has {
		o.states[key] = o.t.get[s]
	}
	return o.t.seen[s]
}

func (o *object) Tick() {
	for k, s := range o.states {
		o.states[k] = o.t.tick[s]
	}
}

func (o *object) Size() (n int) {
	for _, s := range o.states {
		n += o.t.size[s]
	}
	return n
}

// run answers a word.
func (t *tables) run(methods []reference.Method, w word) (answers []string) {
	o := &object{t: t, states: map[string]int{}}
	for _, c := range w {
		switch methods[c.Method].GoName {
		case "Put":
			answers = append(answers, strconv.FormatBool(o.Put(string(c.Args[0]), string(c.Args[1]))))
		case "Get":
			answers = append(answers, strconv.FormatBool(o.Get(string(c.Args[0]))))
		case "Tick":
			o.Tick()
			answers = append(answers, "")
		case "Size":
			answers = append(answers, strconv.Itoa(o.Size()))
		}
	}
	return answers
}

// refutes reports, slowly, whether a word refutes a choice: for each call, whatever
// comes after it, the calls of its key are run alone.
func (t *tables) refutes(methods []reference.Method, c choice, w word) bool {
	for i, call := range w {
		is := t.run(methods, w[:i+1])[i]
		keys := []history.Value{"nobody's"}
		for _, d := range w[:i+1] {
			if r := c[d.Method]; r.KeyRole == theory.ByKey && !slices.Contains(keys, d.Args[r.arg]) {
				keys = append(keys, d.Args[r.arg])
			}
		}
		sum := 0
		for _, key := range keys {
			var alone word
			for _, d := range w[:i+1] {
				if r := c[d.Method]; r.KeyRole == theory.ByKey {
					if d.Args[r.arg] != key {
						continue
					}
					d.Args = slices.Clone(d.Args)
					d.Args[r.arg] = "some key"
				}
				alone = append(alone, d)
			}
			r := c[call.Method]
			if r.KeyRole == theory.ByKey && call.Args[r.arg] != key {
				continue
			}
			answers := t.run(methods, alone)
			says := answers[len(answers)-1]
			n, _ := strconv.Atoi(says)
			if sum += n; r.KeyRole == theory.SumOfAll && key == "nobody's" && n != 0 || r.KeyRole != theory.SumOfAll && says != is {
				return true
			}
		}
		if c[call.Method].KeyRole == theory.SumOfAll && strconv.Itoa(sum) != is {
			return true
		}
	}
	return false
}

func hidden(t *testing.T, tab *tables) *finder {
	impl, err := reference.Of(func() *object { return &object{t: tab, states: map[string]int{}} })
	if err != nil {
		t.Fatal(err)
	}
	return &finder{ctx: t.Context(), impl: impl, teacher: teacher.New(impl), methods: impl.Methods()}
}

// someChoice is one that the roles of the methods allow.
func someChoice(r *rand.Rand, methods []reference.Method) choice {
	var c choice
	for _, m := range methods {
		roles := []role{{theory.InAll, -1, 0}}
		if m.GoName == "Size" {
			roles = append(roles, role{theory.SumOfAll, -1, 0})
		}
		for p := range m.Args {
			roles = append(roles, role{theory.ByKey, p, 0})
		}
		c = append(c, roles[r.IntN(len(roles))])
	}
	return c
}

// TestRefute compares the test of one way to split with a slow one, on all words of
// two keys and two values up to a length, of random types and ways.
func TestRefute(t *testing.T) {
	length := 4
	if testsize.Long() {
		length = 5
	}
	said := map[bool]int{}
	for seed := range testsize.Samples(20) {
		r := rand.New(rand.NewPCG(seed, 13))
		tab := newTables(r)
		f := hidden(t, tab)
		words, longest := []word{}, []word{nil}
		for range length {
			var next []word
			for _, w := range longest {
				for m := range f.methods {
					for bits := range 1 << len(f.methods[m].Args) {
						c := teacher.Call{Method: m}
						for p := range f.methods[m].Args {
							c.Args = append(c.Args, f.teacher.Value(m, p, 1+bits>>p&1))
						}
						next = append(next, append(w[:len(w):len(w)], c))
					}
				}
			}
			words, longest = append(words, next...), next
		}
		for range 4 {
			c := someChoice(r, f.methods)
			for _, w := range words {
				if r.IntN(8) > 0 {
					continue
				}
				got, err := f.refute(c, []word{w})
				if err != nil {
					t.Fatal(err)
				}
				want := tab.refutes(f.methods, c, w)
				if (got != nil) != want {
					t.Fatalf("seed %d: %v refutes %v: %t, want %t", seed, w, c, got != nil, want)
				}
				said[want]++
			}
		}
	}
	if said[true] == 0 || said[false] == 0 {
		t.Error(said)
	}
}

// TestHidden finds the keys of random types. Witnesses refute what they are to
// refute, what is found no short word refutes, and everything that would be better is
// refuted by some witness.
func TestHidden(t *testing.T) {
	said := map[string]int{}
	for seed := range max(8, testsize.Samples(40)) {
		r := rand.New(rand.NewPCG(seed, 14))
		tab := newTables(r)
		f := hidden(t, tab)
		found, err := f.find()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range f.refuted {
			if !tab.refutes(f.methods, w.choice, w.word) {
				t.Fatalf("seed %d: %v does not refute %v", seed, w.word, w.choice)
			}
			if k := tab.calls(f, w); k != len(w.word) {
				t.Fatalf("seed %d: %d calls of %v refute %v", seed, k, w.word, w.choice)
			}
		}
		got := choice(nil)
		for _, k := range found.Keys {
			arg := k.Arg
			if k.Role != theory.ByKey {
				arg = -1
			}
			got = append(got, role{k.Role, arg, k.Ret})
		}
		for range 200 {
			var w word
			for range 1 + r.IntN(30) {
				p := pool{finder: f, Rand: r, values: 1 + r.IntN(8), special: true}
				w = append(w, p.call(r.IntN(len(f.methods))))
			}
			if got != nil && tab.refutes(f.methods, got, w) {
				t.Fatalf("seed %d, leak %d: found %v, which %v refutes", seed, tab.leak, got, w)
			}
			c := someChoice(r, f.methods)
			keyed, summed := false, false // some method that matters is
			for m, r := range c {
				keyed = keyed || f.shows[m] && r.KeyRole == theory.ByKey
				summed = summed || f.shows[m] && r.KeyRole == theory.SumOfAll
			}
			better := keyed && !summed && c.keyed() > got.keyed()
			if better && !slices.ContainsFunc(f.refuted, func(w *witness) bool { return tab.refutes(f.methods, c, w.word) }) {
				t.Fatalf("seed %d: found %v, but %v is better and not refuted", seed, got, c)
			}
		}
		said[fmt.Sprint(tab.leak, got != nil)]++
	}
	t.Log(said)
	if said["0 true"] == 0 || said["1 false"] == 0 || said["2 false"] == 0 || said["3 false"] == 0 {
		t.Error(said)
	}
}

// calls is how many calls of a witness are needed, none of which can be left out
// alone: all, if it is small.
func (t *tables) calls(f *finder, w *witness) int {
	for i := range w.word {
		if t.refutes(f.methods, w.choice, w.word.without(i, i+1)) {
			return len(w.word) - 1
		}
	}
	return len(w.word)
}

package counters

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// term is a number known before a call: an argument of it, or what was counted.
type term struct {
	arg   int          // argument of the call; -1: what follows
	text  bool         // 0 if that is the text is, otherwise 1
	kind  history.Kind // the operations that count
	sum   int          // their integer argument that is added up; -1: each counts one
	most  bool         // the greatest of these, and of 0, and not their sum
	key   int          // their argument that must be argument at of the call; -1: none
	at    int
	reset history.Kind // only those since the last one of this kind, if it is not empty
	where int          // if it is not 0, only those whose argument where, from 1, is is
	is    history.Value

	register *register // text: it is what this holds
	own      bool      // text: not an argument, but what the register holds is is
	equals   *form     // text: it is this number
}

// integerOf is a value as an int64; 0 if it is none.
func integerOf(v history.Value) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil
}

// table has the events of runs, with the terms before each as columns.
type table struct {
	methods []reference.Method
	runs    []run
	kinds   []history.Kind
	calls   [][]*event // by method
	columns []map[term][]int64
}

func newTable(methods []reference.Method, runs []run) *table {
	t := &table{methods: methods, runs: runs, calls: make([][]*event, len(methods))}
	seen := map[history.Kind]bool{}
	for _, r := range runs {
		for i := range r {
			e := &r[i]
			t.calls[e.method] = append(t.calls[e.method], e)
			if !e.waits() {
				seen[e.label.Kind] = true
			}
		}
	}
	for _, m := range methods {
		t.columns = append(t.columns, map[term][]int64{})
		for _, o := range m.Outcomes {
			if k := (history.Kind{Method: m.Name, Outcome: o.Outcome}); seen[k] {
				t.kinds = append(t.kinds, k)
			}
		}
		if k := (history.Kind{Method: m.Name, Outcome: history.Panic}); seen[k] && !slices.Contains(t.kinds, k) {
			t.kinds = append(t.kinds, k)
		}
	}
	return t
}

// method is the one of a kind.
func (t *table) method(k history.Kind) *reference.Method {
	return &t.methods[slices.IndexFunc(t.methods, func(m reference.Method) bool { return m.Name == k.Method })]
}

// column is a term before each call of a method.
func (t *table) column(method int, x term) []int64 {
	if c, ok := t.columns[method][x]; ok {
		return c
	}
	c := make([]int64, 0, len(t.calls[method]))
	for _, r := range t.runs {
		c = x.before(c, r, method)
	}
	t.columns[method][x] = c
	return c
}

// before appends the term's values before the calls of a method.
func (x term) before(c []int64, r run, method int) []int64 {
	var n int64
	var keyed map[history.Value]int64
	if x.arg < 0 && x.key >= 0 {
		keyed = map[history.Value]int64{}
	}
	if x.equals != nil {
		return x.equal(c, r, method)
	}
	is := x.is
	if x.register != nil {
		is = x.register.initial
	}
	number := func(same bool) int64 {
		if same {
			return 0
		}
		return 1
	}
	for i := range r {
		e := &r[i]
		if e.method == method {
			switch {
			case x.own:
				c = append(c, number(is == x.is))
			case x.text:
				c = append(c, number(e.label.Args[x.arg] == is))
			case x.arg >= 0:
				a, _ := integerOf(e.label.Args[x.arg])
				c = append(c, a)
			case keyed != nil:
				c = append(c, keyed[e.label.Args[x.at]])
			default:
				c = append(c, n)
			}
		}
		if x.register != nil && !e.waits() {
			is = x.register.load(is, &e.label)
		}
		if x.arg >= 0 || e.waits() {
			continue
		}
		if e.label.Kind == x.kind && (x.where == 0 || e.label.Args[x.where-1] == x.is) {
			add := int64(1)
			if x.sum >= 0 {
				add, _ = integerOf(e.label.Args[x.sum])
			}
			if x.most {
				add = max(add-n, 0)
			}
			if n += add; keyed != nil {
				keyed[e.label.Args[x.key]] += add
			}
		}
		if e.label.Kind == x.reset {
			n = 0
		}
	}
	return c
}

// equal is before for an argument that is compared with a number: 0 if they are equal, else 1.
func (x term) equal(c []int64, r run, method int) []int64 {
	var columns [][]int64
	for _, y := range x.equals.terms {
		columns = append(columns, y.before(nil, r, method))
	}
	row := 0
	for i := range r {
		if r[i].method == method {
			differs := int64(1)
			if n, ok := integerOf(r[i].label.Args[x.arg]); ok && n == x.equals.value(columns, row) {
				differs = 0
			}
			c, row = append(c, differs), row+1
		}
	}
	return c
}

// arguments are the integer arguments of a method.
func (t *table) arguments(method int) (xs []term) {
	for p, b := range t.methods[method].Params {
		if isInteger(b) {
			xs = append(xs, term{arg: p, sum: -1, key: -1})
		}
	}
	return xs
}

// texts are the arguments of a method that are texts, and may be empty, or have few values.
func (t *table) texts(method int) (xs []term) {
	for p, b := range t.methods[method].Params {
		if b.Kind == values.KindString {
			xs = append(xs, term{arg: p, text: true, sum: -1, key: -1})
		}
		few := fewOf(b)
		for _, v := range few[:max(len(few)-1, 0)] {
			xs = append(xs, term{arg: p, text: true, is: v, sum: -1, key: -1})
		}
	}
	return xs
}

// mostFew bounds the values of a type that are told apart.
const mostFew = 6

// fewOf are the values of a type that has few: of bool, and of enums.
func fewOf(b values.Basic) (all []history.Value) {
	switch {
	case b.Kind == values.KindBool:
		return []history.Value{"true", "false"}
	case len(b.Names) <= mostFew:
		for _, n := range b.Names {
			all = append(all, history.Value(strconv.FormatInt(n.Value, 10)))
		}
	}
	return all
}

// told are the terms of all kinds, one for each value of an argument that has few; none if
// there is no such argument.
func (t *table) told(reset history.Kind) (xs []term) {
	some := false
	for _, x := range t.counted(false, reset) {
		n := len(xs)
		for p, b := range t.method(x.kind).Params {
			for _, v := range fewOf(b) {
				x.where, x.is = p+1, v
				xs, some = append(xs, x), true
			}
		}
		if x.where = 0; len(xs) == n {
			xs = append(xs, x)
		}
	}
	if !some {
		return nil
	}
	return xs
}

// counted are the terms of all kinds, that add up integer arguments or not.
func (t *table) counted(sums bool, reset history.Kind) (xs []term) {
	for _, k := range t.kinds {
		if !sums {
			xs = append(xs, term{arg: -1, kind: k, sum: -1, key: -1, reset: reset})
			continue
		}
		for p, b := range t.method(k).Params {
			if isInteger(b) {
				xs = append(xs, term{arg: -1, kind: k, sum: p, key: -1, reset: reset})
			}
		}
	}
	return xs
}

// greatest are the terms of all kinds that are the greatest integer argument.
func (t *table) greatest(reset history.Kind) (xs []term) {
	for _, x := range t.counted(true, reset) {
		x.most = true
		xs = append(xs, x)
	}
	return xs
}

// keyed are the terms of the key that argument at of a method is.
func (t *table) keyed(method, at int, sums bool) (xs []term) {
	for _, x := range t.counted(sums, history.Kind{}) {
		for p, typ := range t.method(x.kind).Args {
			if typ == t.methods[method].Args[at] && p != x.sum {
				x.key, x.at = p, at
				xs = append(xs, x)
			}
		}
	}
	return xs
}

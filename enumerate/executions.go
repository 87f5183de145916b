package enumerate

// Naming hands out values so that a sequence is met once up to renaming: at
// each position a value seen before of the position's sort, or the next new one.
type naming struct{ seen []int } // by sort: how many values are in use

func newNaming(sorts int) *naming { return &naming{make([]int, sorts)} }

// choices calls f with each value a position of the sort may hold.
func (n *naming) choices(sort int, f func(v Value) bool) bool {
	used := n.seen[sort]
	for i := 1; i <= used; i++ {
		if !f(NewValue(sort, i)) {
			return false
		}
	}
	n.seen[sort]++
	ok := f(NewValue(sort, used+1))
	n.seen[sort]--
	return ok
}

func (a *Alphabet) sorts() int {
	n := 1
	for _, k := range a.Kinds {
		for _, s := range k.Sorts {
			n = max(n, s+1)
		}
	}
	return n
}

// Executions yields every sequential execution of exactly n operations over
// the alphabet, once up to renaming of values, in a fixed order. Prefixes that
// keep refuses are not extended (keep may be nil). It stops early, and returns
// false, when yield does. The slice passed to yield is reused.
//
// The number of executions grows as kinds^n times the set partitions of the
// value positions.
func (a *Alphabet) Executions(n int, keep, yield func(e []Label) bool) bool {
	names := newNaming(a.sorts())
	e := make([]Label, 0, n)
	var step func() bool
	step = func() bool {
		if len(e) == n {
			return yield(e)
		}
		for k := range a.Kinds {
			ok := a.fill(k, names, func(values []Value) bool {
				e = append(e, a.Label(k, values))
				ok := true
				if keep == nil || keep(e) {
					ok = step()
				}
				e = e[:len(e)-1]
				return ok
			})
			if !ok {
				return false
			}
		}
		return true
	}
	return step()
}

// fill calls f with every way to fill the positions of a kind.
func (a *Alphabet) fill(kind int, names *naming, f func(values []Value) bool) bool {
	k := &a.Kinds[kind]
	values := make([]Value, len(k.Sorts))
	var position func(p int) bool
	position = func(p int) bool {
		if p == len(values) {
			return f(values)
		}
		if s := k.Same[p]; s != p {
			values[p] = values[s]
			return position(p + 1)
		}
		return names.choices(k.Sorts[p], func(v Value) bool {
			values[p] = v
			return position(p + 1)
		})
	}
	return position(0)
}

// Without is a sequence less what stands at some positions, which ascend.
func Without[T any](s []T, positions []int) []T {
	r := make([]T, 0, len(s))
	for i, x := range s {
		if len(positions) > 0 && positions[0] == i {
			positions = positions[1:]
		} else {
			r = append(r, x)
		}
	}
	return r
}

// Signature is what Calls needs to know of a method: the sorts of its arguments
// and how many values each sort has (0: no limit).
type Signature struct {
	Sorts   []int
	Domains []int
}

// Invocation is a method with arguments: a label before the answer.
type Invocation struct {
	Method int
	Args   []Value
}

// Calls yields every sequence of exactly n calls, once up to renaming of
// arguments, in a fixed order. The slice passed to yield is reused.
func Calls(methods []Signature, n int, yield func(calls []Invocation) bool) bool {
	names := newNaming(sorts(methods))
	calls := make([]Invocation, 0, n)
	var step func() bool
	step = func() bool {
		if len(calls) == n {
			return yield(calls)
		}
		return names.calls(methods, func(c Invocation) bool {
			calls = append(calls, c)
			ok := step()
			calls = calls[:len(calls)-1]
			return ok
		})
	}
	return step()
}

// After yields every call that may come after others, which are named by first
// appearance, in the order that Calls has them.
func After(methods []Signature, before []Invocation, yield func(c Invocation) bool) bool {
	names := newNaming(sorts(methods))
	for _, c := range before {
		for _, v := range c.Args {
			names.seen[v.Sort()] = max(names.seen[v.Sort()], v.Number())
		}
	}
	return names.calls(methods, yield)
}

func sorts(methods []Signature) int {
	n := 1
	for _, m := range methods {
		for _, s := range m.Sorts {
			n = max(n, s+1)
		}
	}
	return n
}

// calls calls f with every call that may come next.
func (n *naming) calls(methods []Signature, f func(c Invocation) bool) bool {
	for m := range methods {
		if !n.arguments(&methods[m], nil, func(args []Value) bool { return f(Invocation{m, args}) }) {
			return false
		}
	}
	return true
}

// arguments calls f with every way to go on with the arguments of a method.
func (n *naming) arguments(m *Signature, chosen []Value, f func(args []Value) bool) bool {
	p := len(chosen)
	if p == len(m.Sorts) {
		return f(chosen)
	}
	limit := m.Domains[p]
	return n.choices(m.Sorts[p], func(v Value) bool {
		return limit > 0 && v.Number() > limit || n.arguments(m, append(chosen[:p:p], v), f)
	})
}

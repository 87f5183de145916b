package batch

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A model is a data type in its plainest form: what a call does in a state, the
// state a number. Values are 1 to 15.
type model struct {
	name    string
	new     func() Algorithm
	methods []string
	step    func(state uint64, method int, arg uint64) (r Role, value, next uint64)
	open    func(method int) Role
	ownKey  bool // the second method, too, takes a value
	fresh   bool // calls of the first method bring values that were not used before
	partial bool // the procedure need not decide all executions
	looks   bool // operations see values and leave them in

	priority func(value uint64) int64

	// branch is step where there are several ways to answer.
	branch func(state uint64, method int, arg uint64, yield func(r Role, value, next uint64) bool)
}

var models = []model{
	{name: "queue", new: func() Algorithm { return new(Queue) }, methods: []string{"add", "remove"}, step: queueStep, open: containerOpen, fresh: true},
	{name: "stack", new: func() Algorithm { return new(Stack) }, methods: []string{"add", "remove"}, step: stackStep, open: containerOpen, fresh: true},
	{name: "register", new: func() Algorithm { return new(Register) }, methods: []string{"write", "read"}, step: registerStep, open: registerOpen, fresh: true},
	{name: "set", new: func() Algorithm { return new(Set) }, methods: []string{"insert", "remove", "contains"}, step: setStep, open: setOpen, ownKey: true},
	{name: "lock", new: func() Algorithm { return new(Lock) }, methods: []string{"lock", "unlock"}, step: lockStep, open: containerOpen, fresh: true},
}

// others are models without an example of their name.
var others = []model{
	{name: "steal", new: func() Algorithm { return &TableContainer{Table: twoEnds(true, false, true, true)} }, methods: []string{"add", "remove", "steal"}, step: stealStep, open: containerOpen, fresh: true, partial: true},
	bagModel(),
	{name: "queue with peeks", new: func() Algorithm { return new(Queue) }, methods: []string{"add", "remove", "peek"}, step: peekStep(queueStep), open: peekOpen, fresh: true, looks: true},
	{name: "stack with peeks", new: func() Algorithm { return new(Stack) }, methods: []string{"add", "remove", "peek"}, step: peekStep(stackStep), open: peekOpen, fresh: true, looks: true},
	priorityModel("priority", 2, func(v uint64) int64 { return int64(v * 11 % 16) }),
	priorityModel("equal priorities", 2, func(v uint64) int64 { return -int64(v * 11 % 16 / 3) }),
	priorityModel("priority with peeks", 3, func(v uint64) int64 { return int64(v*11%16) << 58 }),
}

// permitsModel has so many permits, each of which is given back by its name: values 1
// to 15. A call that has to wait has no answer.
func permitsModel(name string, limit int) model {
	m := model{name: name, new: func() Algorithm { return &Permits{Limit: int32(limit)} }, methods: []string{"acquire", "release"}, open: containerOpen, fresh: true, ownKey: true}
	m.branch = func(s uint64, method int, arg uint64, yield func(Role, uint64, uint64) bool) {
		in := s>>arg&1 == 1
		switch {
		case method == 0 && bits.OnesCount64(s) < limit && !in:
			yield(Add, arg, s|1<<arg)
		case method == 1 && in:
			yield(Remove, arg, s&^(1<<arg))
		}
	}
	return m
}

func allModels() []model { return append(slices.Clone(models), others...) }

func queueStep(s uint64, method int, arg uint64) (Role, uint64, uint64) {
	switch {
	case method == 0:
		return Add, arg, s | arg<<((bits.Len64(s)+3)/4*4)
	case s == 0:
		return Empty, 0, s
	}
	return Remove, s & 15, s >> 4
}

func stackStep(s uint64, method int, arg uint64) (Role, uint64, uint64) {
	switch {
	case method == 0:
		return Add, arg, s<<4 | arg
	case s == 0:
		return Empty, 0, s
	}
	return Remove, s & 15, s >> 4
}

// priorityModel is a priority queue, with the first methods of add, remove, peek.
func priorityModel(name string, methods int, priority func(uint64) int64) model {
	m := model{name: name, new: func() Algorithm { return new(Priority) }, methods: []string{"add", "remove", "peek"}[:methods],
		open: peekOpen, fresh: true, looks: methods == 3, priority: priority}
	m.branch = func(s uint64, method int, arg uint64, yield func(Role, uint64, uint64) bool) {
		if method == 0 {
			yield(Add, arg, s|1<<arg)
			return
		}
		if s == 0 {
			yield(Empty, 0, s)
			return
		}
		best := int64(math.MinInt64)
		for t := s; t != 0; t &= t - 1 {
			best = max(best, priority(uint64(bits.TrailingZeros64(t))))
		}
		for t := s; t != 0; t &= t - 1 {
			v := uint64(bits.TrailingZeros64(t))
			switch {
			case priority(v) != best:
			case method == 1 && !yield(Remove, v, s&^(1<<v)), method == 2 && !yield(Present, v, s):
				return
			}
		}
	}
	m.step = firstWay(m.branch)
	return m
}

// firstWay is a step that answers in the first of several ways.
func firstWay(branch func(uint64, int, uint64, func(Role, uint64, uint64) bool)) func(uint64, int, uint64) (Role, uint64, uint64) {
	return func(s uint64, method int, arg uint64) (r Role, value, next uint64) {
		branch(s, method, arg, func(a Role, b, c uint64) bool { r, value, next = a, b, c; return false })
		return r, value, next
	}
}

// bagModel gives back values in any order.
func bagModel() model {
	m := model{name: "bag", new: func() Algorithm { return new(Bag) }, methods: []string{"add", "remove"}, open: containerOpen, fresh: true}
	m.branch = func(s uint64, method int, arg uint64, yield func(Role, uint64, uint64) bool) {
		switch {
		case method == 0:
			yield(Add, arg, s|1<<arg)
		case s == 0:
			yield(Empty, 0, s)
		default:
			for t := s; t != 0; t &= t - 1 {
				if v := uint64(bits.TrailingZeros64(t)); !yield(Remove, v, s&^(1<<v)) {
					return
				}
			}
		}
	}
	// A random history takes the values in an order that has nothing to do with
	// that in which they came.
	m.step = func(s uint64, method int, arg uint64) (Role, uint64, uint64) {
		if method == 0 || s == 0 {
			return firstWay(m.branch)(s, method, arg)
		}
		best := uint64(0)
		for t := s; t != 0; t &= t - 1 {
			if v := uint64(bits.TrailingZeros64(t)); best == 0 || v*11%16 > best*11%16 {
				best = v
			}
		}
		return Remove, best, s &^ (1 << best)
	}
	return m
}

// peekStep has a third method, which sees what the second would remove.
func peekStep(step func(uint64, int, uint64) (Role, uint64, uint64)) func(uint64, int, uint64) (Role, uint64, uint64) {
	return func(s uint64, method int, arg uint64) (Role, uint64, uint64) {
		r, v, next := step(s, min(method, 1), arg)
		if method == 2 && r == Remove {
			return Present, v, s
		}
		return r, v, next
	}
}

func peekOpen(method int) Role {
	return []Role{MaybeAdd, MaybeRemove, None}[method]
}

// ways calls f for each way to answer, until it is false.
func (m *model) ways(s uint64, method int, arg uint64, f func(r Role, value, next uint64) bool) {
	if m.branch != nil {
		m.branch(s, method, arg, f)
		return
	}
	f(m.step(s, method, arg))
}

// stealStep is a stack of which the oldest value can be stolen.
func stealStep(s uint64, method int, arg uint64) (Role, uint64, uint64) {
	if method == 2 && s != 0 {
		top := (bits.Len64(s) - 1) / 4 * 4
		return Remove, s >> top, s &^ (15 << top)
	}
	return stackStep(s, min(method, 1), arg)
}

func registerStep(s uint64, method int, arg uint64) (Role, uint64, uint64) {
	switch {
	case method == 0:
		return Add, arg, arg
	case s == 0:
		return Empty, 0, s
	}
	return Present, s, s
}

func lockStep(s uint64, method int, arg uint64) (Role, uint64, uint64) {
	switch {
	case method == 0 && s == 0:
		return Add, arg, arg
	case method == 0:
		return Present, s, s
	case s == 0:
		return Empty, 0, s
	}
	return Remove, s, 0
}

func setStep(s uint64, method int, arg uint64) (Role, uint64, uint64) {
	in := s>>arg&1 == 1
	switch {
	case method == 0 && !in:
		return Add, arg, s | 1<<arg
	case method == 1 && in:
		return Remove, arg, s &^ (1 << arg)
	case in:
		return Present, arg, s
	}
	return Absent, arg, s
}

func containerOpen(method int) Role {
	return []Role{MaybeAdd, MaybeRemove, MaybeRemove}[method]
}
func registerOpen(method int) Role {
	return []Role{MaybeAdd, None}[method]
}
func setOpen(method int) Role {
	return []Role{MaybeAdd, MaybeRemove, None}[method]
}

// event history: an operation with what it was asked and what it answered.
type action struct {
	method    int
	arg       uint64
	role      Role
	value     uint64
	call, ret int32 // ret is never if it is pending
}

// Columns of actions, which are in the order of their calls.
func (m *model) Columns(as []action, events int32) *Columns {
	c := &Columns{Events: events}
	if m.priority != nil {
		for v := range 16 {
			c.Priority = append(c.Priority, m.priority(uint64(v+1)))
		}
	}
	for _, a := range as {
		o := Op{Role: a.role, Value: int32(a.value) - 1, Open: m.open(a.method), Asked: -1, Call: a.call, Ret: a.ret}
		if m.open(a.method) == MaybeAdd || m.ownKey {
			o.Asked = int32(a.arg) - 1
		}
		if o.Open == MaybeRemove {
			o.Kind = uint8(a.method) - 1
		}
		if o.Role == Empty {
			o.Value = -1
		}
		c.Push(o)
	}
	return c
}

// oracle searches all linearizations.
type oracle struct {
	m       *model
	as      []action
	n       int32
	visited [1 << 12]struct{ done, state, run uint64 }
	run     uint64 // of what is in visited only this run counts
}

// linearizable decides the prefix of n events: every operation that returned
// takes effect once, between its call and its return, and answers as the model
// does; one that is pending takes effect after its call or not at all.
func (o *oracle) linearizable(m *model, as []action, n int32) bool {
	o.m, o.as, o.n = m, as, n
	o.run++
	missing := uint64(0)
	for i, a := range as {
		if a.ret <= n {
			missing |= 1 << i
		}
	}
	return o.search(0, missing, 0)
}

func (o *oracle) search(done, missing, state uint64) bool {
	if missing == 0 {
		return true
	}
	slot := &o.visited[(done*0x9e3779b97f4a7c15^state*0xc2b2ae3d27d4eb4f)>>52]
	if slot.run == o.run && slot.done == done && slot.state == state {
		return false
	}
	first := Never // the first return of what is missing
	for m := missing; m != 0; m &= m - 1 {
		first = min(first, o.as[bits.TrailingZeros64(m)].ret)
	}
	for i := range o.as {
		a := &o.as[i]
		if a.call > first || a.call > o.n {
			break
		}
		if done>>i&1 == 1 {
			continue
		}
		if o.m.branch == nil {
			r, v, next := o.m.step(state, a.method, a.arg)
			if (a.ret > o.n || r == a.role && v == a.value) && o.search(done|1<<i, missing&^(1<<i), next) {
				return true
			}
			continue
		}
		found := false
		o.m.branch(state, a.method, a.arg, func(r Role, v, next uint64) bool {
			if a.ret > o.n || r == a.role && v == a.value {
				found = o.search(done|1<<i, missing&^(1<<i), next)
			}
			return !found
		})
		if found {
			return true
		}
	}
	slot.done, slot.state, slot.run = done, state, o.run
	return false
}

// random makes a history of a model: operations take effect at a moment between
// call and return, and one answer in spoil is replaced by another.
type random struct {
	*rand.Rand
	m                     *model
	ops, processes, spoil int
	keys                  int // values of calls that need not be fresh
	bias                  int // of 8 calls, how many are of the first method
	finish                bool
	as                    []action
	events                int32
	state                 uint64
	running               []int
	effect                []bool
}

func (r *random) history() ([]action, int32) {
	r.as, r.events, r.state = r.as[:0], 0, 0
	r.running = append(r.running[:0], make([]int, r.processes)...)
	r.effect = append(r.effect[:0], make([]bool, r.ops)...)
	for steps := 0; steps < 4*r.ops; steps++ {
		r.step(r.IntN(r.processes))
	}
	for p := range r.running {
		for r.finish && r.running[p] != 0 {
			r.step(p)
		}
	}
	for i := range r.as {
		if a := &r.as[i]; a.ret == Never {
			a.role, a.value = None, 0
		} else if r.spoil > 0 && r.IntN(r.spoil) == 0 {
			r.other(a)
		}
	}
	return r.as, r.events
}

func (r *random) step(p int) {
	i := r.running[p] - 1
	switch {
	case i < 0 && len(r.as) == r.ops:
	case i < 0:
		r.events++
		r.as = append(r.as, r.call())
		r.running[p] = len(r.as)
	case !r.effect[i]:
		a := &r.as[i]
		a.role, a.value, r.state = r.m.step(r.state, a.method, a.arg)
		r.effect[i] = true
	default:
		r.events++
		r.as[i].ret = r.events
		r.running[p] = 0
	}
}

func (r *random) call() action {
	a := action{call: r.events, ret: Never}
	if r.IntN(8) >= r.bias {
		a.method = 1 + r.IntN(len(r.m.methods)-1)
	}
	switch {
	case r.m.fresh && a.method == 0:
		a.arg = uint64(len(r.as) + 1)
	case !r.m.fresh:
		a.arg = uint64(1 + r.IntN(r.keys))
	}
	return a
}

// other changes an answer: into one that the method gives in some other state.
func (r *random) other(a *action) {
	state := uint64(0)
	if r.IntN(3) > 0 {
		state = uint64(1 + r.IntN(len(r.as)))
		switch {
		case r.m.ownKey:
			state = 1 << a.arg
		case r.m.branch != nil:
			state = 1 << state
		}
	}
	a.role, a.value, _ = r.m.step(state, a.method, a.arg)
}

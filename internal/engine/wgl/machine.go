package wgl

import (
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// labeling numbers the different labels of operations, so that steps of a model
// can be remembered by label.
type labeling struct {
	source *labels

	of       []int32 // by operation; none if it is pending, or nobody knows what it returned
	labels   []*history.Label
	readOnly []bool  // by label
	unknown  bool    // some operations returned, and nobody knows what
	kinds    []int32 // by label of completed operations; nil if the model is a Reader

	hashes []uint64 // by label
	next   []int32  // by label: another of the same head, plus one
	heads  []int32  // by hash: a label, plus one
}

// labels is those of an execution's operations, with their hashes, which are computed
// in order of the operations: as they lie in memory.
type labels struct {
	e      *history.Execution
	own    []history.Label // by operation; nil: those of e
	hashes []uint64        // by operation; 0 of one that did not complete
}

// newLabels has what a model sees of the labels of an execution, or of those that a function makes of them; nil: of the same.
func newLabels(m Model, e *history.Execution, project func(history.Label) history.Label) *labels {
	l := &labels{e: e, hashes: make([]uint64, len(e.Ops))}
	if s, ok := m.(Seeing); ok {
		if seen := s.Seen(); seen != nil && project != nil {
			whole := project
			project = func(l history.Label) history.Label { return seen(whole(l)) }
		} else if seen != nil {
			project = seen
		}
	}
	if project != nil {
		l.own = make([]history.Label, len(e.Ops))
	}
	for i := range e.Ops {
		if project != nil {
			l.own[i] = project(e.Ops[i].Label)
		}
		if e.Ops[i].Completed() && e.Ops[i].Outcome != history.Pending {
			l.hashes[i] = hashLabel(l.at(int32(i))) | 1
		}
	}
	return l
}

// at is the label of an operation.
func (l *labels) at(op int32) *history.Label {
	if l.own != nil {
		return &l.own[op]
	}
	return &l.e.Ops[op].Label
}

// newLabeling looks at the operations in ops.
func newLabeling(m Model, s *labels, ops []int32) *labeling {
	l := &labeling{source: s, of: make([]int32, len(ops)), heads: make([]int32, 1<<bits.Len(uint(len(ops)))), next: make([]int32, 0, len(ops)),
		labels: make([]*history.Label, 0, len(ops)), hashes: make([]uint64, 0, len(ops)), readOnly: make([]bool, 0, len(ops))}
	reader, _ := m.(Reader)
	for i, op := range ops {
		h := s.hashes[op]
		if h == 0 {
			l.of[i] = none
			l.unknown = l.unknown || s.e.Ops[op].Completed()
			continue
		}
		label := s.at(op)
		l.of[i] = l.number(label, h)
		if n := len(l.readOnly); n < len(l.labels) {
			l.readOnly = append(l.readOnly, reader != nil && reader.ReadOnly(label))
		}
	}
	if reader == nil {
		l.kinds = kindsOf(l.labels)
	}
	return l
}

// number is the number of a label with its hash, a new one if no equal label was met.
func (l *labeling) number(label *history.Label, h uint64) int32 {
	head := &l.heads[h&uint64(len(l.heads)-1)]
	for n := *head; n != 0; n = l.next[n-1] {
		if old := l.labels[n-1]; l.hashes[n-1] == h && old.Kind == label.Kind && slices.Equal(old.Args, label.Args) && slices.Equal(old.Rets, label.Rets) {
			return n - 1
		}
	}
	l.labels, l.hashes, l.next = append(l.labels, label), append(l.hashes, h), append(l.next, *head)
	*head = int32(len(l.labels))
	return *head - 1
}

// hashLabel looks at values more than at kinds, of which there are few.
func hashLabel(l *history.Label) uint64 {
	h := uint64(len(l.Method)<<16 | len(l.Outcome)<<8 | len(l.Args))
	for _, v := range l.Args {
		h = semantics.Mix(h ^ semantics.HashValue(v))
	}
	for _, v := range l.Rets {
		h = semantics.Mix(h ^ semantics.HashValue(v))
	}
	return h
}

// call is the number of a call's label while it is pending.
func (l *labeling) call(op int32) int32 {
	own := l.source.at(op)
	pending := &history.Label{Kind: history.Kind{Method: own.Method}, Args: own.Args}
	n := l.number(pending, hashLabel(pending)|1)
	if int(n) == len(l.readOnly) {
		l.readOnly = append(l.readOnly, false)
	}
	return n
}

const none = -1

// memory is the states of a model that were met, numbered, and what labels do
// to them, computed once. All searches of one part share it.
type memory struct {
	model    Model
	brancher Brancher // model, if it is
	ahead    Ahead    // model, if it is
	labels   *labeling
	soon     func() []Soon // what ahead is told
	supposed *supposed     // nil if the model is a Reader

	states []State
	hashes []uint64
	next   []int32            // by state: another of the same head, plus one
	heads  []int32            // by hash: a state, plus one
	steps  table              // by state and label: the state after it, or none
	ways   map[uint64][]int32 // the same for pending calls
	taken  int                // bytes, by states and ways
}

// bytes is how much memory it takes, about.
func (k *memory) bytes() int {
	return k.taken + 28*cap(k.states) + 4*len(k.heads) + 12*len(k.steps.keys)
}

func newMemory(m Model, ls *labeling) *memory {
	n := len(ls.labels)
	k := &memory{model: m, labels: ls, heads: make([]int32, 1<<bits.Len(uint(n))), ways: map[uint64][]int32{},
		states: make([]State, 0, n/2), hashes: make([]uint64, 0, n/2), next: make([]int32, 0, n/2)}
	k.brancher, _ = m.(Brancher)
	k.ahead, _ = m.(Ahead)
	if ls.kinds != nil {
		k.supposed = newSupposed(ls.kinds)
	}
	k.steps.grow(4 << bits.Len(uint(len(ls.labels))))
	return k
}

// number is the state's number, a new one if no equal state was met.
func (k *memory) number(s State) int32 {
	h := s.Hash()
	at := semantics.Mix(h)
	for n := k.heads[at&uint64(len(k.heads)-1)]; n != 0; n = k.next[n-1] {
		if k.hashes[n-1] == h && k.states[n-1].Equal(s) {
			return n - 1
		}
	}
	if len(k.states) >= len(k.heads) {
		k.heads = make([]int32, 4*len(k.heads))
		for n, h := range k.hashes {
			k.hang(int32(n), semantics.Mix(h))
		}
	}
	n := int32(len(k.states))
	k.states, k.hashes, k.next = append(k.states, s), append(k.hashes, h), append(k.next, 0)
	k.hang(n, at)
	if sized, ok := s.(Sized); ok {
		k.taken += sized.Size()
	} else {
		k.taken += takenByState
	}
	return n
}

func (k *memory) hang(n int32, at uint64) {
	head := &k.heads[at&uint64(len(k.heads)-1)]
	k.next[n] = *head
	*head = n + 1
}

// step is the state after a label, or none.
func (k *memory) step(state, label int32) int32 {
	key := uint64(state)<<32 | uint64(label)
	next, ok := k.steps.get(key)
	if !ok {
		next = none
		if s, ok := k.ask(k.states[state], k.labels.labels[label]); ok {
			next = k.number(s)
		}
		if next != none && next != state && k.supposed != nil {
			k.supposed.changed(label)
		}
		k.steps.put(key, next)
	}
	return next
}

func (k *memory) ask(s State, l *history.Label) (State, bool) {
	if k.ahead == nil || k.soon == nil {
		return k.model.Step(s, l)
	}
	return k.ahead.StepAhead(s, l, k.soon)
}

// branches lists the states that a pending call may lead to, but for the state
// it is called in: there it may as well never take effect, unless it returned.
func (k *memory) branches(state, label int32) []int32 {
	key := uint64(state)<<32 | uint64(label)
	ways, ok := k.ways[key]
	if ok {
		return ways
	}
	s, l := k.states[state], k.labels.labels[label]
	var states []State
	if k.brancher != nil {
		states = k.brancher.Branches(s, l)
	} else if next, ok := k.ask(s, l); ok {
		states = append(states, next)
	}
	for _, next := range states {
		if n := k.number(next); (n != state || k.labels.unknown) && !slices.Contains(ways, n) {
			ways = append(ways, n)
		}
	}
	k.ways[key] = ways
	k.taken += 64 + 4*len(ways)
	return ways
}

// machine is a Model as a System.
type machine struct {
	*memory
	label   []int32 // by operation of the timeline; pending ones have those of their calls
	pending []bool
	state   int32
	stack   []int32
}

// newMachine is the machine of the operations in ops that were called in the
// prefix of n events.
func newMachine(m *memory, e *history.Execution, ops []int32, n int) *machine {
	ops = ops[:calledBefore(e, ops, n)]
	k := &machine{memory: m, label: make([]int32, len(ops)), pending: make([]bool, len(ops))}
	for i, op := range ops {
		if completedIn(&e.Ops[op], n) && m.labels.of[i] != none {
			k.label[i] = m.labels.of[i]
		} else {
			k.label[i], k.pending[i] = m.labels.call(op), true
		}
	}
	return k
}

func (k *machine) Start() int32 {
	k.state = k.number(k.model.Init())
	return k.state
}

func (k *machine) Accepts() bool          { return true }
func (k *machine) ReadOnly(op int32) bool { return k.labels.readOnly[k.label[op]] }
func (k *machine) Class(op int32) int32   { return k.label[op] }

func (k *machine) Undo() {
	k.state = k.stack[len(k.stack)-1]
	k.stack = k.stack[:len(k.stack)-1]
}

func (k *machine) Take(op int32, way int) (int32, Step) {
	switch {
	case k.pending[op]:
		ways := k.branches(k.state, k.label[op])
		if way >= len(ways) {
			return 0, NoWay
		}
		return k.move(ways[way])
	case way > 0:
		return 0, NoWay
	}
	next := k.step(k.state, k.label[op])
	if next == none {
		return 0, Refused
	}
	return k.move(next)
}

func (k *machine) move(next int32) (int32, Step) {
	k.stack = append(k.stack, k.state)
	k.state = next
	return next, Taken
}

// soonest lists the operations that the search is likely to take next: those that it
// may take now and those that are called next, in order of their middles, then pending
// ones.
func (k *machine) soonest(s *searcher) []Soon {
	ops := make([]int32, 0, soonMost)
	end, border := int32(len(s.slot)), int32(len(s.slot))+1
	op := s.next[end]
	for ; op != end && op != border && len(ops) < soonFuture; op = s.next[op] {
		ops = append(ops, op)
	}
	if op == border {
		for op := s.called[s.rank]; int(op) < len(s.slot) && len(ops) < soonFuture; op++ {
			if !s.pending(op) {
				ops = append(ops, op)
			}
		}
		slices.SortFunc(ops, func(a, b int32) int { return int(s.middle[a] - s.middle[b]) })
		for op := s.next[border]; op != end && len(ops) < soonMost; op = s.next[op] {
			ops = append(ops, op)
		}
	}
	ahead := make([]Soon, len(ops))
	for i, op := range ops {
		ahead[i].Label, ahead[i].Idle = k.labels.labels[k.label[op]], k.ReadOnly(op) || k.idle(op)
		first := s.rank // of the returns that come after its call
		for s.called[first] <= op {
			first++
		}
		for j, other := range ops {
			if s.returns[other] < int32(first) {
				ahead[i].After |= 1 << j
			}
		}
	}
	return ahead
}

package search

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// toy is a random program and a random specification.
type toy struct {
	threads int
	nodes   []toyNode
	sets    int32
	seed    uint64
	pad     int // bytes that make states larger

	noted  []atomic.Bool // marks that have been met
	frozen []bool        // those that count: machines of old ones fail at the others
	atCall func()        // called by Expand
}

// toyNode is a state.
type toyNode struct {
	steps []toyStep
	left  machine.Status
	mark  int // machine.ErrAgain unless it counts; -1: none
}

type toyStep struct {
	machine.Step
	to int
}

// toyShape says what random programs are like.
type toyShape struct {
	nodes, steps  int
	ahead         int // how far a step leads
	back          int // one step in so many leads anywhere
	none          int // one return in so many is not linearizable
	fault, noStep int // one in so many; 0: none
	marks, rare   int // marks, and one node in so many has one
}

func newToy(r *rand.Rand, shape toyShape) *toy {
	p := &toy{threads: 1 + r.IntN(3), sets: 1 + r.Int32N(8), seed: r.Uint64(), noted: make([]atomic.Bool, shape.marks), frozen: make([]bool, shape.marks)}
	switch r.IntN(50) {
	case 0: // as large as a piece of a frontier, and larger
		p.pad, shape.nodes = chunkBytes-10+r.IntN(10), min(shape.nodes, 50)
	case 1, 2, 3, 4:
		p.pad = r.IntN(300)
	}
	p.nodes = make([]toyNode, shape.nodes)
	for n := range p.nodes {
		p.nodes[n] = p.node(r, n, shape)
	}
	if shape.none > 0 {
		p.seed = p.seed&^0xffff | uint64(shape.none)
	} else {
		p.seed &^= 0xffff
	}
	return p
}

func (p *toy) node(r *rand.Rand, n int, shape toyShape) toyNode {
	node := toyNode{mark: -1}
	if shape.marks > 0 && one(r, shape.rare) {
		node.mark = r.IntN(shape.marks)
	}
	for t := range p.threads {
		left := r.IntN(2)
		node.left.Left = append(node.left.Left, left)
		switch {
		case r.IntN(2) == 0:
			node.left.Running = append(node.left.Running, t)
			node.left.Next = append(node.left.Next, nil)
		case left > 0:
			node.left.Next = append(node.left.Next, []int32{0, 1}[:r.IntN(3)])
		default:
			node.left.Next = append(node.left.Next, nil)
		}
	}
	node.left.Guessed = r.IntN(50) == 0
	if one(r, shape.noStep) {
		return node
	}
	for range 1 + r.IntN(shape.steps) {
		s := toyStep{to: min(shape.nodes-1, n+1+r.IntN(shape.ahead))}
		if one(r, shape.back) {
			s.to = r.IntN(shape.nodes)
		}
		s.Thread, s.Call, s.Answer = r.IntN(p.threads), r.Int32N(3)-1, r.Int32N(3)-1
		for range max(0, r.IntN(5)-2) {
			s.Announced = append(s.Announced, machine.Announced{Thread: r.IntN(p.threads), Answer: r.Int32N(3)})
		}
		s.Open = r.IntN(4) == 0
		for range r.IntN(3) {
			s.Choices = append(s.Choices, r.Int32N(3))
		}
		if slices.ContainsFunc(node.steps, func(k toyStep) bool {
			return k.Thread == s.Thread && k.Call == s.Call && slices.Equal(k.Choices, s.Choices)
		}) {
			s.Choices = append(s.Choices, int32(3+len(node.steps)))
		}
		for t := range p.threads + 1 {
			s.Perm = append(s.Perm, uint8(t))
		}
		if r.IntN(4) == 0 {
			r.Shuffle(p.threads, func(i, j int) { s.Perm[i], s.Perm[j] = s.Perm[j], s.Perm[i] })
		}
		if one(r, shape.fault) {
			kinds := []machine.FaultKind{machine.Race, machine.Misuse, machine.Crash, machine.NotCovered}
			s.Fault = &machine.Fault{Kind: kinds[r.IntN(len(kinds))], Text: strconv.Itoa(n)}
		}
		node.steps = append(node.steps, s)
	}
	return node
}

func one(r *rand.Rand, in int) bool { return in > 0 && r.IntN(in) == 0 }

// bytes is the canonical form of a node.
func (p *toy) bytes(n int) []byte {
	return append(binary.AppendUvarint(nil, uint64(n)), make([]byte, p.pad)...)
}

func nodeOf(state []byte) int {
	n, _ := binary.Uvarint(state)
	return int(n)
}

// toyMachine runs a toy.
type toyMachine struct {
	p      *toy
	frozen []bool
	step   machine.Step
	buf    []byte
}

func (m *toyMachine) Expand(state []byte, yield func(*machine.Step) error) error {
	node := &m.p.nodes[nodeOf(state)]
	if m.p.atCall != nil {
		m.p.atCall()
	}
	if node.mark >= 0 && !m.frozen[node.mark] {
		m.p.noted[node.mark].Store(true)
		return machine.ErrAgain
	}
	for i := range node.steps {
		k := &node.steps[i]
		m.step = k.Step
		if k.Fault == nil {
			m.buf = append(m.buf[:0], m.p.bytes(k.to)...)
			m.step.Next = m.buf
		}
		if err := yield(&m.step); err != nil {
			return err
		}
	}
	return nil
}

func (m *toyMachine) Status(state []byte) machine.Status { return m.p.nodes[nodeOf(state)].left }

func (p *toy) again() {
	p.frozen = make([]bool, len(p.noted))
	for i := range p.noted {
		p.frozen[i] = p.noted[i].Load()
	}
}

func (p *toy) problem() Problem {
	p.noted, p.frozen = make([]atomic.Bool, len(p.noted)), make([]bool, len(p.frozen))
	return Problem{
		Threads:  p.threads,
		Start:    func() []byte { return p.bytes(0) },
		Machine:  func() Machine { return &toyMachine{p: p, frozen: p.frozen} },
		Again:    p.again,
		Sets:     p,
		Answer:   func(raw int32) (int32, error) { return raw + 10, nil },
		Identity: "toy",
		Parts: []Part{Keep("marks", func() []bool { return p.frozen }, func(marks []bool) error {
			if len(marks) != len(p.frozen) {
				return errors.New("other marks")
			}
			for i := range marks {
				p.noted[i].Store(marks[i])
			}
			p.again()
			return nil
		})},
	}
}

// mix is a random function.
func (p *toy) mix(xs ...uint64) uint64 {
	h := p.seed
	for _, x := range xs {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

func (p *toy) Start() int32 { return p.sets }

func (p *toy) Call(set int32, thread int, call int32) (int32, error) {
	return 1 + int32(p.mix(1, uint64(set), uint64(thread), uint64(call))%uint64(p.sets)), nil
}

func (p *toy) Return(set int32, thread int, answer int32) (int32, error) {
	h := p.mix(2, uint64(set), uint64(thread), uint64(answer))
	if in := p.seed & 0xffff; in > 0 && h>>32%in == 0 {
		return 0, nil
	}
	return 1 + int32(h%uint64(p.sets)), nil
}

func (p *toy) Announce(set int32, thread int, answer int32) (int32, error) {
	return p.Return(set, thread+p.threads, answer)
}

func (p *toy) Permute(set int32, perm []uint8) int32 {
	if len(perm) != p.threads {
		panic("a permutation of other threads")
	}
	h := p.mix(3, uint64(set))
	for _, t := range perm {
		h = p.mix(h, uint64(t))
	}
	return 1 + int32(h%uint64(p.sets))
}

func (p *toy) MayWait(set int32, threads []int) (bool, error) {
	running := uint64(0)
	for _, t := range threads {
		running |= 1 << t
	}
	return running == 0 || p.mix(4, uint64(set), running)%4 != 0, nil
}

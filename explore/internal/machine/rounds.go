package machine

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// rounds tells whether the loops of a step come back to a state in which they were, which is compared
// with one of those before, ever less often a later one.
type rounds struct {
	next        int // how many instructions there are when the state is kept anew
	kept, again bool
	frames      []frame
	regs, words []ir.Word
	objs        []object
	threads     int
	chosen      int
	depth, deep int // of a recursion: where it was kept, and how much was chosen then
	params      []ir.Word
	fn          int32
	chose       bool // since the last round, alone
	outside     int  // how much was chosen when others could last see what the step did
	watch       Watch
	after       int               // how many instructions there are when the next round is followed
	until       int               // and when no longer
	met         map[string]string // states after choices, in all ways that the step goes, and the choices
}

// unseen is how many instructions of a step pass before anybody looks: most steps have fewer.
const unseen = 1 << 12

// reset begins a step.
func (r *rounds) reset() {
	r.next, r.kept, r.again, r.depth, r.chose, r.outside, r.after = 0, false, false, 0, false, 0, 0
	r.watch.Off()
}

// round is called at a jump back. A loop that is in a state for the second time does not end. But if it has read
// what nobody has been seen to write, somebody may yet; see spins. Nor does one end that goes round as before.
func (m *Machine) round(t *thread, to, pos int32) ctl {
	r, s := &m.rounds, &m.state
	if r.chose && !m.setup {
		r.chose = false
		if m.metBefore(t) {
			return block
		}
	}
	if m.steps <= unseen {
		return next
	}
	f := &t.frames[len(t.frames)-1]
	at := Place{Depth: len(t.frames), Fn: f.fn, PC: to}
	if r.watch.At(at) && r.watch.Again(t.regs, f.base) {
		return m.endless("a loop does not end", pos)
	}
	m.watch(at, f.base)
	words := s.words[len(m.shared.frozenWords):]
	if r.kept && r.threads == len(s.threads) && r.chosen == m.chosen && slices.Equal(r.frames, t.frames) &&
		slices.Equal(r.regs, t.regs) && slices.Equal(r.objs, s.objs) && slices.Equal(r.words, words) {
		if r.again {
			return m.endless("a loop does not end", pos)
		}
		r.again, r.kept = true, false
	}
	if !r.kept || m.steps > r.next {
		r.kept, r.next, r.threads, r.chosen = true, 2*m.steps, len(s.threads), m.chosen
		r.objs, r.words = append(r.objs[:0], s.objs...), append(r.words[:0], words...)
		r.frames, r.regs = append(r.frames[:0], t.frames...), append(r.regs[:0], t.regs...)
	}
	return next
}

// metBefore reports whether other choices have led to the same state: then what follows it is known.
func (m *Machine) metBefore(t *thread) bool {
	key := fmt.Append(nil, m.choices[:m.rounds.outside])
	for _, f := range t.frames {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(f.fn)), uint64(f.pc))
	}
	for _, w := range t.regs {
		key = binary.AppendUvarint(key, w)
	}
	for _, o := range m.state.objs {
		for _, n := range []int32{o.layout, o.off, o.n, o.owner} {
			key = binary.AppendVarint(key, int64(n))
		}
	}
	for _, w := range m.state.words[len(m.shared.frozenWords):] {
		key = binary.AppendUvarint(key, w)
	}
	choices := fmt.Sprint(m.choices[:m.chosen])
	first, ok := m.rounds.met[string(key)]
	if !ok {
		if m.rounds.met == nil {
			m.rounds.met = map[string]string{}
		}
		m.rounds.met[string(key)] = choices
	}
	return ok && first != choices
}

// deeper is called at a call within many others: one with arguments that it had before, while nothing has
// changed in memory, does not end.
func (m *Machine) deeper(t *thread, fn int32, params []ir.Word, pos int32) ctl {
	r, s := &m.rounds, &m.state
	words := s.words[len(m.shared.frozenWords):]
	f := &t.frames[len(t.frames)-1]
	at := Place{Depth: len(t.frames), Fn: fn, PC: -1}
	if r.watch.At(at) && r.watch.Again(t.regs, f.base) {
		return m.endless("a recursion does not end", pos)
	}
	m.watch(at, f.base)
	switch depth := len(t.frames); {
	case depth > m.shared.options.MostFrames:
		return m.tooDeep(pos)
	case r.depth == 0 || depth <= r.depth:
		r.depth, r.fn, r.params, r.words = depth, fn, append(r.params[:0], params...), append(r.words[:0], words...)
		r.kept, r.deep = false, m.chosen
	case fn == r.fn && slices.Equal(params, r.params) && r.deep == m.chosen && slices.Equal(r.words, words):
		return m.endless("a recursion does not end", pos)
	}
	return moved
}

func (m *Machine) tooDeep(pos int32) ctl {
	return m.beyond(fmt.Sprintf("a recursion of more than %s", wording.Count(m.shared.options.MostFrames, "call")), pos)
}

// beyond is the fault of what may end, but not within what is explored.
func (m *Machine) beyond(text string, pos int32) ctl {
	m.fault = &Fault{Kind: NotCovered, Text: text, Pos: m.place(pos), Threads: []int{int(m.cur)}, Limit: true}
	return stop
}

func (m *Machine) endless(text string, pos int32) ctl {
	m.fault = &Fault{Kind: Endless, Text: text, Pos: m.place(pos), Threads: []int{int(m.cur)}}
	return stop
}

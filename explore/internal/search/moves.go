package search

import (
	"encoding/binary"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// moves numbers moves: an exploration has few that differ.
type moves struct {
	all   []machine.Move
	plain map[plainMove]uint32 // without choices
	other map[string]uint32
	key   []byte
}

type plainMove struct {
	thread int
	call   int32
}

func newMoves() moves {
	return moves{plain: map[plainMove]uint32{}, other: map[string]uint32{}}
}

// number is the number of a move, which is copied if it is new.
func (t *moves) number(m machine.Move) uint32 {
	if len(m.Choices) == 0 {
		n, ok := t.plain[plainMove{m.Thread, m.Call}]
		if !ok {
			n = t.add(m)
			t.plain[plainMove{m.Thread, m.Call}] = n
		}
		return n
	}
	t.key = binary.AppendVarint(binary.AppendVarint(t.key[:0], int64(m.Thread)), int64(m.Call))
	for _, c := range m.Choices {
		t.key = binary.AppendVarint(t.key, int64(c))
	}
	n, ok := t.other[string(t.key)]
	if !ok {
		n = t.add(m)
		t.other[string(t.key)] = n
	}
	return n
}

func (t *moves) add(m machine.Move) uint32 {
	m.Choices = slices.Clone(m.Choices)
	t.all = append(t.all, m)
	return uint32(len(t.all) - 1)
}

// path is the moves that lead from the start to a state, with room for one more.
func (s *Search) path(state uint32) []machine.Move {
	var back []machine.Move
	for ; state != 0; state = s.parent.at(int(state)) {
		back = append(back, s.moves.all[s.move.at(int(state))])
	}
	slices.Reverse(back)
	return back
}

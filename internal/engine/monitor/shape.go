package monitor

import (
	"maps"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/follow"
)

// A shape is the set of patterns of a type, with roles instead of kinds of
// operations. Patterns are written one operation a word: the letter of its role
// and the number of its match, X if it is unmatched.
type shape struct {
	Name     string
	about    string // what decides it, for messages
	roles    []player
	patterns []string
	named    bool // calls say which value they are about, those of removes, too
	Table    bool // a container of which only the table is known
	Whole    bool // decided as a whole only, not followed
	New      func() batch.Algorithm
	Follow   func() follow.Follower // nil for segments
}

// player is a role in a shape.
type player struct {
	letter   byte
	role     batch.Role
	readOnly bool
	target   bool // stands for itself
	many     bool // any number of kinds may play it, otherwise exactly one
	optional bool
}

var (
	adds     = player{letter: 'A', role: batch.Add, target: true}
	removes  = player{letter: 'R', role: batch.Remove}
	finds    = player{letter: 'E', role: batch.Empty, readOnly: true, target: true, many: true, optional: true}
	sees     = player{letter: 'P', role: batch.Present, readOnly: true, many: true, optional: true}
	misses   = player{letter: 'N', role: batch.Absent, readOnly: true, many: true, optional: true}
	seesOnly = player{letter: 'P', role: batch.Present, readOnly: true, many: true}
)

// shapes lists what is known. It is a function so that nobody can change it.
func shapes() []shape {
	container := []string{"RX", "R1 A1", "A1 R1 R1", "A1 E2", "A1 E2 R1"}
	peeked := append(container[:5:5], "PX", "P1 A1", "P1 A1 R1", "A1 R1 P1")
	peeked = peeked[:len(peeked):len(peeked)]
	return []shape{
		{
			Name: "queue", about: "values leave in the order in which they came",
			roles:    []player{adds, removes, finds, sees},
			patterns: append(peeked, "A1 A2 R2", "A1 A2 R2 R1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2"),
			New:      func() batch.Algorithm { return new(batch.Queue) },
			Follow:   follow.NewQueue,
		},
		{
			Name: "stack", about: "the value that came last leaves first",
			roles:    []player{adds, removes, finds, sees},
			patterns: append(peeked, "A1 A2 R1", "A1 A2 R1 R2", "A1 A2 P1", "A1 A2 P1 R2", "A1 A2 P1 R2 R1"),
			New:      func() batch.Algorithm { return new(batch.Stack) },
		},
		{
			Name: "bag", about: "values leave in any order",
			roles:    []player{adds, removes, finds},
			patterns: container,
			New:      func() batch.Algorithm { return new(batch.Bag) },
			Follow:   follow.NewBag,
		},
		{
			Name: "lock", about: "at most one value is in",
			roles:    []player{adds, removes, finds, sees},
			patterns: append(peeked, "A1 A2", "A1 A2 R1", "A1 A2 R2", "A1 A2 R1 R2", "A1 A2 R2 R1"),
			New:      func() batch.Algorithm { return new(batch.Lock) },
			Follow:   follow.NewLock,
		},
		{
			Name: "register", about: "the value that came last is seen",
			roles:    []player{adds, finds, seesOnly},
			patterns: []string{"PX", "P1 A1", "A1 E2", "A1 A2 P1"},
			New:      func() batch.Algorithm { return new(batch.Register) },
			Follow:   follow.NewRegister,
		},
		{
			Name: "set", about: "values do not depend on each other",
			roles:    []player{adds, removes, sees, misses},
			patterns: []string{"RX", "R1 A1", "A1 R1 R1", "PX", "P1 A1", "P1 A1 R1", "A1 R1 P1", "A1 N1", "A1 N1 R1"},
			named:    true,
			New:      func() batch.Algorithm { return new(batch.Set) },
			Follow:   func() follow.Follower { return follow.NewSet(false) },
		},
	}
}

// match is a pattern of a shape over the kinds of a theory.
type match struct {
	text    string // as the shape writes it
	history *history.History
}

// instances lists the patterns of the shape over the kinds that play its roles.
// A pattern that needs a role which no kind plays is left out, and one with a
// role that many play is there once for each.
func (s *shape) instances(cast map[history.Kind]byte) (all []match) {
	players := map[byte][]history.Kind{}
	for _, k := range kinds(cast) {
		players[cast[k]] = append(players[cast[k]], k)
	}
	for _, text := range s.patterns {
		s.fill(strings.Fields(text), players, nil, func(ops []history.Op) {
			all = append(all, match{text, history.Sequence(ops...)})
		})
	}
	return all
}

// size counts the instances.
func (s *shape) size(cast map[history.Kind]byte) (all int) {
	players := map[byte]int{}
	for _, letter := range cast {
		players[letter]++
	}
	for _, text := range s.patterns {
		n := 1
		for w := range strings.FieldsSeq(text) {
			n *= players[w[0]]
		}
		all += n
	}
	return all
}

// kinds lists the kinds of a cast in order of their names.
func kinds(cast map[history.Kind]byte) []history.Kind {
	return slices.SortedFunc(maps.Keys(cast), func(a, b history.Kind) int { return strings.Compare(a.String(), b.String()) })
}

// fill puts kinds for the words behind ops, in all ways. No pattern has two
// operations of a role that many play.
func (s *shape) fill(words []string, players map[byte][]history.Kind, ops []history.Op, yield func([]history.Op)) {
	if len(ops) == len(words) {
		yield(s.link(words, ops))
		return
	}
	letter := words[len(ops)][0]
	for _, k := range players[letter] {
		op := history.Op{Kind: k, ReadOnly: s.role(letter).readOnly}
		s.fill(words, players, append(ops[:len(ops):len(ops)], op), yield)
	}
}

// link sets the targets: a match is a number, its target the operation that may be one.
func (s *shape) link(words []string, ops []history.Op) []history.Op {
	targets := map[byte]int{'X': history.Unmatched}
	for i, w := range words {
		if s.role(w[0]).target {
			targets[w[1]] = i
		}
	}
	for i, w := range words {
		ops[i].Target = targets[w[1]]
	}
	return ops
}

func (s *shape) role(letter byte) *player {
	for i := range s.roles {
		if s.roles[i].letter == letter {
			return &s.roles[i]
		}
	}
	return nil
}

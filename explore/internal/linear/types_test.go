package linear

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/spec"
)

// datatype is a data type whose states are texts.
type datatype struct {
	calls   int32
	answers int32
	random  bool
	moves   func(state string, call int32) []move
	numbers map[string]int32
	states  []string
}

type move struct {
	answer int32
	next   string
}

func (d *datatype) number(state string) int32 {
	n, known := d.numbers[state]
	if !known {
		n = int32(len(d.states))
		d.numbers[state] = n
		d.states = append(d.states, state)
	}
	return n
}

func (d *datatype) Start() int32 { return d.number("") }

func (d *datatype) Moves(state, call int32) (moves []spec.Move, err error) {
	for _, m := range d.moves(d.states[state], call) {
		moves = append(moves, spec.Move{Answer: m.answer, Next: d.number(m.next)})
	}
	return moves, nil
}

func (d *datatype) Text(state int32) string { return d.states[state] }

// The answers of the types below, but for values.
const (
	no int32 = iota
	yes
	done
	empty
	values // and more
)

// types are a set, a queue, a queue whose dequeue may fail, a lock, a register, random relations.
func types(r *rand.Rand) *datatype {
	d := &datatype{numbers: map[string]int32{}}
	switch r.IntN(6) {
	case 0:
		d.calls, d.answers, d.moves = 6, 2, func(state string, call int32) []move {
			v, is := fmt.Sprint(call/3), strings.Contains(state, fmt.Sprint(call/3))
			answer := no
			if is {
				answer = yes
			}
			switch call % 3 {
			case 0:
				if !is {
					letters := strings.Split(state+v, "")
					slices.Sort(letters)
					return []move{{yes, strings.Join(letters, "")}}
				}
				return []move{{no, state}}
			case 1:
				return []move{{answer, strings.ReplaceAll(state, v, "")}}
			}
			return []move{{answer, state}}
		}
	case 1, 2:
		fails := r.IntN(2) == 0
		d.calls, d.answers, d.moves = 3, values+2, func(state string, call int32) (all []move) {
			if call < 2 {
				return []move{{done, state + fmt.Sprint(call)}}
			}
			if fails || state == "" {
				all = append(all, move{empty, state})
			}
			if state != "" {
				all = append(all, move{values + int32(state[0]-'0'), state[1:]})
			}
			return all
		}
	case 3:
		d.calls, d.answers, d.moves = 2, 3, func(state string, call int32) []move {
			if call == 0 && state == "" {
				return []move{{done, "locked"}}
			} else if call == 1 && state != "" {
				return []move{{done, ""}}
			}
			return nil
		}
	case 4:
		d.calls, d.answers, d.moves = 3, values+2, func(state string, call int32) []move {
			if call < 2 {
				return []move{{done, fmt.Sprint(call)}}
			} else if state == "" {
				return []move{{empty, state}}
			}
			return []move{{values + int32(state[0]-'0'), state}}
		}
	default:
		seed := r.Uint64()
		d.random = true
		d.calls, d.answers, d.moves = 3, 3, func(state string, call int32) (all []move) {
			r := rand.New(rand.NewPCG(seed, uint64(call)<<32+uint64(len(state))))
			for range r.IntN(4) {
				all = append(all, move{r.Int32N(3), strings.Repeat("x", r.IntN(4))})
			}
			return all
		}
	}
	return d
}

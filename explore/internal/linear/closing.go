package linear

import (
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/spec"
)

// ErrMost is the error of a call after which a set would have more configurations
// than Most.
var ErrMost = errors.New("operations that run at the same time have more than 65536 possible effects: explore fewer goroutines")

// interned is sets by number. A set is its configurations, in order, one after the
// other.
type interned struct {
	all    []int32 // of all sets
	from   []int64 // by set: where it begins
	hashes []uint64
	byHash []int32 // a set
}

func (s *interned) init() {
	*s = interned{from: []int64{0, 0}, hashes: []uint64{0}, byHash: make([]int32, 1<<8)}
}

func (s *interned) of(set int32) []int32 { return s.all[s.from[set]:s.from[set+1]] }

// number is the number of a set, which is None if it is empty.
func (s *interned) number(configs []int32) int32 {
	if len(configs) == 0 {
		return None
	}
	h := hash(configs)
	at := h
	for ; ; at++ {
		set := s.byHash[at&uint64(len(s.byHash)-1)]
		if set == None {
			break
		}
		if s.hashes[set] == h && slices.Equal(s.of(set), configs) {
			return set
		}
	}
	set := int32(len(s.hashes))
	s.byHash[at&uint64(len(s.byHash)-1)] = set
	s.all = append(s.all, configs...)
	s.from, s.hashes = append(s.from, int64(len(s.all))), append(s.hashes, h)
	if 2*len(s.hashes) > len(s.byHash) {
		s.byHash = make([]int32, 2*len(s.byHash))
		for set, h := range s.hashes[1:] {
			for ; s.byHash[h&uint64(len(s.byHash)-1)] != None; h++ {
			}
			s.byHash[h&uint64(len(s.byHash)-1)] = int32(set) + 1
		}
	}
	return set
}

func hash(words []int32) uint64 {
	h := uint64(len(words))
	for _, w := range words {
		h = mix(h ^ uint64(uint32(w)))
	}
	return h
}

// closing is configurations that become a set. They are distinct.
type closing struct {
	width int // of a configuration
	all   []int32
	count int
	slots []int32 // by hash: a configuration, plus one
	order [][]int32
	out   []int32
	next  []int32
}

func (w *closing) clear() {
	w.all, w.count = w.all[:0], 0
	if len(w.slots) == 0 {
		w.slots = make([]int32, 1<<8)
	}
	clear(w.slots)
}

func (w *closing) at(i int) []int32 { return w.all[i*w.width:][:w.width] }

// add adds a configuration, which is known to be new.
func (w *closing) add(c []int32) {
	w.all = append(w.all, c...)
	w.count++
}

// rehash finds the configurations by what they are now.
func (w *closing) rehash() {
	for 2*w.count >= len(w.slots) {
		w.slots = make([]int32, 2*len(w.slots))
	}
	clear(w.slots)
	for i := range w.count {
		*w.slot(w.at(i)) = int32(i) + 1
	}
}

// slot is that of a configuration, or the free one that is to be its.
func (w *closing) slot(c []int32) *int32 {
	for at := hash(c); ; at++ {
		s := &w.slots[at&uint64(len(w.slots)-1)]
		if *s == 0 || slices.Equal(w.at(int(*s)-1), c) {
			return s
		}
	}
}

// close adds what is reached by effects of running operations, in all orders.
func (w *closing) close(s spec.Spec) error {
	for i := 0; i < w.count; i++ {
		for t := 1; t < w.width; t++ {
			c := w.at(i)
			if c[t]%2 == 0 {
				continue
			}
			moves, err := s.Moves(c[0], c[t]/2)
			if err != nil {
				return err
			}
			for _, m := range moves {
				w.next = append(w.next[:0], w.at(i)...)
				w.next[0], w.next[t] = m.Next, took(m.Answer)
				slot := w.slot(w.next)
				if *slot != 0 {
					continue
				}
				if w.count == Most {
					return ErrMost
				}
				w.add(w.next)
				if *slot = int32(w.count); 2*w.count >= len(w.slots) {
					w.rehash()
				}
			}
		}
	}
	return nil
}

// sorted is the configurations in order, until the next use.
func (w *closing) sorted() []int32 {
	w.order, w.out = w.order[:0], w.out[:0]
	for i := range w.count {
		w.order = append(w.order, w.at(i))
	}
	slices.SortFunc(w.order, slices.Compare[[]int32])
	for _, c := range w.order {
		w.out = append(w.out, c...)
	}
	return w.out
}

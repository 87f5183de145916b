package enumerate

// Op is one operation of an abstract sequential history: a kind, the position
// of its match target, and whether it is read-only.
type Op struct {
	Kind     int8
	Target   int8 // position of the match target; Free if unmatched
	ReadOnly bool
}

// Free is the Target of an unmatched operation.
const Free = -1

// Sequence is a sequential history over an alphabet. Sequences are short: at
// most 127 operations over at most 127 kinds.
type Sequence []Op

// AppendKey appends a key that equal sequences share, and no others of the same
// alphabet.
func (s Sequence) AppendKey(dst []byte) []byte {
	for _, o := range s {
		dst = append(dst, byte(o.Kind)<<1|bit(o.ReadOnly), byte(o.Target))
	}
	return dst
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// frequency is the number of operations identical to the i-th, itself included.
func (s Sequence) frequency(i int) int {
	n := 0
	for j := range s {
		if s[j] == s[i] {
			n++
		}
	}
	return n
}

// Weight is the larger of the number of matches and the highest frequency of
// identical operations.
func (s Sequence) Weight() int {
	w, matches := 0, 0
	for i, o := range s {
		if int(o.Target) == i {
			matches++
		}
		w = max(w, s.frequency(i))
	}
	return max(w, matches)
}

// insert puts a new operation at position p of s, shifting targets, and appends
// the result to dst. The operation's own target is given in the new numbering.
func (s Sequence) insert(dst Sequence, p int, o Op) Sequence {
	for i := 0; i <= len(s); i++ {
		if i == p {
			dst = append(dst, o)
		}
		if i < len(s) {
			old := s[i]
			old.Target = shift(old.Target, p)
			dst = append(dst, old)
		}
	}
	return dst
}

// shift renumbers a position after an insertion at p.
func shift(target int8, p int) int8 {
	if int(target) >= p {
		return target + 1
	}
	return target
}

// Without appends to dst what s is without the operations at some positions, which
// ascend. No operation may stay whose target goes.
func (s Sequence) Without(dst Sequence, positions []int) Sequence {
	var renumber [128]int8
	from := len(dst)
	for i, o := range s {
		if len(positions) > 0 && positions[0] == i {
			positions = positions[1:]
			continue
		}
		renumber[i] = int8(len(dst) - from)
		dst = append(dst, o)
	}
	for i := from; i < len(dst); i++ {
		if dst[i].Target != Free {
			dst[i].Target = renumber[dst[i].Target]
		}
	}
	return dst
}

// Removals yields every one-step removal from s ("Symbolic ADT inference" §5), as the
// positions to leave out, not to be changed: a read-only operation, an unmatched one, a
// duplicate, or a whole match. A read-only operation that is the target of others goes with
// its match only. What is removed comes in words.
func (s Sequence) Removals(yield func(what string, positions []int) bool) bool {
	for i, o := range s {
		if what := s.single(i, o); what != "" && !yield(what, ascending[i:i+1:i+1]) {
			return false
		}
	}
	for i, o := range s {
		if int(o.Target) != i {
			continue
		}
		positions := make([]int, 0, len(s))
		for j := range s {
			if int(s[j].Target) == i {
				positions = append(positions, j)
			}
		}
		if !yield("a whole match", positions) {
			return false
		}
	}
	return true
}

// ascending are all positions that a sequence may have.
var ascending = func() (ps [128]int) {
	for i := range ps {
		ps[i] = i
	}
	return ps
}()

// single is what operation i is if it may be removed alone.
func (s Sequence) single(i int, o Op) string {
	switch {
	case int(o.Target) == i: // a target: alone it is a whole match
		return ""
	case o.ReadOnly:
		return "a read-only operation"
	case o.Target == Free:
		return "an unmatched operation"
	case s.frequency(i) > 1:
		return "a duplicate operation"
	}
	return ""
}

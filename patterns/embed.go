package patterns

import "github.com/adtinfer/adtinfer/enumerate"

// matcher decides whether a fixed sequential history embeds in others. It is
// the direct reading of EMBED ("Symbolic ADT inference" §6) on sequential
// histories of completed operations: distinct operations in the same order with
// the same kinds, flags and matching, such that every other operation of a match
// is read-only or a duplicate.
//
// A Matcher is safe for concurrent use.
type matcher struct {
	ops   enumerate.Sequence
	masks []uint64 // by position of a target: kinds its match may have, as bits
}

// newMatcher prepares a history with at most 64 kinds.
func newMatcher(p enumerate.Sequence) *matcher {
	ops := append(enumerate.Sequence(nil), p...)
	return &matcher{ops, kindMasks(nil, ops)}
}

// kindMasks appends, for each position that is a match target, the set of kinds
// of the match's operations that are not read-only.
func kindMasks(dst []uint64, s enumerate.Sequence) []uint64 {
	for range s {
		dst = append(dst, 0)
	}
	for _, o := range s {
		if o.Target != enumerate.Free && !o.ReadOnly {
			dst[o.Target] |= 1 << o.Kind
		}
	}
	return dst
}

// host is a history prepared for matchers. Its buffers are reused by Set.
type host struct {
	ops   enumerate.Sequence
	masks []uint64
	image [128]int8 // by position of a pattern's target: where that target is in the host
}

// Set makes s the history to search in.
func (h *host) Set(s enumerate.Sequence) {
	h.ops = s
	h.masks = kindMasks(h.masks[:0], s)
}

// Embeds reports whether the matcher's history embeds in the host's: whether the
// latter turns into it by removals. Worst case O(n^k) for a pattern of k
// operations in n; the order and the matching prune nearly all of it.
func (m *matcher) Embeds(h *host) bool {
	if len(m.ops) > len(h.ops) {
		return false
	}
	for i := range m.ops {
		h.image[i] = enumerate.Free
	}
	return m.place(h, 0, 0)
}

// place finds a place for operation i and those after it, from position p on.
func (m *matcher) place(h *host, i, p int) bool {
	if i == len(m.ops) {
		return true
	}
	want := m.ops[i]
	for last := len(h.ops) - (len(m.ops) - i); p <= last; p++ {
		o := h.ops[p]
		if o.Kind != want.Kind || o.ReadOnly != want.ReadOnly || (o.Target < 0) != (want.Target < 0) {
			continue
		}
		if want.Target < 0 {
			if m.place(h, i+1, p+1) {
				return true
			}
			continue
		}
		if (int(want.Target) == i) != (int(o.Target) == p) {
			continue
		}
		if t := h.image[want.Target]; t == enumerate.Free {
			if !m.fits(h, want.Target, o.Target) {
				continue
			}
			h.image[want.Target] = o.Target
			if m.place(h, i+1, p+1) {
				return true
			}
			h.image[want.Target] = enumerate.Free
		} else if t == o.Target && m.place(h, i+1, p+1) {
			return true
		}
	}
	return false
}

// fits reports whether the match with target t of the pattern may be the match
// with target u of the host: no other match is, and no operation is too much.
func (m *matcher) fits(h *host, t, u int8) bool {
	if h.masks[u]&^m.masks[t] != 0 {
		return false
	}
	for _, other := range h.image[:len(m.ops)] {
		if other == u {
			return false
		}
	}
	return true
}

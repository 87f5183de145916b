//go:build go1.21

package driver

// maxEffort bounds what is done ahead, in bytes of texts; a call counts as 16.
const maxEffort = 1 << 18

// MaxAhead is how many calls ahead a request may have.
const MaxAhead = 61

// What is expected of a call ahead: any answer, one whose text follows, or one of
// those that the keeper numbered, from 0 on.
const (
	AnyAnswer = iota
	TextAnswer
	FirstAnswer
)

// maxTried bounds the ways that calls ahead are tried in, for each step.
const maxTried = 16

// likely is a call ahead.
type likely struct {
	call     int32 // -1: none
	expected int
	text     []byte // of the expected answer
	after    uint64 // calls ahead that are made before, a bit each
	idle     bool   // it is likely to change nothing
}

// AppendSet appends a set of calls ahead, a bit each.
func AppendSet(b []byte, set uint64) []byte {
	return AppendNumber(AppendNumber(b, int(set&(1<<31-1))), int(set>>31))
}

func (r *Reader) set() uint64 { return uint64(r.Number()) | uint64(r.Number())<<31 }

func (k *keeper) readAhead(in *Reader) (ahead []likely, err error) {
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		l := likely{call: int32(in.Number()) - 1, expected: in.Number()}
		if l.expected == TextAnswer {
			l.text = in.Bytes()
		}
		l.idle = in.Number() != 0
		l.after = in.set()
		if ahead = append(ahead, l); int(l.call) >= len(k.calls) || len(ahead) > MaxAhead {
			return nil, errShort
		}
	}
	return ahead, in.Err
}

// lookahead makes calls ahead as a search would: the first that answers as expected,
// then on from there, each call once on a way. Those that change nothing come first,
// and nothing else is tried instead.
type lookahead struct {
	*keeper
	calls []likely
	goal  uint64 // the calls that something is expected of
	most  int    // steps to make
	made  []int32
	seen  map[way]bool
}

// way is a state with the calls ahead that led there, a bit each.
type way struct {
	state int32
	taken uint64
}

// from reports whether the search ends: all calls were made on a way, or there were
// enough steps. Before the call number first, others were tried.
func (a *lookahead) from(w way, first int) bool {
	if a.seen[w] || len(a.seen) > maxTried*a.most {
		return len(a.seen) > maxTried*a.most
	}
	a.seen[w] = true
	for _, idle := range [...]bool{true, false} {
		if idle && first > 0 && !a.calls[first].idle {
			continue
		} else if !idle && a.calls[first].idle {
			first = 0
		}
		for j := first; j < len(a.calls); j++ {
			l := &a.calls[j]
			if w.taken>>j&1 != 0 || l.after&^w.taken != 0 || l.call < 0 || idle && !l.idle {
				continue
			}
			next, fits, ok := a.make(w.state, l)
			switch {
			case !ok:
				return true
			case idle && fits && next == w.state:
				return a.from(way{next, w.taken | 1<<j}, 0)
			case !idle && fits && a.from(way{next, w.taken | 1<<j}, 0):
				return true
			}
		}
	}
	return w.taken&a.goal == a.goal
}

// make makes a call ahead and reports whether it answers as expected; ok is false if
// enough was done.
func (a *lookahead) make(s int32, l *likely) (next int32, fits, ok bool) {
	v, known := a.memo[pairOf(s, l.call)]
	next, answer := int32(v>>32), int32(uint32(v))
	if !known {
		if len(a.made) >= 4*a.most || a.effort >= maxEffort {
			return 0, false, false
		}
		if next, answer, known = a.step(s, l.call); !known {
			a.r.fault = nil
			return 0, false, true
		}
		a.made = append(a.made, s, l.call, next, answer)
	}
	switch l.expected {
	case AnyAnswer:
		return next, true, true
	case TextAnswer:
		return next, reads(a.raw[answer], l.text), true
	}
	return next, l.expected-FirstAnswer == int(answer), true
}

// reads reports whether an answer has a text: the outcome's name and the values as logs
// write them, each with its length.
func reads(answer, text []byte) bool {
	a, b := NewReader(answer), NewReader(text)
	same := string(a.Bytes()) == string(b.Bytes())
	for same && a.More() && b.More() {
		_, v := a.Value()
		same = LogText(v) == string(b.Bytes()) && a.Err == nil && b.Err == nil
	}
	return same && !a.More() && !b.More()
}

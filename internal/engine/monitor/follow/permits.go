package follow

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// permits follows semaphores: see batch.Permits. How many values are surely in is known
// at each event, and does not change. A value is kept until its add and its remove have
// returned.
//
// An event takes constant time.
type permits struct {
	broken
	limit   int
	now     int64
	depth   int   // values that are surely in
	free    int64 // the last gap with room for one more
	values  map[history.Value]*permit
	running int
}

// permit is a value of a semaphore: the call and return of its add, the call of its
// remove; 0 if there is none.
type permit struct {
	as, ae, rs int64
	gone       bool // its remove returned
}

// NewPermits follows a semaphore of so many permits.
func NewPermits(limit int) Follower {
	return &permits{limit: limit, values: map[history.Value]*permit{}}
}

func (p *permits) called(o calling) (int64, string) {
	x := p.values[o.asked]
	if o.open == batch.MaybeAdd && x != nil && x.as != 0 {
		return 0, addsAgain
	}
	p.now++
	p.running++
	if x == nil {
		x = &permit{}
		p.values[o.asked] = x
	}
	switch {
	case o.open == batch.MaybeAdd:
		x.as = p.now
	case x.rs == 0:
		if x.rs = p.now; x.ae != 0 {
			p.depth--
		}
	}
	return p.now, p.passed()
}

// passed takes note of the gap after an event.
func (p *permits) passed() string {
	if p.depth < p.limit {
		p.free = p.now
	}
	return ""
}

func (p *permits) returned(o returning) batch.Answer {
	p.now++
	p.running--
	x := p.values[o.val]
	switch {
	case x == nil:
		return p.no(batch.NeverAdded, o.val)
	case o.did == batch.Add:
		x.ae = p.now
		if x.rs == 0 {
			p.depth++
		}
	case x.gone:
		return p.no(batch.Twice, o.val)
	case x.as == 0:
		return p.no(batch.NeverAdded, o.val)
	case x.rs != o.at:
		return batch.Unclear // the remove that was called first seemed to be the one
	default:
		x.gone = true
	}
	if p.depth > p.limit || x.first(o.did) && p.free < max(x.as, x.rs) {
		return p.no(batch.Crowd, o.val)
	}
	if x.ae != 0 && x.gone {
		delete(p.values, o.val)
	}
	p.passed()
	return batch.Linearizable
}

// first reports whether a value without a core must have been in by now, since one of
// its operations returned, and the other had not.
func (x *permit) first(did batch.Role) bool {
	if did == batch.Add {
		return x.rs != 0 && !x.gone
	}
	return x.ae == 0
}

func (p *permits) live() int { return len(p.values) + p.running }

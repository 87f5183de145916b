//go:build go1.21

package driver

import "math/rand"

// audit picks steps that were made and compares them with what a new object does.
// Trials make calls of their own choice, audits those that matter. They make one
// call in auditEvery steps or so.
type audit struct {
	rng   *rand.Rand
	steps []uint64 // all that were made: state and call
	saved int      // steps that no audit made up for yet
}

const (
	auditEvery = 4
	auditLent  = 8 // arguments that are looked at
	auditAfter = 4 // calls that are made after a step, if their answers are known
)

// made notes a step.
func (a *audit) made(s, c int32) {
	a.steps = append(a.steps, pairOf(s, c))
	a.saved++
}

// holds audits a step if one is due, and reports whether all answers are as they
// were: on the way to the state, in it, and afterwards.
func (k *keeper) holds() bool {
	a := &k.audit
	if !k.kept.Copied && !k.kept.Interned || a.saved < auditEvery*(auditAfter+1) {
		return true
	}
	if a.rng == nil {
		a.rng = rand.New(rand.NewSource(1))
	}
	pair := a.steps[a.rng.Intn(len(a.steps))]
	s, c := int32(pair>>32), int32(uint32(pair))
	depth := int(k.states[s].depth)
	if a.saved < auditEvery*(auditAfter+1+depth) {
		return true
	}
	a.saved = 0
	return k.holdsAt(s, c)
}

// holdsAt audits the step of call c in state s.
func (k *keeper) holdsAt(s, c int32) bool {
	k.r.seq = int(s)
	k.r.calling(int(c))
	if k.world.Written(auditLent) {
		k.r.fault = &Fault{Reason: Uncopied, Seq: int(s), At: int(c), Detail: "it writes to what its arguments point to"}
		return false
	}
	p, err := k.replay(s)
	if err != nil {
		return false
	}
	for i := 0; i <= auditAfter; i++ {
		next := k.memo[pairOf(s, c)]
		blocked := k.try(p, &k.calls[c])
		if k.r.fault != nil || k.number(&k.calls[c], k.r.out) != int32(uint32(next)) {
			k.r.fault = &Fault{Reason: Uncopied, Seq: int(s), At: int(c), Detail: "it answers differently on a new object"}
			return false
		}
		if blocked {
			return true
		}
		s = int32(next >> 32)
		for tries := 0; ; tries++ {
			c = int32(k.audit.rng.Intn(len(k.calls)))
			if _, known := k.memo[pairOf(s, c)]; known {
				break
			}
			if tries == auditAfter {
				return true
			}
		}
	}
	return true
}

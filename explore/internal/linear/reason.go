package linear

// Rule is a rule by which a monitor refuses.
type Rule uint8

// The rules; M3 to M8 of the paper.
const (
	Misplaced   Rule = iota // the observer's state does not allow what is announced
	Again                   // an operation that changed the observer is announced again
	Idle                    // what is announced does not run
	Unannounced             // an operation returns that was never announced
	Otherwise               // an operation returns something else than was announced
)

// Reason is why a move was refused.
type Reason struct {
	Rule   Rule
	Thread int
	Call   int32 // that the thread runs; -1: none
	Answer int32 // that was announced, or returned
	Before int32 // that was announced before; -1: none
	State  int32 // of the observer
}

// Refusal is why the last move that was refused was.
func (s *Monitor) Refusal() Reason { return s.refusal }

func (s *Monitor) refuse(r Rule) (int32, error) {
	s.refusal.Rule = r
	return NoState, nil
}

package schedule

// A Step is what a goroutine did at one place, in the order of the schedule. Steps in a row at the same line are one.
type Step struct {
	Goroutine int    // 1 is the test
	File      string // and
	Line      int    // where, in the packages under test
	Func      string
	What      string // "channel", "select", "lock", "sync", "atomic", "go", "memory", "waits", "ends" or "time goes on"
	Started   int    // of "go": the new goroutine
}

var kinds = []string{"channel", "select", "lock", "sync", "atomic", "go", "memory", "waits", "ends", "time goes on"}

// inOrder are recorded events in the order in which they took effect. An event is recorded where a goroutine comes to a
// gate; if another one has the next turn, what is behind the gate happens when the goroutine goes on, and never if it does
// not.
func inOrder(events []event) []event {
	var all []event
	at := map[int]event{} // by goroutine: the gate at which it stands
	for i, e := range events {
		if before, ok := at[e.id]; ok {
			all = append(all, before)
			delete(at, e.id)
		}
		if e.kind < len(kinds) && gates[kinds[e.kind]] && i+1 < len(events) && events[i+1].id != e.id {
			at[e.id] = e
			continue
		}
		all = append(all, e)
	}
	return all
}

// gates are the kinds of events that are recorded before they happen.
var gates = map[string]bool{"channel": true, "select": true, "lock": true, "sync": true, "atomic": true, "memory": true}

// steps joins what was recorded.
func steps(events []event) []Step {
	var all []Step
	for _, e := range inOrder(events) {
		if e.kind >= len(kinds) {
			continue
		}
		s := Step{Goroutine: e.id, File: e.file, Line: e.line, Func: e.function, What: kinds[e.kind], Started: e.other}
		if n := len(all); n > 0 {
			last := &all[n-1]
			if last.Goroutine == s.Goroutine && last.File == s.File && last.Line == s.Line && s.Started == 0 && s.What != "time goes on" && s.Func != adttestGate {
				if last.What == "memory" {
					last.What = s.What
				}
				continue
			}
		}
		all = append(all, s)
	}
	return all
}

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

// steps joins what was recorded.
func steps(events []event) []Step {
	var all []Step
	for _, e := range events {
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

package lives

// RememberAfter sets after how many events, at least, a sweep is remembered, and returns what sets it back.
func RememberAfter(events int) (undo func()) {
	was := fewEvents
	fewEvents = events
	return func() { fewEvents = was }
}

// Tries is how often a search began a sweep, or went on with one.
func Tries(p Problem) int {
	s := newSearch(&p)
	s.decide()
	return s.tries
}

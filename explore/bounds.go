package explore

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Bounds is how much is explored: so many goroutines, so many operations each, over so
// many values.
type Bounds struct {
	Threads    int `json:"threads"`
	Operations int `json:"operations"`
	Values     int `json:"values"`
}

// String is the bounds in words.
func (b Bounds) String() string {
	if b.Operations == 0 {
		return "calls that come one at a time, over " + wording.Count(b.Values, "value")
	}
	return fmt.Sprintf("%s with %s each over %s", wording.Count(b.Threads, "goroutine"), wording.Count(b.Operations, "operation"), wording.Count(b.Values, "value"))
}

// within reports whether whatever happens within b does so within c.
func (b Bounds) within(c Bounds) bool {
	return b.Threads <= c.Threads && b.Operations <= c.Operations && b.Values <= c.Values
}

// ladder is what is explored one after the other where no bounds are given: what takes
// longer comes later, and operations grow before goroutines, because that finds more.
var ladder = []Bounds{
	{2, 1, 1}, {2, 2, 1}, {2, 2, 2}, {3, 1, 2}, {2, 3, 2}, {3, 2, 1}, {2, 4, 1}, {3, 2, 2}, {2, 4, 2}, {4, 1, 2},
	{3, 3, 1}, {2, 5, 2}, {4, 2, 1}, {3, 3, 2}, {2, 6, 2}, {4, 2, 2}, {3, 4, 1}, {2, 7, 2}, {3, 4, 2}, {4, 3, 1},
	{2, 8, 2}, {4, 3, 2}, {5, 2, 2}, {3, 5, 2}, {4, 4, 2}, {5, 3, 2}, {6, 2, 2},
}

// growth is the ladder where the fields of fixed stay that are not zero.
func growth(fixed Bounds) (all []Bounds) {
	for _, b := range ladder {
		if fixed.Threads > 0 {
			b.Threads = fixed.Threads
		}
		if fixed.Operations > 0 {
			b.Operations = fixed.Operations
		}
		if fixed.Values > 0 {
			b.Values = fixed.Values
		}
		if !slices.ContainsFunc(all, b.within) {
			all = append(all, b)
		}
	}
	return all
}

// largest are the bounds that no others of the list contain.
func largest(all []Bounds) (most []Bounds) {
	for i, b := range all {
		if !slices.ContainsFunc(all[i+1:], b.within) {
			most = append(most, b)
		}
	}
	return most
}

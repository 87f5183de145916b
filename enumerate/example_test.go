package enumerate_test

import (
	"fmt"

	"github.com/adtinfer/adtinfer/enumerate"
)

// A register seen through its matching scheme: a write (kind 0) is its own
// target, and a read (kind 1) that changes nothing maps to a write.
func ExampleLinks_Histories() {
	links := enumerate.Links{
		Self: []enumerate.Link{{Possible: true}, {}},
		Free: []enumerate.Link{{}, {}},
		To:   [][]enumerate.Link{{{}, {}}, {{Possible: true, ReadOnly: true}, {}}},
	}
	byWeight := map[int]int{}
	links.Histories(enumerate.Bounds{Length: 3}, func(s enumerate.Sequence) bool {
		byWeight[s.Weight()]++
		return true
	})
	fmt.Println(byWeight)
	// Output: map[0:1 1:3 2:10 3:1]
}

package blinktree_test

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/examples/blinktree"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

// Keys split leaves, deletions leave them nearly empty, and Compress merges them.
func Example() {
	rec := record.New(record.Options{})
	tree := blinktree.New(rec, blinktree.Correct)
	s := tree.Session("p1", nil)
	for key := range 20 {
		s.Insert(key, 10*key)
	}
	for key := range 18 {
		s.Delete(key)
	}
	s.Compress()
	fmt.Println(s.Lookup(3))
	fmt.Println(s.Lookup(19))

	l, err := rec.Log()
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := refine.Check(context.Background(), l, blinktree.Spec{}, blinktree.Options())
	fmt.Println(r, err)
	// Output:
	// 0 false
	// 190 true
	// linearizable <nil>
}

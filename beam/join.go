package logbeam

import (
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn4x0[string, func(*Half) bool, func(string, Line), func(string, Summary)](&joinFn{})
	register.Iter1[Half]()
}

// joinFn gives returns the part of a log that the call says, in another block. The calls
// are in their parts already. An identifier that comes again names another operation.
type joinFn struct{}

func (*joinFn) ProcessElement(id string, halves func(*Half) bool, event func(string, Line), wrong func(string, Summary)) {
	var all []Half
	for h := (Half{}); halves(&h); h = (Half{}) {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b Half) int { return a.Event.At.compare(b.Event.At) })
	own, running := partOf(id), ""
	for _, h := range all {
		says := ""
		switch {
		case !h.Event.At.Return && running != "":
			says = fmt.Sprintf("operation %s is called twice", own.Key)
		case h.Event.At.Return && running == "":
			says = fmt.Sprintf("operation %s returns, but it was not called, or returned before", own.Key)
		case h.Event.At.Return:
			event(running, h.Event)
		}
		if says != "" {
			wrong(own.File, Summary{Block: h.Event.At.Block, Wrong: says, Line: h.Event.At.Line, Col: 1})
			return
		}
		running = h.Part
	}
}

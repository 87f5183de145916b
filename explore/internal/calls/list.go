package calls

import (
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
)

// List is the calls that threads may make.
type List struct {
	Calls  []machine.Call
	Labels []history.Label // of each call, pending

	// Methods are those of the calls, with all that they may answer, a panic aside.
	Methods []history.MethodSig

	// Fresh says which argument of a method is one that no other call has, neither of
	// this method nor of others.
	Fresh map[string]int

	// Most is how many operations an execution has at most.
	Most int
}

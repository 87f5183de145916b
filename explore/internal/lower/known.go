package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// site is where a known function is called.
type site struct {
	*function               // that calls it; it has emit, label, jump, branch, regs, constant
	fn        *ssa.Function // the one that is called
	args      []ir.Arg      // one for each parameter, the receiver first
	dst       int32         // the registers of its results, one after the other
}

// replacement is what a type of the standard library is instead of what it says.
type replacement struct {
	words []ir.Kind
	names []string // of the words; "" for that of the type as a whole
	// fields are the words at which those fields begin that code may touch.
	fields map[string]int
}

// replacements are types by their full name, without type arguments.
var replacements = map[string]replacement{
	"sync.Mutex":     {words: []ir.Kind{ir.Data}, names: []string{""}},
	"sync.RWMutex":   {words: []ir.Kind{ir.Data, ir.Data}, names: []string{"", "waiting"}},
	"sync.WaitGroup": {words: []ir.Kind{ir.Data}, names: []string{""}},
	"sync.Cond":      {words: []ir.Kind{ir.Data, ir.Iface, ir.Dynamic}, names: []string{"", "L", "L"}, fields: map[string]int{"L": 1}},
	"sync.Pool":      {words: []ir.Kind{ir.Ptr, ir.Ptr}, names: []string{"", "New"}, fields: map[string]int{"New": 1}},
}

// standin is the function that is compiled instead of another one: itself, if there
// is no other.
func (c *compiler) standin(fn *ssa.Function) *ssa.Function { return fn }

// fullName is a function's name as in the tables; "" for those without a package.
func fullName(fn *ssa.Function) string {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Synthetic != "" && fn.Origin() == nil && fn.Pkg == nil {
		return ""
	}
	return obj.Origin().FullName()
}

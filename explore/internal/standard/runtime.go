package standard

import (
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// each gives the same to many functions of a package.
func each(f Function, pkg string, names ...string) map[string]Function {
	all := map[string]Function{}
	for _, n := range names {
		if recv, ok := strings.CutPrefix(n, "(*"); ok {
			all["(*"+pkg+"."+recv] = f
		} else {
			all[pkg+"."+n] = f
		}
	}
	return all
}

// linked are functions that code links by name, whose own package need not have them.
var linked = map[string]bool{}

// runtimes are functions of package runtime, also those that others link by name.
func runtimes() map[string]Function {
	nothing := each(Function{Nothing: true}, "runtime", "Gosched", "GC", "LockOSThread", "UnlockOSThread", "KeepAlive")
	finalizers := each(Function{Nothing: true, Note: "finalizers and cleanups do not run"}, "runtime", "SetFinalizer")
	cleanups := each(Function{Note: "finalizers and cleanups do not run"}, "runtime", "AddCleanup")
	processors := each(Function{Note: "runtime.NumCPU and GOMAXPROCS are 2"}, "runtime", "NumCPU", "GOMAXPROCS")
	stacks := each(Function{Refused: "reads the stack"}, "runtime", "Caller", "Callers", "CallersFrames", "FuncForPC", "Stack",
		"(*Frames).Next", "(*Func).Entry", "(*Func).FileLine", "(*Func).Name", "(*StackRecord).Stack")
	system := each(Function{Refused: "asks the runtime system about itself"}, "runtime", "NumGoroutine", "Version", "GOROOT", "ReadMemStats",
		"Breakpoint", "SetCgoTraceback", "BlockProfile", "CPUProfile", "GoroutineProfile", "MemProfile", "MutexProfile", "ThreadCreateProfile",
		"ReadTrace", "StartTrace", "StopTrace", "SetBlockProfileRate", "SetCPUProfileRate", "SetMutexProfileFraction",
		"(*MemProfileRecord).InUseBytes", "(*MemProfileRecord).InUseObjects", "(*MemProfileRecord).Stack")
	exit := each(Function{Refused: "ends its goroutine without a return"}, "runtime", "Goexit")
	return merge(nothing, finalizers, cleanups, processors, stacks, system, exit)
}

// interfaces are functions about the dynamic types of interfaces.
func interfaces() map[string]Function {
	return map[string]Function{
		"sync/atomic.sameType": {Native: func(_ *ir.Program, args, rets []ir.Word) string {
			rets[0] = truth(args[0] == args[2])
			return ""
		}},
		"errors.comparable": {Native: func(p *ir.Program, args, rets []ir.Word) string {
			rets[0] = truth(p.Types[args[0]].Comparable)
			return ""
		}},
		"errors.As": {Refused: "needs reflection; errors.AsType and type assertions can be explored"},
	}
}

func truth(b bool) ir.Word {
	if b {
		return 1
	}
	return 0
}

// initialised are the packages of the standard library whose initialisers run.
var initialised = map[string]bool{"errors": true, "io": true}

// RunsInit reports whether the initialiser of a package of the standard library runs. A use
// of a variable with an initial value of any other of them is refused.
func RunsInit(path string) bool { return initialised[path] }

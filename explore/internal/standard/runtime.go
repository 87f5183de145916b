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
	exit := each(Function{Refused: "ends its goroutine without a return", Late: true}, "runtime", "Goexit")
	pins := each(Function{Refused: "pins its goroutine to a processor"}, "runtime", "procPin", "procUnpin")
	semaphores := each(Function{Refused: "uses a semaphore of the runtime system"}, "sync", "runtime_Semacquire", "runtime_Semrelease")
	spins := each(Function{Nothing: true}, "sync", "runtime_doSpin", "runtime_canSpin")
	memory := each(Function{Refused: "computes a hash of memory; hash/maphash can be explored"}, "runtime", "memhash", "typehash")
	debug := each(Function{Nothing: true, Note: "stacks are not printed"}, "runtime/debug", "Stack", "PrintStack")
	return merge(debug, pins, semaphores, spins, memory, nothing, finalizers, cleanups, processors, stacks, system, exit)
}

// interfaces are functions about the dynamic types of interfaces.
func interfaces() map[string]Function {
	comparable := Function{Native: func(p *ir.Program, args, rets []ir.Word) string {
		rets[0] = truth(p.Types[args[0]].Comparable)
		return ""
	}}
	return map[string]Function{
		"sync/atomic.sameType": {Native: func(_ *ir.Program, args, rets []ir.Word) string {
			rets[0] = truth(args[0] == args[2])
			return ""
		}},
		"errors.comparable":               comparable,
		"internal/reflectlite.comparable": comparable,
		"internal/reflectlite.name": {Native: func(p *ir.Program, args, rets []ir.Word) string {
			rets[0] = p.Strings.Number(p.Types[args[0]].GoName)
			return ""
		}},
		"errors.As": {Helped: "as", Refused: "has a target of a type that is not known here; type assertions can be explored", Late: true},
	}
}

// reflects are the functions of internal/reflectlite that are refused.
func reflects() map[string]Function {
	all := map[string]Function{}
	for _, n := range []string{"typ).Name", "typ).PkgPath", "typ).Size", "typ).Kind", "typ).Implements", "typ).AssignableTo", "typ).Elem",
		"Value).CanSet", "Value).Elem", "Value).IsNil", "Value).IsValid", "Value).Kind", "Value).Len", "Value).Set", "Value).Type"} {
		all["(internal/reflectlite."+n] = Function{Refused: "uses reflection"}
	}
	return merge(all, each(Function{Refused: "uses reflection"}, "internal/reflectlite", "ValueOf", "Swapper"))
}

package standard

import (
	"go/types"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// linked are functions that code links by name; not every version of Go has them.
var linked = map[string]bool{}

func init() {
	for _, n := range []string{"fastrand", "fastrandn", "fastrand64", "cheaprand", "cheaprandn", "rand", "nanotime", "walltime", "procPin", "procUnpin",
		"memhash", "strhash", "memhash32", "memhash64", "nilinterhash", "efaceHash", "typehash", "procyield", "osyield", "cmpstring"} {
		linked["runtime."+n] = true
	}
	for _, n := range []string{"sync.runtime_Semacquire", "sync.runtime_Semrelease", "sync.runtime_doSpin", "sync.runtime_canSpin",
		"time.now", "time.runtimeNow", "time.runtimeNano", "time.runtimeIsBubbled"} {
		linked[n] = true
	}
}

// hashes are natives of hash/maphash, and hash functions of the runtime system.
func hashes() map[string]Function {
	hash := func(s string) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(s)) // never fails
		return h.Sum64()
	}
	value := func(p *ir.Program, args []ir.Word) ir.Word {
		v, ok := basic(p, args[0], args[1])
		switch {
		case !ok:
			return 0
		case v.CanInt() || v.CanUint() || v.CanFloat():
			return mix(args[1])
		}
		return hash(v.String())
	}
	all := natives("hash/maphash", map[string]any{"text": hash})
	all["hash/maphash.value"] = Function{Native: func(p *ir.Program, args, rets []ir.Word) string {
		rets[0] = value(p, args)
		return ""
	}, Note: "hash/maphash is one fixed hash function, which takes pointers, structs and arrays all alike"}
	seeded := func(of types.Type, hash func(p *ir.Program, args []ir.Word) ir.Word) Function {
		return Function{Loads: of, Native: func(p *ir.Program, args, rets []ir.Word) string {
			rets[0] = mix(hash(p, args) ^ args[len(args)-1])
			return ""
		}, Note: "hashes of the runtime system are one fixed hash function"}
	}
	word := func(_ *ir.Program, args []ir.Word) ir.Word { return mix(args[0]) }
	all["runtime.strhash"] = seeded(types.Typ[types.String], func(p *ir.Program, args []ir.Word) ir.Word { return hash(p.Strings.Text(args[0])) })
	all["runtime.memhash32"] = seeded(types.Typ[types.Uint32], word)
	all["runtime.memhash64"] = seeded(types.Typ[types.Uint64], word)
	all["runtime.nilinterhash"] = seeded(types.NewInterfaceType(nil, nil), value)
	all["runtime.efaceHash"] = Function{Native: all["runtime.nilinterhash"].Native, Note: all["runtime.nilinterhash"].Note}
	return all
}

// mix spreads a number over a word, as in SplitMix64.
func mix(w ir.Word) ir.Word {
	w += 0x9e3779b97f4a7c15
	w = (w ^ w>>30) * 0xbf58476d1ce4e5b9
	w = (w ^ w>>27) * 0x94d049bb133111eb
	return w ^ w>>31
}

// MostChosen is up to which bound all random numbers below it are explored.
const MostChosen = 16

const randomNote = "of random numbers, 16 possible ones are all tried, of more only 0, 1 and the greatest, of whole words 1, the highest bit and all bits"

// aWord is from which bound on random numbers are words. Code waits for one that is not 0, as a seed.
const aWord = 1 << 31

// below lists what a random number below n may be; 0 stands for 1<<64.
func below(n ir.Word) (all []ir.Word) {
	switch {
	case n == 0 || n >= aWord:
		return []ir.Word{1, (n-1)/2 + 1, n - 1}
	case n > MostChosen:
		return []ir.Word{0, 1, n - 1}
	}
	for i := range n {
		all = append(all, i)
	}
	return all
}

// randoms are functions that give random numbers.
func randoms() map[string]Function {
	all := map[string]Function{}
	bounded := func(n ir.Word) Function {
		return Function{Any: func([]ir.Word) []ir.Word { return below(n) }, Note: randomNote}
	}
	given := Function{Any: func(args []ir.Word) []ir.Word { return below(max(args[0], 1)) }, Note: randomNote}
	for _, n := range []string{"runtime.fastrand", "runtime.cheaprand"} {
		all[n] = bounded(1 << 32)
	}
	for _, n := range []string{"runtime.fastrand64", "runtime.rand"} {
		all[n] = bounded(0)
	}
	for _, n := range []string{"runtime.fastrandn", "runtime.cheaprandn", "math/rand/v2.below"} {
		all[n] = given
	}
	all["math/rand/v2.word"] = bounded(0)
	for _, n := range []string{"math/rand.foreign", "math/rand/v2.foreign"} {
		all[n] = Function{Refused: "takes random numbers from a source of its own"}
	}
	return all
}

// clocks say that time stands still.
func clocks() map[string]Function {
	const note = "time stands still; timers go off at any moment"
	all := natives("time", map[string]any{
		"now":              func() (int64, int32, int64) { return 1257894000, 0, 1 },
		"runtimeNow":       func() (int64, int32, int64) { return 1257894000, 0, 1 },
		"runtimeNano":      func() int64 { return 1 },
		"runtimeIsBubbled": func() bool { return false },
	})
	for name, f := range natives("runtime", map[string]any{
		"nanotime": func() int64 { return 1 },
		"walltime": func() (int64, int32) { return 1257894000, 0 },
	}) {
		all[name] = f
	}
	for name, f := range all {
		f.Note = note
		all[name] = f
	}
	local := each(Function{Nothing: true, Note: "the local time zone is UTC"}, "time", "initLocal")
	return merge(all, each(Function{Note: note}, "time", "AfterFunc", "NewTimer", "NewTicker"), local)
}

// logs are functions of packages log and log/slog.
func logs() map[string]Function {
	const note = "what is logged is dropped"
	methods := func(f Function, names ...string) map[string]Function {
		both := slices.Clone(names)
		for _, n := range names {
			both = append(both, "(*Logger)."+n)
		}
		return each(f, "log", both...)
	}
	return merge(
		methods(Function{Nothing: true, Note: note}, "Print", "Printf", "Println", "Output", "SetFlags", "SetOutput", "SetPrefix"),
		each(Function{Nothing: true}, "log", "New", "Default"),
		methods(Function{Refused: "ends the program", Late: true}, "Fatal", "Fatalf", "Fatalln"),
		methods(Function{Refused: "panics with what it logs", Late: true}, "Panic", "Panicf", "Panicln"),
		methods(Function{Refused: "asks for the logger's settings"}, "Flags", "Prefix", "Writer"),
		structured(Function{Nothing: true, Note: note}, "Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext", "Error", "ErrorContext", "Log", "LogAttrs"),
		each(Function{Nothing: true}, "log/slog", "Default", "New", "SetDefault", "(*Logger).With", "(*Logger).WithGroup"),
	)
}

// structured are functions of package log/slog, and methods of its Logger.
func structured(f Function, names ...string) map[string]Function {
	both := slices.Clone(names)
	for _, n := range names {
		both = append(both, "(*Logger)."+n)
	}
	return each(f, "log/slog", both...)
}

// others are single functions of further packages.
func others() map[string]Function {
	all := natives("internal/bytealg", map[string]any{
		"CompareString": strings.Compare, "IndexString": strings.Index,
		"CountString":         func(s string, c byte) int { return strings.Count(s, string([]byte{c})) },
		"IndexByteString":     strings.IndexByte,
		"LastIndexByteString": strings.LastIndexByte,
	})
	return merge(all,
		natives("runtime", map[string]any{"cmpstring": strings.Compare}),
		each(Function{Orderless: true}, "maps", "Copy", "Equal"),
		each(Function{Orderless: true}, "sync", "(*Map).keys", "(*Map).forget"),
		each(Function{Refused: "ends the program", Late: true}, "os", "Exit"),
		each(Function{Refused: "needs complex numbers"}, "strconv", "ParseComplex", "FormatComplex"),
		each(Function{Refused: "goes through an iterator by a goroutine of its own; range can be explored"}, "iter", "Pull", "Pull2"),
		sorts("slice", "Slice"), sorts("sliceStable", "SliceStable"), sorts("sliceIsSorted", "SliceIsSorted"),
	)
}

// sorts is a function of package sort that takes any slice.
func sorts(by, name string) map[string]Function {
	return each(Function{Helped: by, Refused: "sorts a slice of a type that is not known here; slices.SortFunc can be explored", Late: true}, "sort", name)
}

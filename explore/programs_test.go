package explore_test

import "github.com/adtinfer/adtinfer/explore"

// bounds are n goroutines with k operations each, over d values.
func bounds(n, k, d int) explore.Bounds {
	return explore.Bounds{Threads: n, Operations: k, Values: d}
}

// program is a folder of testdata/programs, or another one from the module's root,
// with the least bounds at which it comes out like that.
type program struct {
	name string
	new  string // the constructor, if the package has several
	at   explore.Bounds
	want explore.Verdict
	text string // the verdict's sentence, or the counterexample, has it
	// mayFail are answers that are always allowed.
	mayFail []string
}

var programs = []program{
	{name: "counter", at: bounds(3, 2, 1), want: explore.Holds},
	{name: "lostupdate", at: bounds(2, 1, 1), want: explore.Violated, text: "lostupdate.go:12"},
	{name: "snapshot", at: bounds(2, 2, 2), want: explore.Violated, text: "snapshot.go:16"},
	{name: "snapshot", at: bounds(2, 1, 2), want: explore.Holds},

	{name: "racyread", at: bounds(2, 1, 1), want: explore.Racy, text: "racyread.go:20"},
	{name: "racyflag", at: bounds(2, 1, 1), want: explore.Racy, text: "racyflag.go:"},
	{name: "racymap", at: bounds(2, 1, 1), want: explore.Racy, text: "racymap.go:23"},
	{name: "changedafter", at: bounds(2, 1, 1), want: explore.Racy, text: "changedafter.go:16"},
	{name: "rlockwrite", at: bounds(2, 1, 1), want: explore.Racy, text: "rlockwrite.go:24"},
	{name: "chanmutex2", at: bounds(2, 1, 1), want: explore.Racy, text: "chanmutex2.go:16"},
	// What is observed without synchronization shows no race in two next steps.
	{name: "lengthtold", at: bounds(2, 1, 1), want: explore.Racy, text: "Cell.v is read, and nothing orders this after it was written"},
	{name: "gatetold", at: bounds(2, 1, 1), want: explore.Racy, text: "gatetold.go:33"},
	{name: "defaulttold", at: bounds(2, 1, 1), want: explore.Racy, text: "defaulttold.go:37"},
	{name: "secondtold", at: bounds(2, 1, 1), want: explore.Racy, text: "secondtold.go:36"},
	{name: "triedlock", at: bounds(3, 2, 1), want: explore.Holds, mayFail: []string{"tryInc=false"}},
	{name: "shards", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "shardscopied", at: bounds(2, 1, 2), want: explore.Racy, text: "shardscopied.go:16"},
	{name: "longloop", at: bounds(2, 1, 1), want: explore.Holds},
	{name: "retries", at: bounds(2, 2, 1), want: explore.Holds},
	{name: "looping", at: bounds(2, 1, 1), want: explore.Faulty, text: "a loop does not end"},
	{name: "published", at: bounds(2, 2, 2), want: explore.Holds},

	{name: "lockorder", at: bounds(2, 1, 1), want: explore.Deadlocked, text: "lockorder.go:"},
	{name: "selflock", at: bounds(2, 1, 1), want: explore.Deadlocked, text: "selflock.go:16"},
	{name: "relock", at: bounds(2, 1, 1), want: explore.Deadlocked, text: "relock.go:"},
	{name: "rlocktwice", at: bounds(2, 1, 1), want: explore.Deadlocked, text: "rlocktwice.go:"},
	{name: "lostwakeup", at: bounds(3, 2, 1), want: explore.Deadlocked, text: "lostwakeup.go:"},
	{name: "chanlen", at: bounds(2, 1, 1), want: explore.Deadlocked, text: "chanlen.go:16"},
	{name: "doubleunlock", at: bounds(2, 1, 1), want: explore.Faulty, text: "doubleunlock.go:26"},
	{name: "useafterput", at: bounds(2, 2, 1), want: explore.Faulty, text: "useafterput.go:"},
	{name: "politelock", at: bounds(2, 1, 1), want: explore.Livelocked, text: "politelock.go:"},
	{name: "spinforever", at: bounds(3, 1, 1), want: explore.Livelocked, text: "spinforever.go:"},
	{name: "spinlock", at: bounds(3, 1, 1), want: explore.Holds},
	{name: "crashes", at: bounds(2, 1, 1), want: explore.Faulty, text: "two at once"},

	// Operations that panic answer so; their data type does not.
	{name: "outofrange", at: bounds(2, 2, 1), want: explore.Violated, text: "out of range"},
	{name: "nilpointer", at: bounds(2, 2, 1), want: explore.Violated, text: "nil"},
	{name: "chanclosed", at: bounds(2, 1, 1), want: explore.Violated, text: "closed channel"},
	{name: "wakeonce", at: bounds(3, 1, 1), want: explore.Violated, text: "out of range"},
	{name: "donetwice", at: bounds(2, 2, 1), want: explore.Faulty, text: "negative"},

	{name: "chanmutex", at: bounds(2, 2, 1), want: explore.Holds},
	{name: "chanqueue", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "waitingqueue", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "twochannels", at: bounds(2, 1, 2), want: explore.Holds},
	{name: "condqueue", at: bounds(2, 2, 1), want: explore.Holds},
	{name: "background", at: bounds(2, 1, 2), want: explore.Holds},
	{name: "waitgroup", at: bounds(2, 1, 1), want: explore.Holds},
	{name: "halfdone", at: bounds(2, 1, 1), want: explore.Violated},
	{name: "rwset", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "once", at: bounds(3, 1, 1), want: explore.Holds},
	{name: "notonce", at: bounds(2, 1, 1), want: explore.Violated},
	{name: "pooled", at: bounds(2, 2, 1), want: explore.Holds},
	{name: "trylock", at: bounds(2, 1, 1), want: explore.Violated},
	{name: "trylock", at: bounds(2, 2, 2), want: explore.Holds, mayFail: []string{"tryEnqueue=false"}},
	{name: "syncmap", at: bounds(2, 1, 1), want: explore.Holds},
	{name: "syncmapcount", at: bounds(2, 1, 1), want: explore.Violated},
	{name: "unsafepointer", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "generics", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "backoff", at: bounds(3, 2, 1), want: explore.Holds},
	{name: "mapfirst", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "closures", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "deferred", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "recovered", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "maps", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "texts", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "interfaces", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "arrays", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "embedded", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "initialized", at: bounds(2, 2, 2), want: explore.Holds},

	{name: treiberStack, new: "NewReusing()", at: bounds(2, 4, 1), want: explore.Violated},
	{name: treiberStack, new: "NewReusing()", at: bounds(2, 3, 1), want: explore.Holds},
}

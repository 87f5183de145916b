package patch

// An edit changes one declaration of a file of the standard library. Anchors
// are declarations, found by parsing, and short texts inside them, so that
// other versions of Go are patched rightly or refused by the anchor's name.
type edit struct {
	file string // below GOROOT/src
	decl string // "f" or "T.m" for functions, "T" or "v" for types and variables; "" for the whole file
	at   place
	find string // of before, after and replace: the text
	text string
	// optional edits change texts that some versions do not have.
	optional bool
}

type place int

const (
	top     place = iota // after the opening brace
	bottom               // before the closing brace
	before               // before the text
	after                // after the text
	replace              // instead of the text, everywhere in the declaration
)

const (
	waits  = "\tif ctlRunnable(gp) {\n\t\tctlPut(gp)\n\t\treturn\n\t}\n"
	chance = "if ctlMine() {\n\t\treturn ctlRand(&ctl.luck)\n\t}\n\tif ctl.planned && getg() == getg().m.curg {\n\t\treturn ctlRand(&ctl.init)\n\t}\n"
	gateAt = "\n//go:linkname ctlGateAt runtime.ctlGateAt\n//go:noescape\nfunc ctlGateAt(kind uint8, addr unsafe.Pointer, write bool)\n"
)

// scheduling: who runs is ours to say; time, deadlocks and bubbles are synctest's.
var scheduling = []edit{
	{file: "runtime/proc.go", decl: "runqput", at: top, text: waits},
	{file: "runtime/proc.go", decl: "globrunqput", at: top, text: waits},
	{file: "runtime/proc.go", decl: "findRunnable", at: before, find: "\t// Check the global runnable queue once in a while to ensure fairness.",
		text: "\tif gp := ctlNext(); gp != nil {\n\t\treturn gp, false, false\n\t}\n"},
	{file: "runtime/proc.go", decl: "park_m", at: before, find: "\n\tif bubble != nil {\n\t\tbubble.decActive()\n\t}\n\n\tschedule()", text: "\n\tctlPark(gp)\n"},
	{file: "runtime/proc.go", decl: "goschedImpl", at: top, text: "\tif !preempted {\n\t\tctlYield(gp)\n\t}\n"},
	{file: "runtime/proc.go", decl: "goyield_m", at: top, text: "\tctlYield(gp)\n"},
	{file: "runtime/proc.go", decl: "gdestroy", at: top, text: "\tctlGone(gp)\n"},
	{file: "runtime/proc.go", decl: "newproc1", at: after, find: "newg.bubble = callergp.bubble\n", text: "\t\tctlNew(newg)\n"},
	{file: "runtime/proc.go", decl: "newproc", at: bottom, text: "\tctlGate(ctlGo, 0, false)\n"},
	{file: "runtime/coro.go", decl: "coroswitch_m", at: before, find: "\t// Start running next, without heavy scheduling machinery.", text: "\tctlHand(gnext)\n"},
	{file: "runtime/runtime2.go", decl: "g", at: bottom, text: "\n\tctl ctlG\n"},
	{file: "runtime/runtime2.go", decl: "isIdleInSynctest", at: bottom, text: "\twaitReasonChanReceive: true,\n\twaitReasonChanSend: true,\n\twaitReasonSelect: true,\n" +
		"\twaitReasonSyncMutexLock: true,\n\twaitReasonSyncRWMutexRLock: true,\n\twaitReasonSyncRWMutexLock: true,\n\twaitReasonSyncWaitGroupWait: true,\n"},
	{file: "runtime/synctest.go", decl: "synctestRun", at: replace, find: "if bubble.done {\n\t\t\t// Time stops", text: "if bubble.done && !ctlLate() {\n\t\t\t// Time stops"},
	{file: "runtime/synctest.go", decl: "synctestRun", at: before, find: "\t\tif bubble.active < 0 {", text: "\t\tif ctl.on && ctl.abort {\n\t\t\tbreak\n\t\t}\n"},
	{file: "runtime/synctest.go", decl: "synctestRun", at: before, find: "\t\tif next == 0 {", text: "\t\tif next == 0 && ctlOutside(bubble) {\n\t\t\tcontinue\n\t\t}\n"},
	{file: "runtime/synctest.go", decl: "synctestRun", at: replace, find: "946684800000000000 // midnight UTC 2000-01-01", text: "ctlEpoch * 1_000_000_000"},
	{file: "runtime/synctest.go", decl: "synctestRun", at: replace, find: "throw(\"time went backwards\")", text: "next = bubble.now"},
	{file: "runtime/synctest.go", decl: "synctestRun", at: replace, find: "if debug.asynctimerchan.Load() != 0 {", text: "if false {", optional: true},
	{file: "runtime/synctest.go", decl: "synctestRun", at: before, find: "\tif gp.bubble != nil {", text: "\tif ctlMine() {\n\t\tctlNested(f)\n\t\treturn\n\t}\n"},
	{file: "runtime/debug.go", decl: "GOMAXPROCS", at: top, text: "\tif ctl.on && n > 0 {\n\t\treturn int(gomaxprocs)\n\t}\n"},
	{file: "runtime/panic.go", decl: "preprintpanics", at: bottom, text: "\tctlFailed(\"panic\", \"\")\n"},
	{file: "runtime/panic.go", decl: "fatal", at: top, text: "\tctlFailed(\"fatal\", s)\n"},
	{file: "runtime/panic.go", decl: "startpanic_m", at: top, text: "\tctlCrashed()\n"},
}

// views: what a program can see of its own goroutines is as without us.
var views = []edit{
	{file: "runtime/traceback.go", decl: "goroutineheader", at: replace, find: "gp.waitreason.isIdleInSynctest() &&", text: "gp.waitreason.isIdleInSynctest() && !ctlAsked() &&", optional: true},
	{file: "runtime/traceback.go", decl: "goroutineheader", at: replace, find: "print(\", synctest bubble \", ", text: "ctlBubbled("},
	{file: "runtime/traceback.go", at: replace, find: "if isSystemGoroutine(gp, false) && level < 2 {", text: "if isSystemGoroutine(gp, false) && level < 2 || ctlAsked() && gp.bubble != nil && gp == gp.bubble.root {"},
}

// chances: time moves with each question for it, and what is drawn is drawn from the schedule's seed.
var chances = []edit{
	{file: "runtime/time.go", decl: "time_runtimeNow", at: before, find: "\t\tsec = bubble.now", text: "\t\tif ctl.on && !ctl.exact {\n\t\t\tbubble.now += 100\n\t\t}\n"},
	{file: "runtime/time.go", decl: "time_runtimeNow", at: before, find: "\treturn time_now()", text: "\tif ctl.planned {\n\t\treturn ctlBefore()\n\t}\n"},
	{file: "runtime/proc.go", decl: "schedinit", at: after, find: "\tgoenvs()\n", text: "\tctlPlan()\n"},
	{file: "runtime/rand.go", decl: "randinit", at: before, find: "\tglobalRand.state.Init(*seed)", text: "\tclear(seed[:]) // hashes and what is drawn before the first schedule are the same in every process\n\tseed[0] = 1\n"},
	{file: "runtime/time.go", decl: "time_runtimeNano", at: before, find: "\t\treturn gp.bubble.now", text: "\t\tif ctl.on && !ctl.exact {\n\t\t\tgp.bubble.now += 100\n\t\t}\n"},
	{file: "runtime/select.go", decl: "selectgo", at: replace, find: "cheaprandn(uint32(norder + 1))", text: "ctlLuck(uint32(norder + 1))"},
	{file: "runtime/rand.go", decl: "rand", at: top, text: chance},
	{file: "runtime/sema.go", decl: "internal_sync_nanotime", at: top, text: "\tif ctlMine() {\n\t\treturn 1\n\t}\n"},
	{file: "sync/pool.go", decl: "Pool.Put", at: replace, find: "runtime_randn(4) == 0", text: "false"},
}

// gates of channels, and no walls around bubbles.
var channels = []edit{
	{file: "runtime/chan.go", decl: "chansend", at: top, text: "\tctlGate(ctlChan, uintptr(unsafe.Pointer(c)), true)\n"},
	{file: "runtime/chan.go", decl: "chanrecv", at: top, text: "\tctlGate(ctlChan, uintptr(unsafe.Pointer(c)), true)\n"},
	{file: "runtime/chan.go", decl: "closechan", at: top, text: "\tctlGate(ctlChan, uintptr(unsafe.Pointer(c)), true)\n"},
	{file: "runtime/chan.go", decl: "chanlen", at: top, text: "\tctlGate(ctlChan, uintptr(unsafe.Pointer(c)), true)\n"},
	{file: "runtime/chan.go", at: replace, find: "c.bubble != nil && getg().bubble != c.bubble", text: "false"},
	{file: "runtime/select.go", decl: "selectgo", at: top, text: "\tctlGate(ctlSelect, 0, true)\n"},
	{file: "runtime/select.go", decl: "selectgo", at: replace, find: "if getg().bubble != cas.c.bubble {", text: "if false {"},
	{file: "sync/waitgroup.go", at: replace, find: "synctest.IsInBubble()", text: "false"},
}

// syncs: methods with a gate, by file and kind (as in files/runtime.go.txt); a name with a ? only reads.
var syncs = []struct {
	file    string
	kind    string
	object  string
	methods string
}{
	{"internal/sync/mutex.go", "2", "Mutex", "Lock TryLock Unlock"},
	{"sync/rwmutex.go", "2", "RWMutex", "RLock? TryRLock? RUnlock? Lock TryLock Unlock"},
	{"sync/waitgroup.go", "3", "WaitGroup", "Add Wait"},
	{"sync/once.go", "3", "Once", "Do"},
	{"sync/cond.go", "3", "Cond", "Wait Signal Broadcast"},
	{"sync/map.go", "3", "Map", "Load? Store Clear LoadOrStore LoadAndDelete Delete Swap CompareAndSwap CompareAndDelete Range?"},
	{"sync/atomic/value.go", "4", "Value", "Load? Store Swap CompareAndSwap"},
}

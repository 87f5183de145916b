package runtime

// Everything below is refused; it is here for the code that it is a part of.

var MemProfileRate int

func Caller(skip int) (pc uintptr, file string, line int, ok bool)
func Callers(skip int, pc []uintptr) int
func CallersFrames(callers []uintptr) *Frames
func FuncForPC(pc uintptr) *Func
func Stack(buf []byte, all bool) int
func ReadMemStats(m *MemStats)
func BlockProfile(p []BlockProfileRecord) (n int, ok bool)
func CPUProfile() []byte
func GoroutineProfile(p []StackRecord) (n int, ok bool)
func MemProfile(p []MemProfileRecord, inuseZero bool) (n int, ok bool)
func MutexProfile(p []BlockProfileRecord) (n int, ok bool)
func ThreadCreateProfile(p []StackRecord) (n int, ok bool)
func ReadTrace() (buf []byte)
func StartTrace() error
func StopTrace()
func SetBlockProfileRate(rate int)
func SetCPUProfileRate(hz int)
func SetMutexProfileFraction(rate int) int

type Frame struct {
	PC       uintptr
	Func     *Func
	Function string
	File     string
	Line     int
	Entry    uintptr
}

type Frames struct{ _ int }

func (ci *Frames) Next() (frame Frame, more bool)

type Func struct{ _ int }

func (f *Func) Entry() uintptr
func (f *Func) FileLine(pc uintptr) (file string, line int)
func (f *Func) Name() string

type StackRecord struct{ Stack0 [32]uintptr }

func (r *StackRecord) Stack() []uintptr

type BlockProfileRecord struct {
	Count, Cycles int64
	StackRecord
}

type MemProfileRecord struct {
	AllocBytes, FreeBytes, AllocObjects, FreeObjects int64
	Stack0                                           [32]uintptr
}

func (r *MemProfileRecord) InUseBytes() int64
func (r *MemProfileRecord) InUseObjects() int64
func (r *MemProfileRecord) Stack() []uintptr

type MemStats struct {
	Alloc, TotalAlloc, Sys, Lookups, Mallocs, Frees                    uint64
	HeapAlloc, HeapSys, HeapIdle, HeapInuse, HeapReleased, HeapObjects uint64
	StackInuse, StackSys, MSpanInuse, MSpanSys, MCacheInuse, MCacheSys uint64
	BuckHashSys, GCSys, OtherSys, NextGC, LastGC, PauseTotalNs         uint64
	PauseNs, PauseEnd                                                  [256]uint64
	NumGC, NumForcedGC                                                 uint32
	GCCPUFraction                                                      float64
	EnableGC, DebugGC                                                  bool
	BySize                                                             [61]struct {
		Size           uint32
		Mallocs, Frees uint64
	}
}

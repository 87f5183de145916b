package driver

import (
	"container/list"
	"errors"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"time"
	"unsafe"

	"github.com/adtinfer/adtinfer/internal/driver/objects"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// stackOf is a stack in some slice, with what goes wrong with it.
type stackOf struct{ vs []int }

func (s *stackOf) Push(v int) { s.vs = append(s.vs, v) }
func (s *stackOf) Pop() (int, bool) {
	if len(s.vs) == 0 {
		return 0, false
	}
	v := s.vs[len(s.vs)-1]
	s.vs = s.vs[:len(s.vs)-1]
	return v, true
}

// undoStack shows what lies beyond its slice's length.
type undoStack struct{ stackOf }

func (s *undoStack) Undo() bool {
	if len(s.vs) == cap(s.vs) {
		return false
	}
	s.vs = s.vs[:len(s.vs)+1]
	return true
}

// wornQueue loses room whenever something is taken.
type wornQueue struct{ vs []int }

func newWornQueue() *wornQueue { return &wornQueue{make([]int, 0, 3)} }

func (q *wornQueue) Add(v int) bool {
	if len(q.vs) == cap(q.vs) {
		return false
	}
	q.vs = append(q.vs, v)
	return true
}

func (q *wornQueue) Take() (int, bool) {
	if len(q.vs) == 0 {
		return 0, false
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v, true
}

// chanBox holds values in a channel.
type chanBox struct{ ch chan int }

func newChanBox() *chanBox { return &chanBox{make(chan int, 3)} }

func (b *chanBox) Send(v int) bool {
	select {
	case b.ch <- v:
		return true
	default:
		return false
	}
}

func (b *chanBox) Receive() (int, bool) {
	select {
	case v := <-b.ch:
		return v, true
	default:
		return 0, false
	}
}

// sorted keeps values as a function says.
type sorted struct {
	less func(a, b int) bool
	vs   []int
}

func (s *sorted) Add(v int) {
	i := 0
	for i < len(s.vs) && !s.less(v, s.vs[i]) {
		i++
	}
	s.vs = append(s.vs[:i], append([]int{v}, s.vs[i:]...)...)
}

func (s *sorted) Min() (int, bool) {
	if len(s.vs) == 0 {
		return 0, false
	}
	v := s.vs[0]
	s.vs = s.vs[1:]
	return v, true
}

func newSorted() *sorted { return &sorted{less: func(a, b int) bool { return a < b }} }

func newSortedBy() *sorted {
	sign := 1
	return &sorted{less: func(a, b int) bool { return sign*a < sign*b }}
}

// ended is a linked stack that ends in a variable of the package.
type ended struct{ top *link }

type link struct {
	v    int
	next *link
}

var theEnd = new(link)

func newEnded() *ended { return &ended{theEnd} }

func (e *ended) Push(v int) { e.top = &link{v, e.top} }
func (e *ended) Pop() (int, bool) {
	if e.top == theEnd {
		return 0, false
	}
	v := e.top.v
	e.top = e.top.next
	return v, true
}

// marked is a set of pointers.
type marked struct {
	marks map[*link]bool
	n     int
}

func newMarked() *marked { return &marked{marks: map[*link]bool{}} }

func (m *marked) Mark(v int) int {
	m.n++
	m.marks[&link{v: v}] = true
	return len(m.marks)
}

// listQueue is a queue with interior pointers, a condition and a lock.
type listQueue struct {
	mu   sync.Mutex
	some *sync.Cond
	l    list.List
}

func newListQueue() *listQueue {
	q := &listQueue{}
	q.some = sync.NewCond(&q.mu)
	return q
}

func (q *listQueue) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.l.PushBack(v)
	q.some.Signal()
}

func (q *listQueue) Take() (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.l.Len() == 0 {
		panic(errors.New(BlockedText))
	}
	return q.l.Remove(q.l.Front()).(int), nil
}

// timed remembers when.
type timed struct{ at time.Time }

func (t *timed) Touch()      { t.at = time.Now() }
func (t *timed) Used() bool  { return !t.at.IsZero() }
func newWorker() *worker     { w := new(worker); go w.run(); return w }
func (w *worker) Set(v int)  { w.mu.Lock(); w.v = v; w.mu.Unlock() }
func (w *worker) Get() int   { w.mu.Lock(); defer w.mu.Unlock(); return w.v }
func (w *worker) run()       { <-workersEnd }
func (m table) Put(k, v int) { m[k] = v }

var workersEnd chan bool

// worker has a goroutine.
type worker struct {
	mu sync.Mutex
	v  int
}

// table is a map itself.
type table map[int]int

func (m table) Get(k int) (int, bool) {
	v, ok := m[k]
	return v, ok
}

// syncTable is a map of package sync.
type syncTable struct{ m sync.Map }

func (m *syncTable) Put(k, v int) { m.m.Store(k, v) }

func (m *syncTable) Get(k int) (int, bool) {
	v, ok := m.m.Load(k)
	if !ok {
		return 0, false
	}
	return v.(int), true
}

// global counts in the package.
type global struct{}

var globalCount int

func (*global) Next() int { globalCount++; return globalCount }

// anyKey answers in the order of a map.
type anyKey struct{ m map[int]bool }

func newAnyKey() *anyKey         { return &anyKey{map[int]bool{}} }
func (a *anyKey) Add(v int) bool { a.m[v] = true; return true }
func (a *anyKey) Any() (int, bool) {
	for k := range a.m {
		return k, true
	}
	return 0, false
}

// item is passed by pointer.
type item struct {
	Name string
	seen int
}

// itemQueue has pointers of its callers, itemMarker writes to them.
type itemQueue struct{ items []*item }

func (q *itemQueue) Add(i *item) { q.items = append(q.items, i) }
func (q *itemQueue) Take() *item {
	if len(q.items) == 0 {
		return nil
	}
	i := q.items[0]
	q.items = q.items[1:]
	return i
}

type itemMarker struct{}

func (m *itemMarker) Mark(i *item) int { i.seen++; return i.seen }

// byteQueue has bytes of its callers.
type byteQueue struct{ rows [][]byte }

func (q *byteQueue) Add(row []byte) { q.rows = append(q.rows, row) }
func (q *byteQueue) Take() ([]byte, bool) {
	if len(q.rows) == 0 {
		return nil, false
	}
	row := q.rows[0]
	q.rows = q.rows[1:]
	return row, true
}

// strict panics.
type strict struct{ locked bool }

func (s *strict) Lock() bool {
	was := s.locked
	s.locked = true
	return !was
}

func (s *strict) Unlock() {
	if !s.locked {
		panic("not locked")
	}
	s.locked = false
}

type holder interface {
	Push(v int)
	Pop() (int, bool)
}

func machineOf(t testing.TB, construct interface{}) *Machine {
	t.Helper()
	m, err := NewMachine(Object{New: construct})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tried is a keeper that was tried.
func tried(t testing.TB, construct interface{}) *keeper {
	t.Helper()
	k := newKeeper(machineOf(t, construct), 0)
	k.choose(nil)
	if k.r.fault == nil {
		k.open()
	}
	return k
}

// TestKept keeps types as they can be kept, and says why not better.
func TestKept(t *testing.T) {
	workersEnd = make(chan bool)
	defer close(workersEnd)
	for _, c := range []struct {
		name             string
		construct        interface{}
		copied, interned bool
		why              []string // beginnings
		full             bool
	}{
		{"stack", func() *stackOf { return new(stackOf) }, true, true, nil, false},
		{"interface", func() holder { return new(stackOf) }, true, true, nil, false},
		{"value", func() stackOf { return stackOf{} }, true, true, nil, false},
		{"map", func() table { return table{} }, true, true, nil, false},
		{"list", newListQueue, true, true, nil, false},
		{"variable of a package", newEnded, true, true, nil, false},
		{"function", newSorted, true, true, nil, false},
		{"pointers of callers", func() *itemQueue { return new(itemQueue) }, true, true, nil, false},
		{"bytes", func() *byteQueue { return new(byteQueue) }, true, true, nil, false},
		{"panic", func() *strict { return new(strict) }, true, true, nil, false},
		{"writes to arguments", func() *itemMarker { return &itemMarker{} }, false, false, []string{"it writes to what its arguments point to"}, false},
		{"what lies beyond", func() *undoStack { return new(undoStack) }, true, true, nil, true},
		{"room", newWornQueue, true, true, nil, true},
		{"function with variables", newSortedBy, false, false, []string{"field less is a function"}, false},
		{"channel", newChanBox, false, false, []string{"field ch is a channel"}, false},
		{"sync.Map", func() *syncTable { return new(syncTable) }, false, false, []string{"field m is a sync.Map"}, false},
		{"pointers as keys", newMarked, true, false, []string{"a map is keyed by pointers"}, false},
		{"clock", func() *timed { return new(timed) }, true, false, []string{"the same calls make different objects: "}, false},
		{"goroutine", newWorker, false, false, []string{"it starts goroutines", "what goroutines hold is not seen"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := tried(t, c.construct)
			if k.r.fault != nil {
				t.Fatal(k.r.fault)
			}
			if k.kept.Copied != c.copied || k.kept.Interned != c.interned || (k.detail == objects.Full) != c.full || len(k.kept.Why) != len(c.why) {
				t.Errorf("%+v, detail %d", k.kept, k.detail)
			}
			for i := range c.why {
				if i < len(k.kept.Why) && !strings.HasPrefix(k.kept.Why[i], c.why[i]) {
					t.Errorf("%s, want %s", k.kept.Why[i], c.why[i])
				}
			}
			compare(t, k, 1)
		})
	}
}

// TestUntried keeps calls where no method may be tried.
func TestUntried(t *testing.T) {
	k := newKeeper(machineOf(t, func() *stackOf { return new(stackOf) }), 0)
	k.choose([]int{0, 1})
	if k.open(); k.kept.Copied || k.kept.Interned || len(k.kept.Why) != 1 {
		t.Errorf("%+v", k.kept)
	}
	compare(t, k, 2)
}

// compare steps at random, from new states and old ones, and compares each answer
// with that of a new object.
func compare(t *testing.T, k *keeper, seed int64) {
	t.Helper()
	rng := rand.New(rand.NewSource(seed))
	tr := &trial{k: k, rng: rng}
	tr.gather(nil)
	k.calls = append(k.calls, tr.pool...)
	words := [][]int32{nil} // by state
	for i := 0; i < int(testsize.Samples(2000)); i++ {
		s, c := int32(rng.Intn(len(words))), int32(rng.Intn(len(k.calls)))
		if len(words[s]) > 30 {
			s = 0
		}
		next, answer, ok := k.step(s, c)
		if !ok {
			t.Fatal(k.r.fault)
		}
		if int(next) == len(words) {
			words = append(words, append(slices.Clone(words[s]), c))
		}
		p, _ := tr.run(nil)
		k.r.calling(0)
		for _, c := range words[s] {
			k.try(p, &k.calls[c])
		}
		k.try(p, &k.calls[c])
		if want := k.number(&k.calls[c], k.r.out); want != answer {
			t.Fatalf("seed %d, state %d, call %s: answer %d, want %d", seed, s, k.draw(&k.calls[c]), answer, want)
		}
		if k.saved(); !k.holds() {
			t.Fatal(k.r.fault)
		}
	}
}

// saved makes an audit due.
func (k *keeper) saved() { k.audit.saved += 1000 }

// TestContradictions finds references that answer differently when the same calls
// are made again.
func TestContradictions(t *testing.T) {
	for _, construct := range []interface{}{func() *global { return new(global) }, newAnyKey} {
		k := tried(t, construct)
		if f := k.r.fault; f == nil || f.Reason != Differs || f.Words == "" || !strings.Contains(f.Detail, "then value") {
			t.Errorf("%T: %v", construct, f)
		}
	}
}

// TestBrokenCopies breaks copying and interning in ways that one might, and looks
// whether trials find it.
func TestBrokenCopies(t *testing.T) {
	shallow := func(k *keeper) {
		k.copy = func(p unsafe.Pointer) (unsafe.Pointer, error) {
			q := reflect.New(k.varType)
			q.Elem().Set(reflect.NewAt(k.varType, p).Elem())
			return q.UnsafePointer(), nil
		}
	}
	none := func(k *keeper) {
		k.copy = func(p unsafe.Pointer) (unsafe.Pointer, error) { return p, nil }
	}
	forgetful := func(k *keeper) {
		k.copy = func(p unsafe.Pointer) (unsafe.Pointer, error) { return k.construct() }
	}
	short := func(k *keeper) {
		k.write = func(p unsafe.Pointer) ([]byte, error) {
			b, err := k.textOf(p)
			return b[:len(b)/3], err
		}
	}
	same := func(k *keeper) { k.write = func(unsafe.Pointer) ([]byte, error) { return nil, nil } }
	for _, construct := range []interface{}{
		func() *stackOf { return new(stackOf) }, func() table { return table{} }, newListQueue, newEnded, newSorted,
	} {
		for i, broken := range []func(*keeper){shallow, none, forgetful, short, same} {
			if _, ok := construct.(func() *ended); ok && i == 0 {
				continue // its nodes are never written to
			}
			k := newKeeper(machineOf(t, construct), 0)
			broken(k)
			k.choose(nil)
			if i < 3 && k.kept.Copied || i >= 3 && k.kept.Interned {
				t.Errorf("%T with mistake %d: %+v", construct, i, k.kept)
			}
		}
	}
}

// magic does well unless it is told a certain number.
type magic struct{ v int }

func (m *magic) Set(v int) {
	m.v = v
}

func (m *magic) Get() int {
	if m.v == 424242 {
		globalCount++
		return globalCount
	}
	return m.v
}

// TestAudit finds late that a reference is not what it looked like.
func TestAudit(t *testing.T) {
	k := tried(t, func() *magic { return new(magic) })
	if !k.kept.Copied || !k.kept.Interned {
		t.Fatalf("%+v", k.kept)
	}
	k.calls = []call{callOf(t, k, 0, "424242"), {method: 1}}
	s, _, _ := k.step(0, 0)
	k.step(s, 1)
	for i := 0; ; i++ {
		k.saved()
		if !k.holds() {
			if f := k.r.fault; f.Reason != Uncopied || f.Seq != int(s) || f.At != 1 {
				t.Error(f)
			}
			return
		}
		if i == 100 {
			t.Fatal("not found")
		}
	}
}

// callOf is a call with an argument that a log has.
func callOf(t *testing.T, k *keeper, method int, arg string) call {
	t.Helper()
	c, err := k.readCall(NewReader(AppendValue(AppendNumber(nil, method), 0, arg)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestMemory refuses states when there is no room.
func TestMemory(t *testing.T) {
	k := newKeeper(machineOf(t, func() *stackOf { return new(stackOf) }), 1)
	k.choose(nil)
	k.open()
	k.calls = []call{callOf(t, k, 0, "1")}
	for s := int32(0); ; {
		next, _, ok := k.step(s, 0)
		if !ok {
			if !k.full || k.r.fault != nil {
				t.Error("no memory, but", k.r.fault)
			}
			return
		}
		if s = next; s > 1000 {
			t.Fatal("no end")
		}
	}
}

func ExampleFault_words() {
	m, _ := NewMachine(Object{New: func() *global { return new(global) }})
	k := newKeeper(m, 0)
	k.choose(nil)
	fmt.Println(k.r.fault.Reason, strings.Count(k.r.fault.Words, "Next()") > 0)
	// Output: answers differently the second time true
}

package calls

import (
	"cmp"
	"container/heap"
	"container/list"
	"container/ring"
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func (c *Calls) numbers() []int {
	s := make([]int, c.below(20))
	for i := range s {
		s[i] = c.below(20)
	}
	return s
}

func show(s []int) string {
	var b strings.Builder
	for _, x := range s {
		fmt.Fprint(&b, x, ",")
	}
	return b.String()
}

func (c *Calls) Slices(seed int) string {
	c.start(seed)
	s := c.numbers()
	t := slices.Clone(s)
	slices.Sort(t)
	i, found := slices.BinarySearch(t, 7)
	out := show(t) + fmt.Sprint(i, found, slices.Index(s, 3), slices.Contains(s, 4))
	u := slices.Compact(slices.Clone(t))
	slices.Reverse(u)
	u = slices.Insert(u, len(u)/2, 100, 101)
	u = slices.Delete(u, 0, 1)
	slices.SortStableFunc(s, func(a, b int) int { return cmp.Compare(a%5, b%5) })
	out += show(u) + show(s)
	if len(s) > 0 {
		out += fmt.Sprint(slices.Max(s), slices.Min(s))
	}
	for part := range slices.Chunk(s, 3) {
		out += show(part)
	}
	return out + show(slices.Collect(slices.Values(u))) + fmt.Sprint(slices.Equal(s, t))
}

type byMod []int

func (b byMod) Len() int           { return len(b) }
func (b byMod) Less(i, j int) bool { return b[i]%7 < b[j]%7 || b[i]%7 == b[j]%7 && b[i] < b[j] }
func (b byMod) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *byMod) Push(x any)        { *b = append(*b, x.(int)) }
func (b *byMod) Pop() any {
	s := *b
	x := s[len(s)-1]
	*b = s[:len(s)-1]
	return x
}

func (c *Calls) Sorted(seed int) string {
	c.start(seed)
	s := c.numbers()
	t := slices.Clone(s)
	sort.Slice(t, func(i, j int) bool { return t[i] > t[j] })
	out := show(t)
	points := make([]point, len(s))
	for i, x := range s {
		points[i] = point{x % 3, i}
	}
	sort.SliceStable(points, func(i, j int) bool { return points[i].x < points[j].x })
	for _, p := range points {
		out += p.String()
	}
	sort.Ints(s)
	out += show(s) + fmt.Sprint(sort.SearchInts(s, 5), sort.SliceIsSorted(s, func(i, j int) bool { return s[i] < s[j] }))
	b := byMod(s)
	sort.Sort(b)
	out += show(b)
	names := []string{"x", "aa", c.text(), c.text(), "m"}
	sort.Strings(names)
	out += strings.Join(names, ",")
	h := byMod(c.numbers())
	heap.Init(&h)
	heap.Push(&h, 5)
	for h.Len() > 0 {
		out += fmt.Sprint(heap.Pop(&h), ";")
	}
	l := list.New()
	for _, x := range s {
		if x%2 == 0 {
			l.PushBack(x)
		} else {
			l.PushFront(x)
		}
	}
	for e := l.Front(); e != nil; e = e.Next() {
		out += fmt.Sprint(e.Value, ":")
	}
	r := ring.New(3)
	for i := range 3 {
		r.Value = i
		r = r.Next()
	}
	r.Do(func(x any) { out += fmt.Sprint(x) })
	return out
}

func (c *Calls) Maps(seed int) string {
	c.start(seed)
	m := map[string]int{}
	for range c.below(3) {
		m[c.text()] = c.below(5)
	}
	n := maps.Clone(m)
	n["new"] = 3
	out := fmt.Sprint(len(m), len(n), maps.Equal(m, n))
	keys := slices.Sorted(maps.Keys(n))
	for _, k := range keys {
		out += fmt.Sprintf("%q=%d", k, n[k])
	}
	maps.DeleteFunc(n, func(_ string, v int) bool { return v > 2 })
	var s sync.Map
	for _, k := range keys {
		s.Store(k, n[k])
	}
	old, loaded := s.LoadOrStore("new", 9)
	swapped := s.CompareAndSwap("new", old, 8)
	v, ok := s.LoadAndDelete("new")
	out += fmt.Sprint(len(n), old, loaded, swapped, v, ok)
	count := 0
	s.Range(func(k, v any) bool {
		count++
		return true
	})
	return out + fmt.Sprint(count)
}

func (c *Calls) Locks(seed int) string {
	c.start(seed)
	var (
		mu    sync.Mutex
		rw    sync.RWMutex
		once  sync.Once
		n     atomic.Int64
		b     atomic.Bool
		p     atomic.Pointer[int]
		v     atomic.Value
		small int32
		wg    sync.WaitGroup
	)
	x := c.below(100)
	out := fmt.Sprint(mu.TryLock(), mu.TryLock(), rw.TryRLock(), rw.TryRLock(), rw.TryLock())
	mu.Unlock()
	rw.RUnlock()
	rw.RUnlock()
	rw.Lock()
	out += fmt.Sprint(rw.TryRLock())
	rw.Unlock()
	locker := rw.RLocker()
	locker.Lock()
	locker.Unlock()
	for range 3 {
		once.Do(func() { x++ })
	}
	out += fmt.Sprint(n.Add(int64(x)), n.CompareAndSwap(int64(x), 3), n.Load(), n.Swap(5), n.Or(6), n.And(3), n.Load())
	out += fmt.Sprint(b.Swap(true), b.CompareAndSwap(false, true), b.Load(), p.Load() == nil, p.CompareAndSwap(nil, &x), *p.Load())
	out += fmt.Sprint(v.Load(), atomic.AddInt32(&small, -3), atomic.CompareAndSwapInt32(&small, -3, 7), small)
	v.Store("text")
	out += fmt.Sprint(v.Swap("new"), v.CompareAndSwap("new", c.text()), v.Load())
	pool := sync.Pool{New: func() any { return new(int) }}
	got := pool.Get().(*int)
	wg.Add(2)
	wg.Done()
	wg.Done()
	wg.Wait()
	value := sync.OnceValue(func() int { x++; return x })
	return out + fmt.Sprint(*got, value(), value())
}

func (c *Calls) Contexts(seed int) string {
	c.start(seed)
	type key struct{}
	ctx := context.WithValue(context.Background(), key{}, c.below(10))
	sub, cancel := context.WithCancelCause(ctx)
	out := fmt.Sprint(sub.Value(key{}), sub.Err(), ctx.Done() == nil)
	cancel(errBase)
	<-sub.Done()
	_, cancelled := context.WithCancel(sub)
	defer cancelled()
	d := time.Duration(c.below(10000)) * time.Millisecond
	then := time.Date(2020, time.Month(1+c.below(12)), 1+c.below(28), 1, 2, 3, 0, time.UTC)
	time.Sleep(time.Nanosecond)
	return out + fmt.Sprint(sub.Err(), context.Cause(sub), d, d.Seconds(), then.Weekday(), then.Add(d).Unix(), then.YearDay(), then.Format(time.RFC3339), time.Since(time.Now()) < time.Hour)
}

package describe_test

import (
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/reference"
)

// A shape makes small types of one kind; n is its size.
type shape struct {
	name string
	spec func(n int, ds []deviation) reference.Spec
}

// of is a shape whose objects are made by a constructor.
func of[T any](name string, construct func(n int) *T) shape {
	return shape{name, func(n int, ds []deviation) reference.Spec {
		return deviating(name, func() *T { return construct(n) }, ds)
	}}
}

// shapes are the kinds of types that the closed loop makes.
var shapes = []shape{
	of("queue", func(int) *fifo { return &fifo{most: 1 << 30} }),
	of("boundedQueue", func(n int) *fifo { return &fifo{most: n} }),
	of("blockingQueue", func(n int) *waiting { return &waiting{most: n} }),
	of("stack", func(n int) *lifo { return &lifo{} }),
	of("window", func(n int) *window { return &window{n: n} }),
	of("ring", func(n int) *ring { return &ring{n: n} }),
	of("ids", func(n int) *ids { return &ids{next: n} }),
	of("freeIds", func(n int) *freeIds { return &freeIds{used: map[int]bool{}, n: n} }),
	of("versions", func(n int) *versions { return &versions{} }),
	of("ownerLock", func(int) *ownerLock { return &ownerLock{} }),
	of("lock", func(int) *lock { return &lock{} }),
	of("readWrite", func(n int) *readWrite { return &readWrite{n: n} }),
	of("semaphore", func(n int) *semaphore { return &semaphore{n, n} }),
	of("blockingSemaphore", func(n int) *permits { return &permits{n, n} }),
	of("saturating", func(n int) *saturating { return &saturating{n: n} }),
	of("quota", func(n int) *quota { return &quota{n: 10 * n} }),
	of("cache", func(n int) *lru { return &lru{n: n, vs: map[int]int{}} }),
	of("set", func(int) *set { return &set{vs: map[int]bool{}, n: 1 << 30} }),
	of("limitedSet", func(n int) *set { return &set{vs: map[int]bool{}, n: n} }),
	of("bag", func(n int) *bag { return &bag{map[int]int{}} }),
	of("toggle", func(n int) *toggle { return &toggle{n: n} }),
	of("once", func(int) *once { return &once{} }),
	of("casRegister", func(int) *casRegister { return &casRegister{} }),
	of("register", func(n int) *past { return &past{n: 1} }),
	of("pastRegister", func(n int) *past { return &past{n: n} }),
	of("highest", func(int) *top { return &top{} }),
	of("store", func(int) *store { return &store{vs: map[int]int{}, n: 1 << 30} }),
	of("limitedStore", func(n int) *store { return &store{vs: map[int]int{}, n: n} }),
	of("journal", func(int) *journal { return &journal{} }),
	of("array", func(n int) *array { return &array{make([]int, n)} }),
	of("pair", func(int) *two { return &two{} }),
	of("latch", func(n int) *latch { return &latch{n} }),
	of("limiter", func(n int) *limiter { return &limiter{n: n} }),
	of("ballot", func(n int) *ballot { return &ballot{n: n, by: map[string]bool{}} }),
	of("lease", func(int) *leased { return &leased{} }),
	of("slot", func(int) *slot { return &slot{} }),
	of("topic", func(int) *topic { return &topic{at: map[string]int{}} }),
	of("smallest", func(int) *smallest { return &smallest{} }),
	of("ticks", func(n int) *ticks { return &ticks{n: n, until: map[string]int{}} }),
	of("uniqueQueue", func(int) *uniqueQueue { return &uniqueQueue{} }),
	of("rounds", func(n int) *rounds { return &rounds{n: n} }),
	of("tries", func(n int) *tries { return &tries{n, map[string]int{}} }),
	of("connected", func(int) *connected { return &connected{map[int]int{}} }),
	of("pointer", func(int) *swapped { return &swapped{} }),
	of("anything", func(int) *boxes { return &boxes{} }),
	of("firstError", func(int) *faults { return &faults{} }),
	of("strictQueue", func(int) *strict { return &strict{} }),
	of("lists", func(int) *several { return &several{map[string]bool{}} }),
	of("events", func(int) *events { return &events{map[int]bool{}} }),
	of("batches", func(int) *batches { return &batches{} }),
}

type fifo struct {
	vs   []int
	most int
}

func (q *fifo) Offer(v int) bool {
	if len(q.vs) >= q.most {
		return false
	}
	q.vs = append(q.vs, v)
	return true
}

func (q *fifo) Poll() (int, bool) {
	if len(q.vs) == 0 {
		return 0, false
	}
	v := q.vs[0]
	q.vs = slices.Clone(q.vs[1:])
	return v, true
}

type waiting fifo

func (q *waiting) Put(v string) {
	if len(q.vs) >= q.most {
		panic(reference.Blocked)
	}
	q.vs = append(q.vs, len(v))
}

func (q *waiting) Take() int {
	if len(q.vs) == 0 {
		panic(reference.Blocked)
	}
	v := q.vs[0]
	q.vs = slices.Clone(q.vs[1:])
	return v
}

type lifo struct{ vs []string }

func (s *lifo) Push(v string) { s.vs = append(s.vs, v) }
func (s *lifo) Pop() (string, bool) {
	n := len(s.vs)
	if n == 0 {
		return "", false
	}
	v := s.vs[n-1]
	s.vs = s.vs[:n-1]
	return v, true
}

type window struct {
	n      int
	recent []string
}

func (w *window) Seen(id string) bool {
	if slices.Contains(w.recent, id) {
		return true
	}
	w.recent = append(w.recent, id)
	if len(w.recent) > w.n {
		w.recent = slices.Clone(w.recent[1:])
	}
	return false
}

type ring struct {
	n  int
	vs []int
}

func (r *ring) Write(v int) {
	if r.vs = append(r.vs, v); len(r.vs) > r.n {
		r.vs = slices.Clone(r.vs[1:])
	}
}

func (r *ring) Read() (int, error) {
	if len(r.vs) == 0 {
		return 0, errors.New("empty")
	}
	v := r.vs[0]
	r.vs = slices.Clone(r.vs[1:])
	return v, nil
}

type ids struct{ next int }

func (i *ids) Next() int { i.next++; return i.next }

type freeIds struct {
	used map[int]bool
	n    int
}

func (f *freeIds) Alloc() (int, bool) {
	for i := 1; i <= f.n; i++ {
		if !f.used[i] {
			f.used[i] = true
			return i, true
		}
	}
	return 0, false
}
func (f *freeIds) Free(id int) bool { was := f.used[id]; delete(f.used, id); return was }

type versions struct {
	v       string
	version int
}

func (r *versions) Set(v string) int { r.v, r.version = v, r.version+1; return r.version }
func (r *versions) SetIf(v string, version int) bool {
	if version != r.version {
		return false
	}
	r.Set(v)
	return true
}
func (r *versions) Get() (string, int) { return r.v, r.version }

type ownerLock struct{ owner string }

func (l *ownerLock) Acquire(who string) bool {
	if l.owner != "" && l.owner != who {
		return false
	}
	l.owner = who
	return true
}

func (l *ownerLock) Release(who string) bool {
	if l.owner != who {
		return false
	}
	l.owner = ""
	return true
}

type lock struct{ held bool }

func (l *lock) TryLock() bool { was := l.held; l.held = true; return !was }
func (l *lock) Unlock() {
	if !l.held {
		panic("not locked")
	}
	l.held = false
}

type readWrite struct {
	n, readers int
	written    bool
}

func (l *readWrite) TryRead() bool {
	if l.written || l.readers == l.n {
		return false
	}
	l.readers++
	return true
}
func (l *readWrite) DoneRead() bool {
	if l.readers == 0 {
		return false
	}
	l.readers--
	return true
}
func (l *readWrite) TryWrite() bool {
	if l.written || l.readers > 0 {
		return false
	}
	l.written = true
	return true
}
func (l *readWrite) DoneWrite() bool { was := l.written; l.written = false; return was }

type semaphore struct{ free, n int }

func (s *semaphore) TryAcquire() bool {
	if s.free == 0 {
		return false
	}
	s.free--
	return true
}
func (s *semaphore) Release() { s.free = min(s.n, s.free+1) }

type permits semaphore

func (s *permits) Acquire() {
	if s.free == 0 {
		panic(reference.Blocked)
	}
	s.free--
}
func (s *permits) Release() {
	if s.free == s.n {
		panic(reference.Blocked)
	}
	s.free++
}

type saturating struct{ k, n int }

func (c *saturating) Inc() int   { c.k = min(c.n, c.k+1); return c.k }
func (c *saturating) Dec() int   { c.k = max(0, c.k-1); return c.k }
func (c *saturating) Value() int { return c.k }

type quota struct{ used, n int }

func (q *quota) Use(k int) bool {
	if k < 0 || q.used+k > q.n {
		return false
	}
	q.used += k
	return true
}
func (q *quota) Left() int { return q.n - q.used }

type lru struct {
	n     int
	order []int
	vs    map[int]int
}

func (c *lru) Put(k, v int) {
	c.touch(k)
	if c.vs[k] = v; len(c.order) > c.n {
		delete(c.vs, c.order[0])
		c.order = slices.Clone(c.order[1:])
	}
}
func (c *lru) Get(k int) (int, bool) {
	v, ok := c.vs[k]
	if ok {
		c.touch(k)
	}
	return v, ok
}
func (c *lru) touch(k int) {
	c.order = append(slices.DeleteFunc(c.order, func(o int) bool { return o == k }), k)
}

type set struct {
	vs map[int]bool
	n  int
}

func (s *set) Add(v int) bool {
	if s.vs[v] || len(s.vs) >= s.n {
		return false
	}
	s.vs[v] = true
	return true
}
func (s *set) Remove(v int) bool   { was := s.vs[v]; delete(s.vs, v); return was }
func (s *set) Contains(v int) bool { return s.vs[v] }

type bag struct{ k map[int]int }

func (b *bag) Add(v int) { b.k[v]++ }
func (b *bag) Remove(v int) bool {
	if b.k[v] == 0 {
		return false
	}
	if b.k[v]--; b.k[v] == 0 {
		delete(b.k, v)
	}
	return true
}
func (b *bag) Count(v int) int { return b.k[v] }

type toggle struct{ k, n int }

func (t *toggle) Press()   { t.k = (t.k + 1) % (2 * t.n) }
func (t *toggle) On() bool { return t.k >= t.n }

type once struct {
	done bool
	v    string
}

func (o *once) Propose(v string) string {
	if !o.done {
		o.done, o.v = true, v
	}
	return o.v
}
func (o *once) Decided() (string, bool) { return o.v, o.done }

type casRegister struct{ v int }

func (r *casRegister) Load() int   { return r.v }
func (r *casRegister) Store(v int) { r.v = v }
func (r *casRegister) CompareAndSwap(a, b int) bool {
	if r.v != a {
		return false
	}
	r.v = b
	return true
}

type past struct {
	n  int
	vs []int
}

func (p *past) Write(v int) {
	if p.vs = append(p.vs, v); len(p.vs) > p.n {
		p.vs = slices.Clone(p.vs[1:])
	}
}
func (p *past) Read() (int, bool) {
	if len(p.vs) < p.n {
		return 0, false
	}
	return p.vs[0], true
}

type top struct{ v int }

func (t *top) Raise(v int) bool {
	if v <= t.v {
		return false
	}
	t.v = v
	return true
}
func (t *top) Top() int { return t.v }

type store struct {
	vs map[int]int
	n  int
}

func (s *store) Put(k, v int) bool {
	if _, ok := s.vs[k]; !ok && len(s.vs) >= s.n {
		return false
	}
	s.vs[k] = v
	return true
}
func (s *store) Get(k int) (int, bool) { v, ok := s.vs[k]; return v, ok }
func (s *store) Delete(k int) bool     { _, ok := s.vs[k]; delete(s.vs, k); return ok }

type journal struct{ vs []string }

func (j *journal) Append(v string) int { j.vs = append(j.vs, v); return len(j.vs) - 1 }
func (j *journal) Read(i int) (string, error) {
	if i < 0 || i >= len(j.vs) {
		return "", errors.New("no such entry")
	}
	return j.vs[i], nil
}

type array struct{ vs []int }

func (a *array) Write(i, v int) bool {
	if i < 0 || i >= len(a.vs) {
		return false
	}
	a.vs[i] = v
	return true
}
func (a *array) Read(i int) (int, bool) {
	if i < 0 || i >= len(a.vs) {
		return 0, false
	}
	return a.vs[i], true
}

type two struct{ left, right int }

func (p *two) SetLeft(v int)    { p.left = v }
func (p *two) SetRight(v int)   { p.right = v }
func (p *two) Scan() (int, int) { return p.left, p.right }

type latch struct{ left int }

func (l *latch) CountDown() { l.left = max(0, l.left-1) }
func (l *latch) Open() bool { return l.left == 0 }

type limiter struct{ used, n int }

func (l *limiter) Allow() bool {
	if l.used == l.n {
		return false
	}
	l.used++
	return true
}
func (l *limiter) Tick() { l.used = 0 }

type ballot struct {
	n  int
	by map[string]bool
}

func (b *ballot) Vote(who string) error {
	if len(b.by) >= b.n {
		return errors.New("closed")
	}
	if b.by[who] {
		return errors.New("twice")
	}
	b.by[who] = true
	return nil
}
func (b *ballot) Decided() bool { return len(b.by) >= b.n }

type leased struct {
	token int
	held  bool
}

func (l *leased) Acquire() (int, bool) {
	if l.held {
		return 0, false
	}
	l.held, l.token = true, l.token+1
	return l.token, true
}
func (l *leased) Release(token int) bool {
	if !l.held || token != l.token {
		return false
	}
	l.held = false
	return true
}

type slot struct {
	full bool
	v    string
}

func (s *slot) Put(v string) bool {
	if s.full {
		return false
	}
	s.full, s.v = true, v
	return true
}
func (s *slot) Take() (string, bool) {
	v, ok := s.v, s.full
	s.full, s.v = false, ""
	return v, ok
}

type topic struct {
	vs []int
	at map[string]int
}

func (t *topic) Publish(v int) { t.vs = append(t.vs, v) }
func (t *topic) Poll(who string) (int, bool) {
	i := t.at[who]
	if i == len(t.vs) {
		return 0, false
	}
	t.at[who]++
	return t.vs[i], true
}

type smallest struct{ vs []int }

func (s *smallest) Insert(v int) { s.vs = append(s.vs, v); slices.Sort(s.vs) }
func (s *smallest) DeleteMin() (int, bool) {
	if len(s.vs) == 0 {
		return 0, false
	}
	v := s.vs[0]
	s.vs = slices.Clone(s.vs[1:])
	return v, true
}

type ticks struct {
	n     int
	until map[string]int
}

func (t *ticks) Login(who string) { t.until[who] = t.n }
func (t *ticks) Tick() {
	for who := range t.until {
		if t.until[who]--; t.until[who] == 0 {
			delete(t.until, who)
		}
	}
}
func (t *ticks) Active(who string) bool { return t.until[who] > 0 }

type uniqueQueue struct{ vs []string }

func (q *uniqueQueue) Add(v string) bool {
	if slices.Contains(q.vs, v) {
		return false
	}
	q.vs = append(q.vs, v)
	return true
}
func (q *uniqueQueue) Next() (string, bool) {
	if len(q.vs) == 0 {
		return "", false
	}
	v := q.vs[0]
	q.vs = slices.Clone(q.vs[1:])
	return v, true
}

type rounds struct{ n, arrived, round int }

func (r *rounds) Arrive() int {
	was := r.round
	if r.arrived++; r.arrived == r.n {
		r.arrived, r.round = 0, r.round+1
	}
	return was
}

type tries struct {
	n    int
	made map[string]int
}

func (t *tries) Try(who string) bool {
	if t.made[who] >= t.n {
		return false
	}
	t.made[who]++
	return true
}
func (t *tries) Forgive(who string) { delete(t.made, who) }

type connected struct{ parent map[int]int }

func (c *connected) find(x int) int {
	for c.parent[x] != x {
		p, ok := c.parent[x]
		if !ok {
			return x
		}
		x = p
	}
	return x
}
func (c *connected) Union(a, b int) bool {
	a, b = c.find(a), c.find(b)
	if a == b {
		return false
	}
	c.parent[max(a, b)] = min(a, b)
	return true
}
func (c *connected) Same(a, b int) bool { return c.find(a) == c.find(b) }

package judge

import (
	"context"
	"errors"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// ring refuses values when it is full.
type ring struct {
	most   int
	values []int
}

func (r *ring) Put(v int) bool {
	if len(r.values) == r.most {
		return false
	}
	r.values = append(r.values, v)
	return true
}

func (r *ring) Get() (int, bool) {
	if len(r.values) == 0 {
		return 0, false
	}
	v := r.values[0]
	r.values = r.values[1:]
	return v, true
}

// bounded is a ring whose errors say that it is full or empty.
type bounded struct{ ring *ring }

var errFull = errors.New("full")

func (b *bounded) Enqueue(v int) error {
	if !b.ring.Put(v) {
		return errFull
	}
	return nil
}

func (b *bounded) Dequeue() (int, error) {
	v, ok := b.ring.Get()
	if !ok {
		return 0, errFull
	}
	return v, nil
}

// overwriting forgets the oldest value when it is full.
type overwriting struct{ ring *ring }

func (o *overwriting) Push(v int) {
	if !o.ring.Put(v) {
		o.ring.Get()
		o.ring.Put(v)
	}
}

func (o *overwriting) Pop() (int, bool) { return o.ring.Get() }

// blocking makes those who add to a full queue wait, and those who remove from an
// empty one.
type blocking struct{ ring ring }

func (b *blocking) Add(v int) error {
	if !b.ring.Put(v) {
		return reference.Blocked
	}
	return nil
}

func (b *blocking) Remove() (int, error) {
	v, ok := b.ring.Get()
	if !ok {
		return 0, reference.Blocked
	}
	return v, nil
}

// lru forgets the key that was used longest ago.
type lru struct {
	most   int
	keys   []int
	values map[int]int
}

func (c *lru) use(k int) {
	for i, o := range c.keys {
		if o == k {
			c.keys = append(c.keys[:i], c.keys[i+1:]...)
			break
		}
	}
	c.keys = append(c.keys, k)
}

func (c *lru) Put(k, v int) {
	if c.use(k); len(c.keys) > c.most {
		delete(c.values, c.keys[0])
		c.keys = c.keys[1:]
	}
	c.values[k] = v
}

func (c *lru) Get(k int) (int, bool) {
	v, ok := c.values[k]
	if ok {
		c.use(k)
	}
	return v, ok
}

// semaphore lets so many in.
type semaphore struct{ most, in int }

func (s *semaphore) TryAcquire() bool {
	if s.in == s.most {
		return false
	}
	s.in++
	return true
}

func (s *semaphore) Release() bool {
	if s.in == 0 {
		return false
	}
	s.in--
	return true
}

// ttl forgets a key after so many ticks.
type ttl struct {
	life, now int
	values    map[int][2]int
}

func (c *ttl) Tick()        { c.now++ }
func (c *ttl) Put(k, v int) { c.values[k] = [2]int{v, c.now} }
func (c *ttl) Get(k int) (int, bool) {
	e, ok := c.values[k]
	if !ok || c.now-e[1] >= c.life {
		return 0, false
	}
	return e[0], true
}

// recent remembers the values that came last.
type recent struct{ ring *ring }

func (r *recent) Add(v int) {
	if !r.ring.Put(v) {
		r.ring.Get()
		r.ring.Put(v)
	}
}

func (r *recent) Contains(v int) bool {
	for _, w := range r.ring.values {
		if v == w {
			return true
		}
	}
	return false
}

var capacities = []struct {
	name   string
	make   func(n int) any
	scheme reference.Info // for those that take long to find one
}{
	{"ring", func(n int) any { return func() *ring { return &ring{most: n} } }, reference.Info{}},
	{"bounded queue", func(n int) any { return func() *bounded { return &bounded{&ring{most: n}} } }, reference.Info{}},
	{"overwriting queue", func(n int) any { return func() *overwriting { return &overwriting{&ring{most: n}} } }, reference.Info{}},
	{"LRU cache", func(n int) any { return func() *lru { return &lru{most: n, values: map[int]int{}} } }, storeSpec.Info()},
	{"TTL cache", func(n int) any { return func() *ttl { return &ttl{life: n, values: map[int][2]int{}} } }, ttlInfo()},
	{"recent values", func(n int) any { return func() *recent { return &recent{&ring{most: n}} } }, reference.Info{}},
	{"blocking queue", func(n int) any { return func() *blocking { return &blocking{ring{most: n}} } }, reference.Info{}},
	{"semaphore", func(n int) any { return func() *semaphore { return &semaphore{most: n} } }, reference.Info{}},
}

// ttlInfo is the store's scheme with ticks.
func ttlInfo() reference.Info {
	i := storeSpec.Info()
	i.Target = append(i.Target[:2:2], "x = y & (method(x) = put | method(x) = tick | outcome(x) = nil)")
	i.ReadOnly = "method(x) = get | method(x) = tick"
	return i
}

// TestCapacities: no type with a capacity comes out as one without. The run that
// shows the capacity is as short as can be.
func TestCapacities(t *testing.T) {
	for _, c := range capacities {
		for _, n := range []int{8, 16, 100} {
			if !testsize.Nightly() && c.name != "ring" && (n != 100 || !testsize.Long()) {
				continue
			}
			impl, err := reference.Of(c.make(n))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Infer(context.Background(), impl, c.scheme, patterns.Options{Checks: quick}, Options{LongRuns: DefaultLongRuns})
			var wrong *Wrong
			var none *matching.None
			switch {
			case err == nil:
				t.Errorf("%s of %d has a theory", c.name, n)
			case c.name == "semaphore" && errors.As(err, &none):
			case !errors.As(err, &wrong) || len(wrong.Execution) > n+2:
				t.Errorf("%s of %d: %v", c.name, n, err)
			}
		}
	}
}

package describe_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// ordinary are types as people write them, each with answers of another shape.
var ordinary = []answering{
	answers("ballot", func() *election { return &election{by: map[string]bool{}} }, map[string]error{"ErrTwice": errTwice, "ErrEnded": errEnded}),
	answers("barrier", func() *gathering { return &gathering{} }, nil),
	answers("lock-out", func() *lockout { return &lockout{tries: map[string]int{}} }, nil),
	answers("quota", func() *allowance { return &allowance{left: 3} }, nil),
	answers("breaker", func() *circuit { return &circuit{} }, nil),
	answers("minus one", func() *minusOne { return &minusOne{} }, emptyOnly),
	answers("three errors", func() *three { return &three{} }, map[string]error{"ErrEmpty": errEmpty, "ErrEnded": errEnded}, errors.New("careful: 3 left")),
	answers("texts", func() *texts { return &texts{} }, nil, errors.New("too early"), errors.New("too late")),
	answers("holds or fails", func() *holdsOrFails { return &holdsOrFails{} }, map[string]error{"ErrEnded": errEnded}),
	answers("bool and error", func() *known { return &known{vs: map[string]int{}} }, map[string]error{"ErrEnded": errEnded}),
	answers("next and last", func() *numbered { return &numbered{} }, nil),
	answers("parser", func() *parser { return &parser{} }, nil),
	answers("constant", func() *constants { return &constants{} }, nil),
	answers("silent", func() *silent { return &silent{} }, nil),
	answers("first error", func() *remembers { return &remembers{} }, nil, errors.New("broken"), errors.New("late")),
	answers("found", func() *directory { return &directory{people: map[string]*person{}} }, nil),
	answers("bytes or nil", func() *blobs { return &blobs{vs: map[string][]byte{}} }, nil),
	answers("bytes and error", func() *files { return &files{vs: map[string][]byte{}} }, map[string]error{"ErrNoKey": errNoKey}),
	answers("time left", func() *timer { return &timer{} }, nil),
	answers("outcomes", func() *traffic { return &traffic{} }, nil),
	answers("statistics", func() *statistics { return &statistics{} }, emptyOnly),
	answers("histogram", func() *histogram { return &histogram{m: map[colour]int{}} }, nil),
	answers("list of all", func() *guests { return &guests{} }, nil),
	answers("compare and swap", func() *compared { return &compared{} }, nil),
	answers("none beside false", func() *labelled { return &labelled{} }, nil),
	answers("joined errors", func() *joined { return &joined{} }, map[string]error{"ErrEmpty": errEmpty, "ErrEnded": errEnded}),
	answers("shadowed", func() *shadowed { return &shadowed{} }, map[string]error{"ErrShut": errShut, "ErrQueueShut": errQueueShut}),
	answers("generation", func() *generation { return &generation{} }, nil),
	answers("many", func() *many { return &many{} }, map[string]error{"ErrEnded": errEnded}),
	answers("level", func() *thermostat { return &thermostat{} }, nil),
	answers("version", func() *versionedMap { return &versionedMap{vs: map[string]int{}, at: map[string]int{}} }, map[string]error{"ErrNoKey": errNoKey, "ErrConflict": errConflict}),
	answers("lease", func() *tenancy { return &tenancy{} }, map[string]error{"ErrHeld": errHeld, "ErrStale": errStale}),
}

var (
	errTwice     = errors.New("already voted")
	errShut      = errors.New("shut")
	errQueueShut = errors.New("queue: shut")
	errConflict  = errors.New("conflict")
	errHeld      = errors.New("held")
	errStale     = errors.New("stale")
)

type election struct {
	by    map[string]bool
	ended bool
}

func (e *election) Vote(who string) error {
	switch {
	case e.ended:
		return errEnded
	case e.by[who]:
		return errTwice
	}
	e.by[who] = true
	return nil
}
func (e *election) End() (votes int) { e.ended = true; return len(e.by) }

type gathering struct{ arrived, generation int }

func (g *gathering) Arrive() (generation int, last bool) {
	generation = g.generation
	if g.arrived++; g.arrived == 2 {
		g.arrived, g.generation, last = 0, (g.generation+1)%4, true
	}
	return generation, last
}

type lockout struct{ tries map[string]int }

func (l *lockout) Attempt(user string, ok bool) (left int, allowed bool) {
	if l.tries[user] >= 2 {
		return 0, false
	}
	if ok {
		delete(l.tries, user)
		return 2, true
	}
	l.tries[user]++
	return 2 - l.tries[user], true
}

type allowance struct{ left int }

type exceeded struct{ Left int }

func (e exceeded) Error() string { return "quota exceeded: " + strconv.Itoa(e.Left) + " left" }

func (a *allowance) Consume(n int) (left int, err error) {
	if n < 0 || n > a.left {
		return a.left, exceeded{a.left}
	}
	a.left -= n
	return a.left, nil
}
func (a *allowance) Refill() { a.left = 3 }

type circuit struct {
	failures int
	state    colour
}

func (c *circuit) State() colour { return c.state }
func (c *circuit) Report(ok bool) colour {
	switch {
	case ok:
		c.failures, c.state = 0, red
	case c.state != red:
		c.state = blue
	default:
		if c.failures++; c.failures == 2 {
			c.state = green
		}
	}
	return c.state
}

type minusOne struct{ vs []int }

func (m *minusOne) Put(v int) { m.vs = append(m.vs, v) }
func (m *minusOne) Take() (int, error) {
	if len(m.vs) == 0 {
		return -1, errEmpty
	}
	v := m.vs[0]
	m.vs = slices.Clone(m.vs[1:])
	return v, nil
}

type three struct {
	n     int
	ended bool
}

func (t *three) Add() error {
	switch {
	case t.ended:
		return errEnded
	case t.n == 3:
		return errors.New("careful: 3 left")
	}
	t.n++
	return nil
}
func (t *three) Take() error {
	if t.n == 0 {
		return errEmpty
	}
	t.n--
	return nil
}
func (t *three) End() { t.ended = true }

type texts struct{ n int }

func (t *texts) Step() { t.n = min(t.n+1, 3) }
func (t *texts) Do() (int, error) {
	switch {
	case t.n < 1:
		return 0, errors.New("too early")
	case t.n > 2:
		return t.n, errors.New("too late")
	}
	return t.n, nil
}

type holdsOrFails struct{ n int }

func (h *holdsOrFails) Add(x int) error {
	if h.n+x > 3 || x < 0 {
		return fmt.Errorf("adding: %w", errEnded)
	}
	h.n += x
	return nil
}
func (h *holdsOrFails) Full() bool { return h.n == 3 }

type known struct {
	vs    map[string]int
	ended bool
}

func (k *known) Add(v string) (bool, error) {
	if k.ended {
		return len(k.vs) > 0, errEnded
	}
	k.vs[v]++
	return k.vs[v] == 1, nil
}
func (k *known) End() { k.ended = true }

type numbered struct{ n int64 }

func (c *numbered) Next() (n int64, last bool) { c.n = c.n%4 + 1; return c.n, c.n == 4 }

type parser struct{ texts []string }

func (p *parser) Feed(s string) { p.texts = append(p.texts, s) }
func (p *parser) Token() (text string, length int, more bool) {
	if len(p.texts) == 0 {
		return "end", -1, false
	}
	text = p.texts[0]
	p.texts = slices.Clone(p.texts[1:])
	return text, len(text), true
}

type constants struct{ n int }

func (c *constants) Version() (major, minor int) { return 1, 4 }
func (c *constants) Set(n int)                   { c.n = n }
func (c *constants) Get() (int, string)          { return c.n, "ok" }

type silent struct{ v int }

func (s *silent) Write(v int) { s.v = v }
func (s *silent) Touch()      {}
func (s *silent) Read() int   { return s.v }

type remembers struct{ err error }

func (r *remembers) Fail(late bool) {
	if r.err == nil && late {
		r.err = errors.New("late")
	} else if r.err == nil {
		r.err = errors.New("broken")
	}
}
func (r *remembers) Err() error { return r.err }

type directory struct{ people map[string]*person }

func (d *directory) Add(name string, age int) { d.people[name] = &person{name, age} }
func (d *directory) Find(name string) *person { return d.people[name] }

type blobs struct{ vs map[string][]byte }

func (b *blobs) Put(k string, v []byte) { b.vs[k] = slices.Clone(v) }
func (b *blobs) Get(k string) []byte    { return b.vs[k] }

type files struct{ vs map[string][]byte }

func (b *files) Write(k string, v []byte) int { b.vs[k] = append(b.vs[k], v...); return len(b.vs[k]) }
func (b *files) Read(k string) ([]byte, error) {
	v, ok := b.vs[k]
	if !ok {
		return nil, &missing{k, errNoKey}
	}
	return v, nil
}

type missing struct {
	Key string
	Err error
}

func (m *missing) Error() string { return m.Key + ": " + m.Err.Error() }
func (m *missing) Unwrap() error { return m.Err }

type timer struct{ left time.Duration }

func (t *timer) Set(d time.Duration) { t.left = max(0, d) }
func (t *timer) Spend(d time.Duration) (left time.Duration, running bool) {
	t.left = max(0, t.left-max(0, d))
	return t.left, t.left > 0
}

type traffic struct{ l light }

func (t *traffic) Turn() (was, is light) { was = t.l; t.l = (t.l + 1) % 3; return was, t.l }
func (t *traffic) Is(l light) bool       { return t.l == l }

type statistics struct{ vs []int }

type summary struct {
	N, Sum int
	Mean   float64
}

func (s *statistics) Add(v int) { s.vs = append(s.vs, v) }
func (s *statistics) Summary() (summary, error) {
	if len(s.vs) == 0 {
		return summary{Mean: -1}, errEmpty
	}
	sum := 0
	for _, v := range s.vs {
		sum += v
	}
	return summary{len(s.vs), sum, float64(sum) / float64(len(s.vs))}, nil
}

type histogram struct{ m map[colour]int }

func (h *histogram) Observe(c colour)    { h.m[c] = min(h.m[c]+1, 2) }
func (h *histogram) All() map[colour]int { return cloned(h.m) }

func cloned[K comparable, V any](m map[K]V) map[K]V {
	c := map[K]V{}
	for k, v := range m {
		c[k] = v
	}
	return c
}

type guests struct{ names []string }

func (g *guests) Enter(name string) (position int, again bool) {
	if i := slices.Index(g.names, name); i >= 0 {
		return i, true
	}
	g.names = append(g.names, name)
	return len(g.names) - 1, false
}
func (g *guests) All() []string { return slices.Clone(g.names) }

type compared struct{ v int }

func (c *compared) CompareAndSwap(old, v int) (current int, swapped bool) {
	if c.v != old {
		return c.v, false
	}
	c.v = v
	return v, true
}

type labelled struct{ labels []string }

func (l *labelled) Push(s string) (depth int) { l.labels = append(l.labels, s); return len(l.labels) }
func (l *labelled) Top() (string, bool) {
	if len(l.labels) == 0 {
		return "none", false
	}
	return l.labels[len(l.labels)-1], true
}

type joined struct {
	n     int
	ended bool
}

func (j *joined) Put() { j.n = 1 }
func (j *joined) End() { j.ended = true }
func (j *joined) Take() error {
	switch {
	case j.n == 0 && j.ended:
		return errors.Join(errEmpty, errEnded)
	case j.n == 0:
		return errEmpty
	case j.ended:
		return errEnded
	}
	j.n = 0
	return nil
}

type shadowed struct{ a, b bool }

func (s *shadowed) ShutQueue() { s.a = true }
func (s *shadowed) Shut()      { s.b = true }
func (s *shadowed) Use() error {
	switch {
	case s.a:
		return errQueueShut
	case s.b:
		return errShut
	}
	return nil
}

type generation struct {
	g int
	w word
}

func (g *generation) Renew(w word) (generation int, old word, changed bool) {
	old, changed = g.w, g.w != w
	if changed {
		g.g = (g.g + 1) % 4
	}
	g.w = w
	return g.g, old, changed
}

type many struct {
	n     int
	last  word
	ended bool
}

func (m *many) Step(w word) (n int, even bool, last word, half float64, err error) {
	if m.ended {
		return m.n, m.n%2 == 0, m.last, 0.5, errEnded
	}
	m.n, last, m.last = (m.n+1)%4, m.last, w
	return m.n, m.n%2 == 0, last, float64(m.n) / 2, nil
}
func (m *many) End() { m.ended = true }

type thermostat struct{ at float64 }

func (t *thermostat) Up() (level float64, capped flag) {
	t.at = min(t.at+0.5, 1.5)
	return t.at, t.at == 1.5
}
func (t *thermostat) Down() (level float64, capped flag) {
	t.at = max(t.at-0.5, 0)
	return t.at, t.at == 0
}

type versionedMap struct{ vs, at map[string]int }

func (m *versionedMap) Get(k string) (value, version int, err error) {
	v, ok := m.vs[k]
	if !ok {
		return 0, m.at[k], errNoKey
	}
	return v, m.at[k], nil
}
func (m *versionedMap) Put(k string, v, version int) (now int, err error) {
	if m.at[k] != version {
		return m.at[k], errConflict
	}
	m.vs[k], m.at[k] = v, version+1
	return m.at[k], nil
}

type tenancy struct {
	token int
	held  bool
}

func (t *tenancy) Acquire() (token int, err error) {
	if t.held {
		return t.token, errHeld
	}
	t.held, t.token = true, t.token%3+1
	return t.token, nil
}
func (t *tenancy) Release(token int) error {
	if !t.held || token != t.token {
		return fmt.Errorf("release %d: %w", token, errStale)
	}
	t.held = false
	return nil
}

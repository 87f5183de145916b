package describe_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/reference"
)

// answering is a small type whose methods answer with more than one thing, or with things
// of a type of their own.
type answering struct {
	name   string
	object func() any // a new one
	spec   reference.Spec
	errors []error // that its methods return
}

func answers[T any](name string, construct func() *T, errs map[string]error, more ...error) answering {
	a := answering{name, func() any { return construct() }, reference.Spec{Name: "it", New: construct, Errors: errs}, more}
	for _, e := range errs {
		a.errors = append(a.errors, e)
	}
	slices.SortFunc(a.errors, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return a
}

// Types of values.
type (
	colour int
	light  uint8
	count  int
	word   string
	flag   bool
	point  struct{ X, Y int }
	person struct {
		Name string
		Age  int `json:"age"`
	}
	order struct {
		By    person
		Items []string
		At    point
	}
	wrapper[T any] struct{ In T }
)

const (
	red colour = iota
	green
	blue
)

func (c colour) String() string {
	if c < 0 || c > 2 {
		return fmt.Sprintf("colour(%d)", int(c))
	}
	return [...]string{"red", "green", "blue"}[c]
}

// answeringTypes are all combinations of what types do and of the values that they hold,
// and others that are like ordinary ones.
func answeringTypes() (all []answering) {
	add := func(some []answering) { all = append(all, some...) }
	add(holding[int]("int"))
	add(holding[string]("string"))
	add(holding[bool]("bool"))
	add(holding[float64]("float64"))
	add(holding[[]byte]("bytes"))
	add(holding[time.Duration]("duration"))
	add(holding[colour]("enum"))
	add(holding[light]("constants"))
	add(holding[count]("named int"))
	add(holding[word]("named string"))
	add(holding[flag]("named bool"))
	add(holding[point]("point"))
	add(holding[person]("struct"))
	add(holding[order]("nested"))
	add(holding[*point]("pointer"))
	add(holding[[]int]("list"))
	add(holding[[2]bool]("array"))
	add(holding[map[string]int]("map"))
	add(holding[wrapper[colour]]("generic"))
	add(holding[[]person]("list of structs"))
	add(holding[any]("any"))
	return append(all, ordinary...)
}

var (
	errEmpty  = errors.New("empty")
	errNoKey  = errors.New("no such key")
	errEnded  = errors.New("ended")
	emptyOnly = map[string]error{"ErrEmpty": errEmpty}
)

// holding are types that hold values of a type.
func holding[T any](of string) []answering {
	named := func(does string) string { return does + " of " + of }
	return []answering{
		answers(named("cell"), func() *cellOf[T] { return &cellOf[T]{} }, nil),
		answers(named("exchanger"), func() *exchanger[T] { return &exchanger[T]{} }, nil),
		answers(named("versioned cell"), func() *versionedCell[T] { return &versionedCell[T]{} }, emptyOnly),
		answers(named("stack"), func() *lastPopped[T] { return &lastPopped[T]{} }, nil, errEmpty),
		answers(named("slot"), func() *lastTaken[T] { return &lastTaken[T]{} }, nil),
		answers(named("store"), func() *keyed[T] { return &keyed[T]{vs: map[string]T{}} }, map[string]error{"ErrNoKey": errNoKey, "ErrEnded": errEnded}),
		answers(named("log"), func() *entries[T] { return &entries[T]{} }, nil),
		answers(named("pair"), func() *couple[T] { return &couple[T]{} }, nil),
	}
}

// cellOf answers with zero beside false.
type cellOf[T any] struct {
	v   T
	set bool
}

func (c *cellOf[T]) Set(v T)        { c.v, c.set = v, true }
func (c *cellOf[T]) Get() (T, bool) { return c.v, c.set }
func (c *cellOf[T]) Reset()         { *c = cellOf[T]{} }

// exchanger answers with the old value, and whether there was one.
type exchanger[T any] struct {
	v    T
	full bool
}

func (c *exchanger[T]) Swap(v T) (old T, existed bool) {
	old, existed = c.v, c.full
	c.v, c.full = v, true
	return old, existed
}
func (c *exchanger[T]) Value() T { return c.v }

// versionedCell answers with a version also beside an error.
type versionedCell[T any] struct {
	v       T
	full    bool
	version int
}

func (c *versionedCell[T]) Put(v T) (version int) {
	c.v, c.full, c.version = v, true, (c.version+1)%5
	return c.version
}
func (c *versionedCell[T]) Get() (T, int, error) {
	if !c.full {
		var zero T
		return zero, c.version, errEmpty
	}
	return c.v, c.version, nil
}
func (c *versionedCell[T]) Clear() {
	var zero T
	c.v, c.full = zero, false
}

// lastPopped answers with what was popped last beside an error.
type lastPopped[T any] struct {
	vs   []T
	last T
}

func (s *lastPopped[T]) Push(v T) { s.vs = append(s.vs, v) }
func (s *lastPopped[T]) Pop() (T, error) {
	if len(s.vs) == 0 {
		return s.last, errEmpty
	}
	s.last = s.vs[len(s.vs)-1]
	s.vs = s.vs[:len(s.vs)-1]
	return s.last, nil
}

// lastTaken answers with what was taken last beside false.
type lastTaken[T any] struct {
	v, last T
	full    bool
}

func (s *lastTaken[T]) Put(v T) bool {
	if s.full {
		return false
	}
	s.v, s.full = v, true
	return true
}
func (s *lastTaken[T]) Take() (T, bool) {
	if !s.full {
		return s.last, false
	}
	s.last, s.full = s.v, false
	return s.v, true
}

// keyed has two errors with names, one of which it wraps.
type keyed[T any] struct {
	vs    map[string]T
	ended bool
}

func (k *keyed[T]) Store(key string, v T) error {
	if k.ended {
		return errEnded
	}
	k.vs[key] = v
	return nil
}
func (k *keyed[T]) Load(key string) (v T, err error) {
	if k.ended {
		return v, errEnded
	}
	v, ok := k.vs[key]
	if !ok {
		return v, fmt.Errorf("load %s: %w", key, errNoKey)
	}
	return v, nil
}
func (k *keyed[T]) Remove(key string) (T, bool) {
	v, ok := k.vs[key]
	delete(k.vs, key)
	return v, ok
}
func (k *keyed[T]) End() bool { was := k.ended; k.ended = true; return !was }

// entries has an error of its own type.
type entries[T any] struct{ vs []T }

type outside struct{ I, N int }

func (e *outside) Error() string { return fmt.Sprintf("entry %d of %d", e.I, e.N) }

func (l *entries[T]) Append(v T) int { l.vs = append(l.vs, v); return len(l.vs) - 1 }
func (l *entries[T]) Read(i int) (T, error) {
	if i < 0 || i >= len(l.vs) {
		var zero T
		return zero, &outside{i, len(l.vs)}
	}
	return l.vs[i], nil
}

// couple answers with two values at once, without anything else.
type couple[T any] struct {
	left, right T
}

func (p *couple[T]) SetLeft(v T)  { p.left = v }
func (p *couple[T]) SetRight(v T) { p.right = v }
func (p *couple[T]) Both() (T, T) { return p.left, p.right }

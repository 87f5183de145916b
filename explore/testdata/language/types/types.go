// Package types has structs, embedding, interfaces, generics, methods.
package types

import (
	"cmp"
	"container/heap"
	"container/list"
	"container/ring"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Zoo holds values of many types.
type Zoo struct {
	animals []animal
	base    outer
	tree    *tree[int, string]
	list    list.List
	heap    ints
	chain   *chain[any]
}

type animal interface {
	name() string
	legs() int
}

type legged int

func (l legged) legs() int { return int(l) }

type dog struct {
	legged
	called string
}

func (d dog) name() string { return "dog " + d.called }

type bird struct {
	*dog
	wings uint8
}

func (b *bird) name() string { b.wings++; return fmt.Sprint("bird ", b.wings, b.dog.name()) }

type inner struct {
	a, b int
	arr  [2]pairs
}

type pairs struct{ x, y int8 }

type outer struct {
	inner
	in  inner
	ptr *inner
	f   func(int) int
}

func (i *inner) add(n int) *inner { i.a += n; i.arr[n%2].x++; return i }
func (i inner) sum() int          { return i.a + i.b + int(i.arr[0].x)*10 + int(i.arr[1].y) }

// Structs copies structs.
func (z *Zoo) Structs(a, b int) string {
	o := z.base
	o.add(a).add(b)
	o.in = o.inner
	o.in.b = b
	o.ptr = &o.in
	o.ptr.arr[1].y -= int8(a)
	p := o.ptr
	c := *p
	c.add(100)
	z.base.inner = *p.add(1)
	return fmt.Sprint(o.sum(), o.in.sum(), c.sum(), z.base.sum(), c == *p, o.inner == z.base.in, o.f == nil, o.arr[0].x, o.arr[1].y, struct{ q, r int }{a, b} == struct{ q, r int }{b, a})
}

// Interfaces calls methods by way of interfaces.
func (z *Zoo) Interfaces(a, b int) string {
	d := dog{legged(a), fmt.Sprint(b)}
	switch b % 4 {
	case 0:
		z.animals = append(z.animals, d)
	case 1:
		z.animals = append(z.animals, &bird{&d, 1})
	case 2:
		z.animals = append(z.animals, &d)
		d.called = "changed"
	}
	if len(z.animals) > 4 {
		z.animals = z.animals[2:]
	}
	var text []string
	for _, x := range z.animals {
		text = append(text, x.name(), fmt.Sprint(x.legs()))
		if l, ok := x.(interface{ legs() int }); ok {
			text = append(text, fmt.Sprintf("%T", l))
		}
		if y, ok := x.(dog); ok {
			y.called = "copy"
			text = append(text, fmt.Sprint(x == animal(d), x == animal(y), y.legged))
		}
	}
	return strings.Join(text, ",")
}

type tree[K cmp.Ordered, V any] struct {
	left, right *tree[K, V]
	k           K
	v           V
}

func (t *tree[K, V]) put(k K, v V) *tree[K, V] {
	switch {
	case t == nil:
		return &tree[K, V]{k: k, v: v}
	case k < t.k:
		t.left = t.left.put(k, v)
	case k > t.k:
		t.right = t.right.put(k, v)
	default:
		t.v = v
	}
	return t
}

func (t *tree[K, V]) each(yield func(K, V) bool) bool {
	return t == nil || t.left.each(yield) && yield(t.k, t.v) && t.right.each(yield)
}

// Tree is a generic tree.
func (z *Zoo) Tree(a, b int) string {
	z.tree = z.tree.put(a, fmt.Sprint(b))
	s := ""
	z.tree.each(func(k int, v string) bool { s += fmt.Sprint(k, v, ";"); return k < 9 })
	return s
}

type chain[T any] struct {
	next *chain[T]
	v    T
}

func mapped[T, U any](c *chain[T], f func(T) U) *chain[U] {
	if c == nil {
		return nil
	}
	return &chain[U]{mapped(c.next, f), f(c.v)}
}

// Chain is a generic list of anything.
func (z *Zoo) Chain(a, b int) string {
	z.chain = &chain[any]{z.chain, []any{a, "s", dog{2, "d"}, nil, &a}[b%5]}
	n := 0
	for c := mapped(z.chain, func(x any) string {
		if p, ok := x.(*int); ok {
			return fmt.Sprint("&", *p)
		}
		if d, ok := x.(dog); ok {
			return d.called
		}
		return fmt.Sprint(x)
	}); c != nil; c = c.next {
		n = n*31%100_003 + len(c.v)
	}
	return fmt.Sprint(n)
}

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// Heap is a heap.
func (z *Zoo) Heap(a, b int) string {
	heap.Push(&z.heap, a)
	heap.Push(&z.heap, b)
	x := heap.Pop(&z.heap)
	if len(z.heap) > 5 {
		z.heap = z.heap[:3]
		heap.Init(&z.heap)
	}
	text := fmt.Sprint(x)
	for _, y := range z.heap {
		text += fmt.Sprint(" ", y)
	}
	return text
}

// List is a list, and a ring.
func (z *Zoo) List(a, b int) string {
	e := z.list.PushBack(a)
	if b%2 == 0 {
		z.list.MoveToFront(e)
	}
	if z.list.Len() > 4 {
		z.list.Remove(z.list.Front().Next())
	}
	sum := 0
	for e := z.list.Front(); e != nil; e = e.Next() {
		sum = sum*10 + e.Value.(int)
	}
	r := ring.New(3)
	for i := range 3 {
		r.Value = i + a
		r = r.Next()
	}
	r.Do(func(x any) { sum += x.(int) })
	return fmt.Sprint(sum, z.list.Len())
}

// Durations computes with durations.
func (z *Zoo) Durations(a, b int) string {
	d := time.Duration(a)*time.Second + time.Duration(b)*time.Millisecond
	return fmt.Sprint(d, d.Seconds(), d.Milliseconds(), d.Truncate(time.Second), d > time.Minute, time.Month(a%12+1))
}

type number interface{ ~int | ~float64 }

func fold[S ~[]E, E number](s S, f func(E, E) E) (r E) {
	for _, x := range s {
		r = f(r, x)
	}
	return r
}

type celsius float64

// Generics has constraints.
func (z *Zoo) Generics(a, b int) string {
	xs := []celsius{celsius(a), celsius(b) / 2}
	add := func(x, y celsius) celsius { return x + y }
	pick := func() (any, any) { return fold(xs, add), fold(ints{a, b}, func(x, y int) int { return x*2 + y }) }
	p, q := pick()
	ys := slices.Collect(slices.Values(xs))
	return fmt.Sprintf("%v %v %T %T %v %v", p, q, p, q, slices.Equal(xs, ys), cmp.Compare(a, b))
}

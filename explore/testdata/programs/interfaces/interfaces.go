// Package interfaces holds values of several types.
package interfaces

import (
	"fmt"
	"sync/atomic"
)

// Cell holds a value.
type Cell struct{ v atomic.Value }

type shape interface{ area() int }

type square struct{ side int }

type rect struct{ a, b int }

func (s square) area() int { return s.side * s.side }
func (r *rect) area() int  { return r.a * r.b }

type held struct{ shape }

// Put holds a square, or a rectangle.
func (c *Cell) Put(v int) {
	if v%2 == 0 {
		c.v.Store(held{square{v}})
	} else {
		c.v.Store(held{&rect{v, v + 1}})
	}
}

// Area answers the area of what is held.
func (c *Cell) Area() (int, error) {
	switch h := c.v.Load().(type) {
	case held:
		if s, ok := h.shape.(square); ok && s.side == 0 {
			return 0, fmt.Errorf("no area: %d", s.side)
		}
		return h.area(), nil
	default:
		return 0, nil
	}
}

// Package places has directives wherever one may stand.
package places

import (
	"sync/atomic"
	clock "time"
)

// Cell is a number that grows.
//
//lin:object cell
//lin:invariant c.n.Load() >= 0 && clock.Duration(c.n.Load()) < clock.Hour
type Cell struct {
	n    atomic.Int64
	last *Cell
}

const day = 24 * clock.Hour

// Add adds, and gives the sum.
func (c *Cell) Add(d uint8) int64 { //lin: guess late
	sum := c.n.Add(int64(d)) //lin: if !late: add(d) = sum; broadcast grown(d, sum)
	switch {
	case d > 1:
		//lin: in start if late: add(d) = sum; broadcast grown(d, sum)
	case d > 0: //lin: if late: add(d) = sum; broadcast grown(d, sum)
		c.last = nil
		//lin: in helped: goto start
	default:
		c.helped(sum) //lin: add(d) = sum
	}
	func() {
		//lin: assume late == (c.n.Load() != sum) // a comment
	}()
	if x := f(1); x > 0 {
		return sum
	} //lin: own c; goto helped
	return sum
	//lin: add(d) = 0
}

func f(x int) int { return x }

// Get gives the number.
//
//lin:receive before grown(by uint8, sum int64) in start if sum == 3 && clock.Duration(by) < day: get() = sum - int64(by); goto helped
//lin:receive after grown(by uint8, sum int64) in helped if !owns(c.last): get() = sum
func (c *Cell) Get() int64 {
	for {
		select {
		default:
			if n := c.n.Load(); n != 7 {
				//lin: if n != 3: get() = n; goto done
				return n
			}
			//lin: in done: goto start
		}
	}
}

// helped has a directive of two operations.
func (c *Cell) helped(sum int64) {
	//lin: if sum > 0: add(0) = sum; get() = sum; broadcast grown(0, sum)
	//lin: get() = sum for c
}

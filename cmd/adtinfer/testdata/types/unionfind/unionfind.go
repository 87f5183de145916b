// Package unionfind keeps sets that grow together.
package unionfind

import "sync"

// UnionFind has every number in a set of its own at first.
type UnionFind struct {
	mu     sync.Mutex
	parent map[int]int
}

// New returns singletons.
func New() *UnionFind { return &UnionFind{parent: map[int]int{}} }

func (u *UnionFind) find(x int) int {
	for {
		p, ok := u.parent[x]
		if !ok {
			return x
		}
		x = p
	}
}

// Union joins the sets of x and y; false if they are one already.
func (u *UnionFind) Union(x, y int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	rx, ry := u.find(x), u.find(y)
	if rx == ry {
		return false
	}
	u.parent[rx] = ry
	return true
}

// Connected reports whether x and y are in one set.
func (u *UnionFind) Connected(x, y int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.find(x) == u.find(y)
}

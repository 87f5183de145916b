// Package unionfind keeps disjoint sets.
package unionfind

// Forest is a disjoint-set forest.
type Forest struct {
	parent map[string]string
}

// New makes a forest in which everybody is alone.
func New() *Forest {
	return &Forest{parent: map[string]string{}}
}

func (f *Forest) find(x string) string {
	p, ok := f.parent[x]
	if !ok {
		return x
	}
	root := f.find(p)
	f.parent[x] = root
	return root
}

// Union joins two sets and reports whether they were two.
func (f *Forest) Union(a, b string) bool {
	ra, rb := f.find(a), f.find(b)
	if ra == rb {
		return false
	}
	f.parent[ra] = rb
	return true
}

// Connected reports whether two elements are in one set.
func (f *Forest) Connected(a, b string) bool {
	return f.find(a) == f.find(b)
}

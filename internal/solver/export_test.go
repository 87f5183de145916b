package solver

// NewGini is gini without the light search before it.
func NewGini() Solver { return newGini() }

// HandedOver reports whether gini took over.
func HandedOver(s Solver) bool { return s.(*light).gini != nil }

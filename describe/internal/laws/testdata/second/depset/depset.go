// Package depset records which build targets depend on which.
package depset

import (
	"errors"
	"slices"
)

// ErrCycle is returned when a new edge would make a target need itself.
var ErrCycle = errors.New("depset: dependency cycle")

// Set is a directed acyclic graph of target names.
type Set struct {
	deps map[string][]string
}

// New returns an empty dependency set.
func New() *Set {
	return &Set{deps: make(map[string][]string)}
}

// Add records that target needs dep. Adding an edge twice has no effect.
func (s *Set) Add(target, dep string) error {
	if target == dep || s.Needs(dep, target) {
		return ErrCycle
	}
	if slices.Contains(s.deps[target], dep) {
		return nil
	}
	s.deps[target] = append(s.deps[target], dep)
	slices.Sort(s.deps[target])
	return nil
}

// Direct returns the sorted direct dependencies of target.
func (s *Set) Direct(target string) []string {
	return slices.Clone(s.deps[target])
}

// Needs reports whether target depends on dep, directly or not.
func (s *Set) Needs(target, dep string) bool {
	for _, d := range s.deps[target] {
		if d == dep || s.Needs(d, dep) {
			return true
		}
	}
	return false
}

// Order returns everything that has to be built for target, dependencies
// first and target last.
func (s *Set) Order(target string) []string {
	var out []string
	seen := make(map[string]bool)
	var visit func(string)
	visit = func(t string) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, d := range s.deps[t] {
			visit(d)
		}
		out = append(out, t)
	}
	visit(target)
	return out
}

// Package tagindex finds things by their tags.
package tagindex

import (
	"cmp"
	"maps"
	"slices"
)

// Index links ids of type K with tags.
type Index[K cmp.Ordered] struct {
	byTag map[string]map[K]bool
}

// NewIndex returns an empty index.
func NewIndex[K cmp.Ordered]() *Index[K] {
	return &Index[K]{byTag: make(map[string]map[K]bool)}
}

// Tag puts a tag on id and reports whether it is new there.
func (x *Index[K]) Tag(id K, tag string) bool {
	set := x.byTag[tag]
	if set == nil {
		set = make(map[K]bool)
		x.byTag[tag] = set
	}
	if set[id] {
		return false
	}
	set[id] = true
	return true
}

// Untag takes a tag off id and reports whether it was there.
func (x *Index[K]) Untag(id K, tag string) bool {
	set := x.byTag[tag]
	if !set[id] {
		return false
	}
	delete(set, id)
	if len(set) == 0 {
		delete(x.byTag, tag)
	}
	return true
}

// Find returns the sorted ids that carry the tag.
func (x *Index[K]) Find(tag string) []K {
	return slices.Sorted(maps.Keys(x.byTag[tag]))
}

// FindBoth returns the sorted ids that carry both tags.
func (x *Index[K]) FindBoth(a, b string) []K {
	var out []K
	for id := range x.byTag[a] {
		if x.byTag[b][id] {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// Tags returns the number of ids for every tag in use.
func (x *Index[K]) Tags() map[string]int {
	out := make(map[string]int, len(x.byTag))
	for tag, set := range x.byTag {
		out[tag] = len(set)
	}
	return out
}

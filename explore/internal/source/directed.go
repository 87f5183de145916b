package source

import "strings"

// Directed reports whether the package's files have directives of a linearization policy.
func (p *Package) Directed() bool {
	for _, f := range p.files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if text, ok := strings.CutPrefix(c.Text, "//lin:"); ok && !declares(text) {
					return true
				}
			}
		}
	}
	return false
}

// declares reports whether a directive says which declarations are the object, its constructor
// and operations.
func declares(text string) bool {
	for _, word := range []string{"object", "new", "op"} {
		if rest, ok := strings.CutPrefix(text, word); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}
	return false
}

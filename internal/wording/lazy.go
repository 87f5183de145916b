package wording

// This file makes what not every run of the program needs.
//
//	var word = Regexp(`^\w+`)
//	...
//	word().FindString(line)

import (
	"regexp"
	"sync"
)

// Regexp compiles a pattern when it is needed first. With classes of Unicode that takes a
// millisecond, and a program has dozens of patterns.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

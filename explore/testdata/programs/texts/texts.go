// Package texts works on strings.
package texts

import (
	"strings"
	"sync"
)

// Text is a text that grows.
type Text struct {
	mu sync.Mutex
	s  string
}

// Append adds a word, and answers the text.
func (t *Text) Append(word string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.s != "" {
		t.s += " "
	}
	t.s += strings.ToUpper(word)
	return t.s
}

// Words answers how many words there are, and the first letter.
func (t *Text) Words() (int, rune) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.s {
		return strings.Count(t.s, " ") + 1, r
	}
	return 0, 0
}

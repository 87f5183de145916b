// Package tags is a set whose changes answer nothing.
package tags

// Tags is a set of words. The zero value has none.
type Tags struct{ words map[string]bool }

// Add adds a word.
func (t *Tags) Add(word string) {
	if t.words == nil {
		t.words = map[string]bool{}
	}
	t.words[word] = true
}

// Remove removes a word.
func (t *Tags) Remove(word string) { delete(t.words, word) }

// Has reports whether a word is there.
func (t *Tags) Has(word string) bool { return t.words[word] }

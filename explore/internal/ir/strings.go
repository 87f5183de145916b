package ir

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Strings numbers strings: the same text, the same number. 0 is the empty one.
type Strings struct {
	mu      sync.RWMutex
	numbers map[string]Word
	texts   []string
}

// NewStrings is a table with the empty string alone.
func NewStrings() *Strings {
	return &Strings{numbers: map[string]Word{"": 0}, texts: []string{""}}
}

// Number is a string's.
func (s *Strings) Number(text string) Word {
	s.mu.RLock()
	n, ok := s.numbers[text]
	s.mu.RUnlock()
	if ok {
		return n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok = s.numbers[text]; !ok {
		n = Word(len(s.texts))
		s.numbers[text] = n
		s.texts = append(s.texts, text)
	}
	return n
}

// NumberOf is the number of the string of some bytes.
func (s *Strings) NumberOf(text []byte) Word {
	s.mu.RLock()
	n, ok := s.numbers[string(text)]
	s.mu.RUnlock()
	if ok {
		return n
	}
	return s.Number(string(text))
}

// Text is the string of a number.
func (s *Strings) Text(n Word) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.texts[n]
}

// Texts lists the strings by their numbers.
func (s *Strings) Texts() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.texts[:len(s.texts):len(s.texts)]
}

// Add numbers the strings that Texts listed in another run of the same program. The
// error says that they have other numbers in this one.
func (s *Strings) Add(texts []string) error {
	for i, text := range texts {
		if n := s.Number(text); n != Word(i) {
			return fmt.Errorf("string %q has number %d, not %d", text, n, i)
		}
	}
	return nil
}

// Clone is a table of its own with the same numbers.
func (s *Strings) Clone() *Strings {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return &Strings{numbers: maps.Clone(s.numbers), texts: slices.Clone(s.texts)}
}

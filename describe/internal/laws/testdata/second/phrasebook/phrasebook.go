// Package phrasebook translates message keys with a fallback language.
package phrasebook

import "sort"

// Book holds translations by language and key.
type Book struct {
	fallback string
	texts    map[string]map[string]string
}

// New returns an empty book. The fallback language is used when a key has no
// translation in the wanted one.
func New(fallback string) *Book {
	return &Book{fallback: fallback, texts: make(map[string]map[string]string)}
}

// Set stores a translation.
func (b *Book) Set(lang, key, text string) {
	if b.texts[lang] == nil {
		b.texts[lang] = make(map[string]string)
	}
	b.texts[lang][key] = text
}

// Text translates key into lang, then into the fallback language. A key
// nobody translated comes back unchanged.
func (b *Book) Text(lang, key string) string {
	if t, ok := b.texts[lang][key]; ok {
		return t
	}
	if t, ok := b.texts[b.fallback][key]; ok {
		return t
	}
	return key
}

// Has reports whether lang itself has the key.
func (b *Book) Has(lang, key string) bool {
	_, ok := b.texts[lang][key]
	return ok
}

// Missing lists the keys of the fallback language that lang lacks, sorted.
func (b *Book) Missing(lang string) []string {
	var keys []string
	for k := range b.texts[b.fallback] {
		if !b.Has(lang, k) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	return keys
}

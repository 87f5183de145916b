package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Book describes a title in the catalog.
type Book struct {
	Title  string
	Author string
	Year   int
}

// Catalog lists books by call numbers that it assigns itself.
type Catalog struct {
	next  int
	books map[int]Book
}

// New returns an empty catalog. The first book gets the number first.
func New(first int) *Catalog {
	return &Catalog{next: first, books: make(map[int]Book)}
}

// Add enters a book and returns its call number.
func (c *Catalog) Add(b Book) (int, error) {
	b.Title = strings.TrimSpace(b.Title)
	if b.Title == "" {
		return 0, fmt.Errorf("catalog: book by %q has no title", b.Author)
	}
	n := c.next
	c.next++
	c.books[n] = b
	return n, nil
}

// Get looks a book up by its call number.
func (c *Catalog) Get(number int) (Book, bool) {
	b, ok := c.books[number]
	return b, ok
}

// Discard removes a book. Its call number is not used again.
func (c *Catalog) Discard(number int) bool {
	_, ok := c.books[number]
	delete(c.books, number)
	return ok
}

// ByAuthor returns the call numbers of an author's books, oldest book first.
func (c *Catalog) ByAuthor(author string) []int {
	var out []int
	for n, b := range c.books {
		if b.Author == author {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(x, y int) int {
		return cmp.Or(cmp.Compare(c.books[x].Year, c.books[y].Year), cmp.Compare(x, y))
	})
	return out
}

// Authors counts the books of every author.
func (c *Catalog) Authors() map[string]int {
	out := make(map[string]int)
	for _, b := range c.books {
		out[b.Author]++
	}
	return out
}

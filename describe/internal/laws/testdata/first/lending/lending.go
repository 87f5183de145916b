package lending

import (
	"errors"
	"slices"
)

var (
	ErrNoBook   = errors.New("lending: no such book")
	ErrOut      = errors.New("lending: book is lent out")
	ErrWaiting  = errors.New("lending: book is kept for another reader")
	ErrTooMany  = errors.New("lending: reader has too many books")
	ErrNotYours = errors.New("lending: reader does not have this book")
	ErrHeld     = errors.New("lending: reader already has or awaits this book")
)

type copyOf struct {
	reader string // "" if the book is in
	queue  []string
}

// Library lends out single copies of books and keeps a waiting list for each.
type Library struct {
	maxLoans int
	books    map[string]*copyOf
	loans    map[string]int
}

// New returns a library in which a reader can have up to maxLoans books.
func New(maxLoans int) *Library {
	return &Library{maxLoans: maxLoans, books: map[string]*copyOf{}, loans: map[string]int{}}
}

// Acquire adds a title and reports whether it is new.
func (l *Library) Acquire(title string) bool {
	if l.books[title] != nil {
		return false
	}
	l.books[title] = &copyOf{}
	return true
}

// Borrow lends a book. If readers are waiting only the first of them gets it.
func (l *Library) Borrow(reader, title string) error {
	b := l.books[title]
	switch {
	case b == nil:
		return ErrNoBook
	case b.reader != "":
		return ErrOut
	case len(b.queue) > 0 && b.queue[0] != reader:
		return ErrWaiting
	case l.loans[reader] >= l.maxLoans:
		return ErrTooMany
	}
	b.queue = slices.DeleteFunc(b.queue, func(r string) bool { return r == reader })
	b.reader = reader
	l.loans[reader]++
	return nil
}

// Return takes a book back and names the reader who is to get it next, if any.
func (l *Library) Return(reader, title string) (next string, err error) {
	b := l.books[title]
	if b == nil {
		return "", ErrNoBook
	}
	if reader == "" || b.reader != reader {
		return "", ErrNotYours
	}
	b.reader = ""
	l.loans[reader]--
	if len(b.queue) == 0 {
		return "", nil
	}
	return b.queue[0], nil
}

// Request puts a reader on the waiting list and returns the place on it.
func (l *Library) Request(reader, title string) (int, error) {
	b := l.books[title]
	if b == nil {
		return 0, ErrNoBook
	}
	if b.reader == reader || slices.Contains(b.queue, reader) {
		return 0, ErrHeld
	}
	b.queue = append(b.queue, reader)
	return len(b.queue), nil
}

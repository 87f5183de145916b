package docversions

import (
	"errors"
	"fmt"
)

var (
	// ErrConflict is returned when the base of a change is not the latest version.
	ErrConflict = errors.New("docversions: document has changed")
	// ErrLocked is returned when someone else has locked the document.
	ErrLocked = errors.New("docversions: document is locked")
)

type revision struct {
	author, body string
}

// Document keeps every saved version of a text. Versions count from 1.
type Document struct {
	revs   []revision
	locker string
}

// New returns a document whose version 1 is the given text.
func New(author, body string) *Document {
	return &Document{revs: []revision{{author, body}}}
}

// Latest returns the number and the text of the newest version.
func (d *Document) Latest() (int, string) {
	n := len(d.revs)
	return n, d.revs[n-1].body
}

// Save stores a new text that was made from version base and returns its number.
func (d *Document) Save(author string, base int, body string) (int, error) {
	if d.locker != "" && d.locker != author {
		return 0, ErrLocked
	}
	if base != len(d.revs) {
		return 0, ErrConflict
	}
	d.revs = append(d.revs, revision{author, body})
	return len(d.revs), nil
}

// At returns the text of a version.
func (d *Document) At(version int) (string, error) {
	if version < 1 || version > len(d.revs) {
		return "", fmt.Errorf("docversions: no version %d", version)
	}
	return d.revs[version-1].body, nil
}

// Revert saves an old version again as the newest one.
func (d *Document) Revert(author string, version int) (int, error) {
	body, err := d.At(version)
	if err != nil {
		return 0, err
	}
	return d.Save(author, len(d.revs), body)
}

// Lock reserves the document for one author. Locking twice is fine.
func (d *Document) Lock(author string) error {
	if d.locker != "" && d.locker != author {
		return ErrLocked
	}
	d.locker = author
	return nil
}

// Unlock ends the reservation if it is the author's.
func (d *Document) Unlock(author string) bool {
	if author == "" || d.locker != author {
		return false
	}
	d.locker = ""
	return true
}

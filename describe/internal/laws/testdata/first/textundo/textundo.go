package textundo

import "errors"

// ErrRange is returned for a position outside the text.
var ErrRange = errors.New("textundo: position out of range")

// Editor holds a text together with its undo and redo history.
type Editor struct {
	text string
	undo []string
	redo []string
}

// NewEditor returns an editor for the given text, with an empty history.
func NewEditor(text string) *Editor { return &Editor{text: text} }

func (e *Editor) change(text string) {
	e.undo = append(e.undo, e.text)
	e.redo = nil
	e.text = text
}

// Insert puts s in front of the byte at pos.
func (e *Editor) Insert(pos int, s string) error {
	if pos < 0 || pos > len(e.text) {
		return ErrRange
	}
	if s != "" {
		e.change(e.text[:pos] + s + e.text[pos:])
	}
	return nil
}

// Delete removes the bytes from start up to end and returns them.
func (e *Editor) Delete(start, end int) (string, error) {
	if start < 0 || end > len(e.text) || start > end {
		return "", ErrRange
	}
	cut := e.text[start:end]
	if cut != "" {
		e.change(e.text[:start] + e.text[end:])
	}
	return cut, nil
}

// Undo takes back the latest change.
func (e *Editor) Undo() bool {
	n := len(e.undo)
	if n == 0 {
		return false
	}
	e.redo = append(e.redo, e.text)
	e.text, e.undo = e.undo[n-1], e.undo[:n-1]
	return true
}

// Redo makes the change again that was taken back last.
func (e *Editor) Redo() bool {
	n := len(e.redo)
	if n == 0 {
		return false
	}
	e.undo = append(e.undo, e.text)
	e.text, e.redo = e.redo[n-1], e.redo[:n-1]
	return true
}

// Text returns the present text.
func (e *Editor) Text() string { return e.text }

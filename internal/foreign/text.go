package foreign

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
)

// textLine is a line of a file, and what of it is still to be read.
type textLine struct {
	file, text string
	number, at int // at is an offset in text
}

// textLines hands the lines of a file to each: without their ends, and but for blank lines
// and those that start with #.
func textLines(src, file string, each func(*textLine) error) error {
	all := lexer{src: src, file: file}
	if err := all.valid(); err != nil {
		return err
	}
	l := textLine{file: file}
	for text := range strings.Lines(src[all.at:]) {
		l.text = strings.TrimRight(text, " \t\r\n")
		l.number++
		l.at = 0
		if l.blanks(); l.rest() == "" || l.text[l.at] == '#' {
			continue
		}
		if err := each(&l); err != nil {
			return err
		}
	}
	return nil
}

// positionOf is the position after the text before it.
func positionOf(file, before string) history.Pos {
	start := strings.LastIndexByte(before, '\n') + 1
	return history.Pos{File: file, Line: 1 + strings.Count(before, "\n"), Col: 1 + utf8.RuneCountInString(before[start:])}
}

func (l *textLine) rest() string { return l.text[l.at:] }

// blanks skips blanks and tabs.
func (l *textLine) blanks() {
	for l.at < len(l.text) && (l.text[l.at] == ' ' || l.text[l.at] == '\t') {
		l.at++
	}
}

// word reads a word and the blanks after it; it is empty at the end of the line.
func (l *textLine) word() (word string, at int) {
	at = l.at
	for l.at < len(l.text) && l.text[l.at] != ' ' && l.text[l.at] != '\t' {
		l.at++
	}
	word = l.text[at:l.at]
	l.blanks()
	return word, at
}

func (l *textLine) pos(at int) history.Pos {
	return history.Pos{File: l.file, Line: l.number, Col: 1 + utf8.RuneCountInString(l.text[:at])}
}

func (l *textLine) errorAt(at int, format string, args ...any) error {
	return &history.ParseError{Pos: l.pos(at), Msg: fmt.Sprintf(format, args...)}
}

// valueOf is a value of a format that has words only: no types, and no strings.
func valueOf(words []string) value {
	switch len(words) {
	case 0:
		return value{}
	case 1:
		return value{kind: scalar, text: words[0]}
	}
	v := value{kind: vector, text: "[" + strings.Join(words, " ") + "]"}
	for _, w := range words {
		v.parts = append(v.parts, value{kind: scalar, text: w})
	}
	return v
}

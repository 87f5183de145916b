package terminal

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// usual is how many columns texts are written for.
const usual = 80

// Narrow is how many columns a stream has if texts do not fit: those that COLUMNS says, or those of the terminal; 0: they
// fit, or it is no terminal.
func Narrow(w io.Writer) int {
	columns, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		columns = columnsOf(w)
	}
	if columns < least || columns >= usual {
		return 0
	}
	return columns
}

// least is how many columns texts can be folded for.
const least = 20

func columnsOf(w io.Writer) (columns int) {
	f, ok := w.(*os.File)
	if !ok || !Is(w) {
		return 0
	}
	if conn, err := f.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { columns, _, _ = term.GetSize(int(fd)) }) // else 0
	}
	return columns
}

// Fold breaks lines that are longer than so many columns at blanks, and indents what follows as far as the line is; in
// a list of names with what they mean, as far as the meaning, if that leaves room. Words stay whole. 0 columns: as it is.
func Fold(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, "\r\n")
		rest := strings.TrimLeft(body, " ")
		indent := len(body) - len(rest)
		hang := indent + 2
		if gap := strings.LastIndex(rest, "   "); gap > 0 && indent+gap+3 <= columns/2 {
			hang = indent + gap + 3
		}
		foldLine(&b, body, indent, hang, columns)
		b.WriteString(line[len(body):])
	}
	return b.String()
}

// FoldHelp folds a text with paragraphs, whose lines are at the left and full, and else as Fold.
func FoldHelp(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	const full = usual - 20 // a line that has a next one
	var b, paragraph strings.Builder
	for line := range strings.Lines(text + "\n") {
		line = strings.TrimSuffix(line, "\n")
		paragraph.WriteString(line)
		switch {
		case line != "" && line[0] != ' ' && len(line) >= full:
			paragraph.WriteString(" ")
			continue
		case strings.HasPrefix(paragraph.String(), " "):
			b.WriteString(Fold(paragraph.String(), columns))
		default:
			foldLine(&b, strings.TrimRight(paragraph.String(), " "), 0, 0, columns)
		}
		b.WriteString("\n")
		paragraph.Reset()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func foldLine(b *strings.Builder, line string, indent, hang, columns int) {
	width, fresh := indent, true // nothing but blanks is on the line
	b.WriteString(line[:indent])
	for _, word := range strings.SplitAfter(line[indent:], " ") {
		n := visible(strings.TrimRight(word, " "))
		if n > 0 && width+n > columns && !fresh {
			width, fresh = min(hang, columns/2), true
			b.WriteString("\n" + strings.Repeat(" ", width))
		}
		b.WriteString(word)
		width, fresh = width+visible(word), fresh && n == 0
	}
}

// visible is how many columns a text takes: escape sequences take none.
func visible(text string) (n int) {
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		n += utf8.RuneCountInString(before)
		if !found {
			return n
		}
		_, text, _ = strings.Cut(after, "m")
	}
}

// Folding is a writer that folds whole lines; Close writes what has no end.
type Folding struct {
	w       io.Writer
	columns int
	left    []byte
}

// NewFolding folds for so many columns.
func NewFolding(w io.Writer, columns int) *Folding { return &Folding{w: w, columns: columns} }

func (f *Folding) Write(p []byte) (int, error) {
	f.left = append(f.left, p...)
	end := bytes.LastIndexByte(f.left, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	_, err := io.WriteString(f.w, Fold(string(f.left[:end]), f.columns))
	f.left = append(f.left[:0], f.left[end:]...)
	return len(p), err
}

// Close writes the rest.
func (f *Folding) Close() error {
	_, err := io.WriteString(f.w, Fold(string(f.left), f.columns))
	f.left = nil
	return err
}

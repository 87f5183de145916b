package evidence

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// maxLine bounds the bytes of a line.
const maxLine = 1 << 24

// Read reads what Write wrote; file is for errors, which name the line. A file that
// was changed or cut off since is an error like any other that Write does not write.
func Read(r io.Reader, file string) (*Evidence, error) {
	p := &reader{in: bufio.NewScanner(r), hash: sha256.New(), file: file, ev: &Evidence{}}
	p.in.Buffer(make([]byte, 0, 1<<16), maxLine)
	p.head()
	for p.err == nil && !p.ended {
		p.body(p.next())
	}
	if p.err == nil && p.in.Scan() {
		p.no++
		p.fail("there is more after the line that ends the evidence")
	}
	if p.in.Err() != nil {
		p.stopped()
	}
	return p.ev, p.err
}

type reader struct {
	in    *bufio.Scanner
	hash  hash.Hash // of the lines so far
	file  string
	no    int
	depth int
	ended bool
	ev    *Evidence
	err   error
}

func (p *reader) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("evidence: %s:%d: %s", p.file, p.no, fmt.Sprintf(format, args...))
	}
}

// stopped says why there is no next line.
func (p *reader) stopped() {
	switch err := p.in.Err(); {
	case err == bufio.ErrTooLong:
		p.fail("the line is longer than %d bytes", maxLine)
	case err != nil:
		p.fail("%v", err)
	default:
		p.fail("the file ends here, without the line that ends the evidence")
	}
}

// next is the words of the next line.
func (p *reader) next() (words []string) {
	if p.err != nil {
		return nil
	}
	p.no++
	if !p.in.Scan() {
		p.stopped()
		return nil
	}
	text := p.in.Text()
	rest := strings.TrimLeft(text, " ")
	if text == rest && strings.HasPrefix(rest, "end ") {
		p.end(rest)
		return nil
	}
	fmt.Fprintln(p.hash, text)
	if indent := len(text) - len(rest); indent != 2*p.depth {
		p.fail("it is indented by %d blanks, and %d suppositions are open", indent, p.depth)
	}
	for rest != "" && p.err == nil {
		var w string
		w, rest = p.word(rest)
		words = append(words, w)
	}
	if len(words) == 0 {
		p.fail("the line is empty")
	}
	return words
}

// end compares the sum over the lines before with the one of the last line.
func (p *reader) end(text string) {
	p.ended = true
	if text != "end "+sum(p.hash) {
		p.fail("the evidence was changed since it was written: the sum over its lines is %s", sum(p.hash))
	}
}

// word cuts the first word off.
func (p *reader) word(s string) (w, rest string) {
	if !strings.HasPrefix(s, `"`) {
		w, rest, _ = strings.Cut(s, " ")
		if w == "" || word(w) != w {
			p.fail("%q must be quoted", w)
		}
		return w, rest
	}
	quoted, err := strconv.QuotedPrefix(s)
	if err == nil {
		w, err = strconv.Unquote(quoted)
		rest = s[len(quoted):]
	}
	if err != nil || rest != "" && !strings.HasPrefix(rest, " ") || word(w) != quoted {
		p.fail("the quotes do not close, or are not needed")
		return "", ""
	}
	return w, strings.TrimPrefix(rest, " ")
}

func (p *reader) head() {
	if text := strings.Join(p.next(), " "); p.err == nil && text != head {
		p.fail("evidence begins with the line %q", head)
	}
	p.ev.Theory = p.only("theory")
	p.ev.Log = p.only("log")
	switch words := p.next(); {
	case p.err != nil:
	case p.ended:
		p.fail("there is no evidence here")
	case len(words) == 1 && words[0] == "linearizable":
	case len(words) == 2 && words[0] == "violation":
		p.ev.Violation, p.ev.Prefix = true, p.number(words[1])
	default:
		p.fail(`expected "linearizable" or "violation EVENTS"`)
	}
}

// only reads a line of a name and one word.
func (p *reader) only(name string) string {
	words := p.next()
	if p.err == nil && (len(words) != 2 || words[0] != name) {
		p.fail("expected %q and one word", name)
	}
	if p.err != nil {
		return ""
	}
	return words[1]
}

func (p *reader) number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || strconv.Itoa(n) != s {
		p.fail("%q is no number of events", s)
	}
	return n
}

func (p *reader) body(words []string) {
	switch {
	case p.err != nil || p.ended:
	case p.ev.Violation && p.ev.Window != nil:
		p.fail("a window is all that there is to say")
	case p.ev.Violation && words[0] == "control" && len(words) == 1 && len(p.ev.Steps) == 0 && !p.ev.Control:
		p.ev.Control = true
	case p.ev.Violation && p.ev.Control && words[0] != "window":
		p.fail("a window comes after control")
	case p.ev.Violation && words[0] == "key" && len(words) == 2 && len(p.ev.Steps) == 0:
		p.ev.Keys = append(p.ev.Keys, history.Value(words[1]))
	case p.ev.Violation && words[0] == "window" && len(words) == 2 && len(p.ev.Steps) == 0:
		p.ev.Window = &Window{First: p.number(words[1]), Line: p.no}
	case p.ev.Violation:
		p.step(words)
	case words[0] == "take" && len(words) > 1:
		t := Taken{Op: words[1], Line: p.no}
		if len(words) > 2 {
			t.Outcome = history.Outcome(words[2])
			for _, v := range words[3:] {
				t.Rets = append(t.Rets, history.Value(v))
			}
		}
		p.ev.Order = append(p.ev.Order, t)
	default:
		p.fail(`expected "take OPERATION", and the answer if it has not returned`)
	}
}

func (p *reader) step(words []string) {
	s := Step{Line: p.no}
	if s.Suppose = words[0] == "suppose"; s.Suppose {
		words = words[1:]
	}
	words = p.fact(&s.Fact, words)
	switch {
	case p.err != nil:
		return
	case s.Suppose && (len(words) > 0 || s.Fact.Is == Contradiction):
		p.fail("only a fact can be supposed")
	case s.Suppose:
		p.depth++
	case len(words) == 2 && words[0] == "answer" && s.Fact.Is == Contradiction && p.depth == 0 && len(p.ev.Steps) == 0:
		s.Answer, s.Ops = true, words[1:]
	case len(words) > 2 && words[0] == "by":
		s.By, s.Ops = words[1], words[2:]
	case len(words) > 1 && words[0] == "through":
		s.Ops = words[1:]
	default:
		p.fail(`expected "by PATTERN OPERATION..." or "through OPERATION..."`)
	}
	if !s.Suppose && s.Fact.Is == Contradiction && p.depth > 0 {
		p.depth--
	}
	p.ev.Steps = append(p.ev.Steps, s)
}

// fact reads a fact and returns the words after it.
func (p *reader) fact(f *Fact, words []string) []string {
	is := ""
	if len(words) > 0 {
		is = words[0]
	}
	switch {
	case is == "contradiction":
		return words[1:]
	case is == Before && len(words) >= 3:
		*f = Fact{Is: Before, A: words[1], B: words[2]}
		return words[3:]
	case (is == Took || is == Never) && len(words) >= 4:
		*f = Fact{Is: is, A: words[1], Outcome: history.Outcome(words[2]), B: words[3]}
		return words[4:]
	}
	p.fail(`expected "order A B", "took P OUTCOME T", "never P OUTCOME T" or "contradiction"`)
	return nil
}

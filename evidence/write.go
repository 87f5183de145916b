package evidence

import (
	"bufio"
	"crypto/sha256"
	"io"
	"strconv"
	"strings"
)

// head is the first line of every file.
const head = "adtinfer evidence v1"

// Write writes evidence as text, one step a line (docs/formats.md). The same
// evidence gives the same bytes.
func Write(w io.Writer, ev *Evidence) error {
	h := sha256.New()
	b := bufio.NewWriter(io.MultiWriter(w, h))
	line(b, 0, head)
	line(b, 0, "theory", word(ev.Theory))
	line(b, 0, "log", word(ev.Log))
	if ev.Violation {
		line(b, 0, "violation", strconv.Itoa(ev.Prefix))
	} else {
		line(b, 0, "linearizable")
	}
	for _, t := range ev.Order {
		words := []string{"take", word(t.Op)}
		if t.Outcome != "" {
			words = append(words, word(string(t.Outcome)))
		}
		for _, v := range t.Rets {
			words = append(words, word(string(v)))
		}
		line(b, 0, words...)
	}
	for _, k := range ev.Keys {
		line(b, 0, "key", word(string(k)))
	}
	if ev.Control {
		line(b, 0, "control")
	}
	if ev.Window != nil {
		line(b, 0, "window", strconv.Itoa(ev.Window.First))
	}
	depth := 0
	for i := range ev.Steps {
		s := &ev.Steps[i]
		line(b, depth, s.words()...)
		if s.Suppose {
			depth++
		} else if s.Fact.Is == Contradiction {
			depth = max(depth-1, 0)
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	line(b, 0, "end", sum(h))
	return b.Flush()
}

func line(b *bufio.Writer, depth int, words ...string) {
	b.WriteString(strings.Repeat("  ", depth))
	b.WriteString(strings.Join(words, " "))
	b.WriteByte('\n')
}

func (s *Step) words() []string {
	words := s.Fact.words()
	if s.Suppose {
		return append([]string{"suppose"}, words...)
	}
	switch {
	case s.Answer:
		words = append(words, "answer")
	case s.By == "":
		words = append(words, "through")
	default:
		words = append(words, "by", word(s.By))
	}
	for _, o := range s.Ops {
		words = append(words, word(o))
	}
	return words
}

func (f Fact) words() []string {
	switch f.Is {
	case Contradiction:
		return []string{"contradiction"}
	case Before:
		return []string{f.Is, word(f.A), word(f.B)}
	}
	return []string{f.Is, word(f.A), word(string(f.Outcome)), word(f.B)}
}

// word is a text as a file has it: as it is, or quoted as in Go if it has other
// characters than letters, digits and some signs.
func word(s string) string {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-_.:/", rune(c)) {
			return strconv.Quote(s)
		}
	}
	if s == "" {
		return `""`
	}
	return s
}

package automata

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Locations that differ in a number are written once, and so are the cases of a method
// that differ in a register:
//
//	(holds[i] r1..r[i] for i = 1..49)  seen(x)  if x = r[j] for j = 1..i  => true   (holds[i] r1..r[i])
//	                                            otherwise                 => false  (holds[i+1] r1..r[i], x)
//
// In brackets are i or j, perhaps times a number, plus a number; or a number, or i plus
// a number, minus one of them.
// r1..r0 is nothing. Unfolding writes each of them on its own.

// A spread is "for i = 1..49" in a line.
type spread struct {
	letter   string
	from, to string
	at, end  int // of the text
}

var (
	spreadRE = wording.Regexp(` for ([ij]) = (-?\d+)\.\.(-?\d+|i|i[+-]\d+|\d+\*i(?:[+-]\d+)?)`)
	indexRE  = wording.Regexp(`\[(?:(\d+)\*)?([ij])([+-]\d+)?\]|\[(\d+)-([ij])\]|\[(i)([+-]\d+)?-j\]`)
	emptyRE  = wording.Regexp(`,? +\)`) // behind a range that is nothing
	quotesRE = wording.Regexp(`"(?:[^"\\]|\\.)*"`)
	rangeRE  = wording.Regexp(`([\pL_]+)(\d+)\.\.([\pL_]+)(\d+)(, )?`)
)

const (
	maxIndex  = 2_000
	maxFolded = 1 << 23 // bytes of text that lines stand for
)

// spreadOf finds the first one of a letter in a line.
func spreadOf(text, letter string) (s spread, ok bool) {
	masked := quotesRE().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("_", len(s)) })
	for _, m := range spreadRE().FindAllStringSubmatchIndex(masked, -1) {
		if s = (spread{text[m[2]:m[3]], text[m[4]:m[5]], text[m[6]:m[7]], m[0], m[1]}); s.letter == letter {
			return s, true
		}
	}
	return spread{}, false
}

// unfold replaces lines that stand for several ones.
func (p *parser) unfold(lines []line) (all []line) {
	if !slices.ContainsFunc(lines, func(l line) bool { return strings.Contains(l.text, "..") }) {
		return lines
	}
	head := func(l line) bool { return isHead(strings.TrimLeft(l.text, " \t")) }
	room := maxFolded
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && !head(lines[to]) {
			to++
		}
		block := lines[from:to]
		s, folded := spreadOf(block[0].text, "i")
		low, high := 0, 0
		if from = to; folded && head(block[0]) {
			low, high = p.bounds(block[0], s, 0)
			block[0].text, block[0].folded = block[0].text[:s.at]+block[0].text[s.end:], true
		}
		for i := low; i <= high && p.err == nil; i++ {
			var own []line
			where := ""
			for _, l := range block {
				if head(l) {
					end := strings.Index(l.text, ")") + 1
					x := l
					if x.text = l.text[:end]; folded {
						x.text = indexed(x.text, "i", i)
					}
					where, l.text = p.listed(x), strings.Repeat(" ", end)+l.text[end:]
				}
				own = append(own, p.cases(l, i, folded)...)
			}
			if len(own) > 0 && where != "" && (folded || own[0].folded || strings.Contains(block[0].text, "..")) {
				own[0].text = where + "  " + strings.TrimLeft(own[0].text, " \t")
			} else if len(own) > 0 {
				own[0].text = block[0].text
			}
			for _, l := range own {
				if room -= len(l.text); room < 0 {
					p.line = l
					p.fail(0, "these lines stand for more text than is read")
					return nil
				}
			}
			all = append(all, own...)
		}
	}
	return all
}

// bounds are those of a spread, where i has a value.
func (p *parser) bounds(l line, s spread, i int) (low, high int) {
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			n, err = strconv.Atoi(strings.Trim(indexed("["+text+"]", "i", i), "[]"))
		}
		if err != nil || n < -maxIndex || n > maxIndex {
			p.line = l
			p.fail(s.at, "%s is no end of a range here", text)
		}
		return n
	}
	return number(s.from), number(s.to)
}

// cases are the lines that one line stands for, where i has a value.
func (p *parser) cases(l line, i int, folded bool) (all []line) {
	if folded {
		l.text, l.folded = indexed(l.text, "i", i), true
	}
	s, ok := spreadOf(l.text, "j")
	if !ok {
		l.text = p.listed(l)
		return []line{l}
	}
	low, high := p.bounds(l, s, i)
	l.folded = true
	text := l.text[:s.at] + l.text[s.end:]
	for j := low; j <= high && p.err == nil; j++ {
		x := l
		x.text = indexed(text, "j", j)
		x.text = p.listed(x)
		all = append(all, x)
	}
	return all
}

// outside replaces what is not in quotes.
func outside(text string, re *regexp.Regexp, by func(string) string) string {
	if !re.MatchString(text) {
		return text
	}
	var b strings.Builder
	at := 0
	for _, q := range quotesRE().FindAllStringIndex(text, -1) {
		b.WriteString(re.ReplaceAllStringFunc(text[at:q[0]], by) + text[q[0]:q[1]])
		at = q[1]
	}
	return b.String() + re.ReplaceAllStringFunc(text[at:], by)
}

// indexed is a text in which a letter has a value.
func indexed(text, letter string, value int) string {
	return outside(text, indexRE(), func(s string) string {
		m := indexRE().FindStringSubmatch(s)
		switch {
		case m[6] == letter:
			n, _ := strconv.Atoi(m[7])
			return fmt.Sprintf("[%d-j]", n+value)
		case m[5] == letter:
			n, _ := strconv.Atoi(m[4])
			return strconv.Itoa(n - value)
		case m[2] != letter:
			return s
		}
		times, plus := 1, 0
		if m[1] != "" {
			times, _ = strconv.Atoi(m[1])
		}
		if m[3] != "" {
			plus, _ = strconv.Atoi(m[3])
		}
		return strconv.Itoa(times*value + plus)
	})
}

// listed is the text of a line with what r1..r3 stands for, outside of quotes.
func (p *parser) listed(l line) string {
	room := maxFolded
	text := outside(l.text, rangeRE(), func(s string) string {
		m := rangeRE().FindStringSubmatch(s)
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[4])
		if room -= (to - from) * len(s); m[1] != m[3] || to < from-1 || to > maxIndex || room < 0 {
			p.line = l
			p.fail(0, "%s is no range of registers", strings.TrimSuffix(s, ", "))
			return s
		}
		var all []string
		for n := from; n <= to; n++ {
			all = append(all, fmt.Sprint(m[1], n))
		}
		if len(all) == 0 {
			return ""
		}
		return strings.Join(all, ", ") + m[5]
	})
	if text != l.text {
		text = outside(text, emptyRE(), func(string) string { return ")" })
	}
	return text
}

// column is where a problem of a line is shown: of one that stands for several, where it begins.
func (l *line) column(at int) int {
	if l.folded {
		at = len(l.text) - len(strings.TrimLeft(l.text, " \t"))
	}
	return utf8.RuneCountInString(l.text[:at]) + 1
}

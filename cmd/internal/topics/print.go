package topics

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// width is how long a line of text gets on a terminal.
const width = 80

// Plain is the topic for a terminal.
func (t Topic) Plain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", t.Name, t.Title, plain(t.Text))
	for _, s := range t.sections() {
		fmt.Fprintf(&b, "\n%s\n\n%s\n", strings.ToUpper(s.heading), plain(s.body))
	}
	if len(t.See) > 0 {
		fmt.Fprintf(&b, "\nSee also: %s\n", strings.Join(t.See, ", "))
	}
	return b.String()
}

// Markdown is the topic with a heading of the given level.
func (t Topic) Markdown(level int) string {
	var b strings.Builder
	hashes := strings.Repeat("#", level)
	fmt.Fprintf(&b, "%s %s\n\n**%s.** %s\n", hashes, t.Name, t.Title, t.Text)
	for _, s := range t.sections() {
		fmt.Fprintf(&b, "\n*%s.*\n\n%s\n", s.heading, s.body)
	}
	if len(t.See) > 0 {
		var links []string
		for _, name := range t.See {
			links = append(links, fmt.Sprintf("[%s](#%[1]s)", name))
		}
		fmt.Fprintf(&b, "\nSee also: %s.\n", strings.Join(links, ", "))
	}
	return b.String()
}

type section struct{ heading, body string }

func (t Topic) sections() (all []section) {
	for _, s := range []section{{"Example", t.Example}, {"Instead", t.Instead}} {
		if s.body != "" {
			all = append(all, s)
		}
	}
	return all
}

// List is one line a topic, group by group, for a terminal.
func List() string {
	var b strings.Builder
	for i, g := range Groups() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:\n", g.Title)
		for _, t := range g.Topics {
			fmt.Fprintf(&b, "  %-18s %s\n", t.Name, t.Title)
		}
	}
	return b.String()
}

// Document is all topics as one Markdown page: what explain -f markdown prints.
func Document() string {
	var b strings.Builder
	b.WriteString(`# Topics

The terms and refusals of adtinfer, with examples and advice. ` + "`adtinfer explain TOPIC`" + ` prints one on a terminal; refusals
name their topic.
`)
	for _, g := range Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n| topic | |\n|---|---|\n", g.Title)
		for _, t := range g.Topics {
			fmt.Fprintf(&b, "| [%s](#%[1]s) | %s |\n", t.Name, t.Title)
		}
		for _, t := range g.Topics {
			b.WriteString("\n" + t.Markdown(3))
		}
	}
	return b.String()
}

// marks are what Markdown has beyond the text itself: code, emphasis, links.
var marks = wording.Regexp("`([^`]*)`|\\*([^* ][^*]*)\\*|\\[([^]]*)\\]\\([^)]*\\)")

// plain makes text for a terminal of Markdown: paragraphs wrapped, code indented.
func plain(markdown string) string {
	var lines []string
	fenced, words := false, []string(nil)
	flush := func() {
		lines = append(lines, wrap(words)...)
		words = nil
	}
	for _, line := range strings.Split(markdown, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			fenced = !fenced
		case fenced:
			lines = append(lines, strings.TrimRight("    "+line, " "))
		case line == "":
			flush()
			lines = append(lines, "")
		default:
			if strings.HasPrefix(line, "- ") {
				flush()
			}
			words = append(words, strings.Fields(marks().ReplaceAllString(line, "$1$2$3"))...)
		}
	}
	flush()
	return strings.Join(lines, "\n")
}

// wrap breaks words into lines; those of a list's item are indented but the first.
func wrap(words []string) (lines []string) {
	indent := ""
	for i, w := range words {
		last := len(lines) - 1
		switch {
		case i == 0:
			lines = append(lines, w)
			if w == "-" {
				indent = "  "
			}
		case len([]rune(lines[last]))+1+len([]rune(w)) > width:
			lines = append(lines, indent+w)
		default:
			lines[last] += " " + w
		}
	}
	return lines
}

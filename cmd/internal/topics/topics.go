// Package topics explains what adtinfer says: its refusals, its verdicts, its words. A topic is one Markdown file, from
// which comes what adtinfer explain prints, for a terminal or as Markdown.
//
//	t, ok := topics.Find("map-order")
//	fmt.Print(t.Plain())
//
//	type   holds
//	Topic  a name, what it means, an example, what to do instead
//	Group  topics that belong together
package topics

import (
	"embed"
	"fmt"
	"strings"
)

// Topic is one thing that is explained. All text is Markdown.
type Topic struct {
	Name    string // as on the command line
	Title   string // one line, without a full stop
	Text    string // what it means
	Example string // with fenced code that is run or parsed by tests
	Instead string // what to do; may be empty
	See     []string
}

// Group is a heading with its topics.
type Group struct {
	Title  string
	Topics []Topic
}

//go:embed text/*.md
var texts embed.FS

// groups say what comes where.
var groups = []struct {
	title, names string
}{
	{"Ideas", "reference spec operations language matching pattern weight theory product automaton counters model models"},
	{"Why patterns do not describe a data type", "made-up count initial order capacity overwritten silent several repeated stops unknown"},
	{"Problems with a matching scheme", "unfaithful not-normal foreign ambiguous not-closed late no-scheme unsupported"},
	{"Theories that fail their tests", "disagrees no-end wrong blind empty unfit"},
	{"Problems with running a reference", "load new skipped fault nondeterminism map-order time blocked acceptor"},
	{"Logs", "formats tools unreadable outside-language unknown-operation pending may-fail"},
	{"Results", "verdicts violation inconclusive timeout engines exit-codes usage files internal"},
	{"Running every interleaving", "explore policies refused-package"},
}

// Groups are all topics, in the order in which they are listed.
func Groups() []Group {
	var all []Group
	for _, g := range groups {
		group := Group{Title: g.title}
		for _, name := range strings.Fields(g.names) {
			if t, ok := Find(name); ok {
				group.Topics = append(group.Topics, t)
			}
		}
		all = append(all, group)
	}
	return all
}

// Names are those of all topics, as listed.
func Names() (names []string) {
	for _, g := range groups {
		names = append(names, strings.Fields(g.names)...)
	}
	return names
}

// Find is the topic of a name.
func Find(name string) (Topic, bool) {
	text, err := texts.ReadFile("text/" + name + ".md")
	if err != nil {
		return Topic{}, false
	}
	return parse(name, string(text)), true
}

// parse reads a topic's file: a heading with the title, text, and sections that
// are called Example, Instead and See also.
func parse(name, text string) Topic {
	sections := strings.Split("\n"+text, "\n## ")
	title, body, _ := strings.Cut(strings.TrimPrefix(sections[0], "\n# "), "\n")
	t := Topic{Name: name, Title: title, Text: strings.TrimSpace(body)}
	for _, s := range sections[1:] {
		heading, body, _ := strings.Cut(s, "\n")
		body = strings.TrimSpace(body)
		switch heading {
		case "Example":
			t.Example = body
		case "Instead":
			t.Instead = body
		case "See also":
			t.See = strings.Split(body, ", ")
		default:
			panic(fmt.Sprintf("topics: %s.md has a section %q", name, heading))
		}
	}
	return t
}

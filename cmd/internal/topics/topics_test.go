package topics_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/cmd/internal/topics"
)

// TestDocument: the page has every topic once, and its links lead to headings of the page.
func TestDocument(t *testing.T) {
	page := topics.Document()
	for _, name := range topics.Names() {
		if n := strings.Count(page, "\n### "+name+"\n"); n != 1 {
			t.Errorf("the page has %d headings %s", n, name)
		}
	}
	for _, link := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		if !slices.Contains(topics.Names(), link[1]) {
			t.Errorf("the page links to %s, which it does not have", link[1])
		}
	}
}

// TestNames: every file is listed once, every name has a file.
func TestNames(t *testing.T) {
	files, err := filepath.Glob("text/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names := topics.Names()
	slices.Sort(names)
	var want []string
	for _, f := range files {
		want = append(want, strings.TrimSuffix(filepath.Base(f), ".md"))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("topics -files +listed:\n%s", diff)
	}
	if _, ok := topics.Find("no-such-topic"); ok {
		t.Error("there is a topic that is none")
	}
}

// TestTexts: each topic says something, fits a terminal, and refers to others that exist.
func TestTexts(t *testing.T) {
	for _, g := range topics.Groups() {
		for _, topic := range g.Topics {
			if topic.Title == "" || strings.HasSuffix(topic.Title, ".") || len(topic.Text) < 60 || topic.Example == "" || len(topic.See) == 0 {
				t.Errorf("%s lacks something: %+v", topic.Name, topic)
			}
			for _, name := range topic.See {
				if _, ok := topics.Find(name); !ok || name == topic.Name {
					t.Errorf("%s refers to %s", topic.Name, name)
				}
			}
			plain := topic.Plain()
			if strings.Contains(plain, "```") || strings.Contains(plain, "**") {
				t.Errorf("%s has Markdown on a terminal:\n%s", topic.Name, plain)
			}
			for _, line := range strings.Split(plain, "\n") {
				if len(line) > 81 && !strings.HasPrefix(line, "    ") {
					t.Errorf("%s: a line of %d letters: %s", topic.Name, len(line), line)
				}
			}
		}
	}
}

// TestPlain: what Markdown becomes on a terminal.
func TestPlain(t *testing.T) {
	got := topics.Topic{Name: "x", Title: "About x", Text: "See `a b`\nand [c](d.md).\n\n- one\n- two\n\n```\nas it  is\n```", See: []string{"y"}}.Plain()
	want := "x: About x\n\nSee a b and c.\n\n- one\n- two\n\n    as it  is\n\nSee also: y\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

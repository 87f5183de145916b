package main

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/cmd/internal/topics"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestTopics runs the examples of the topics, as TestDocs does with documents.
func TestTopics(t *testing.T) {
	if !*update {
		testsize.NeedsLong(t)
	}
	for _, name := range testsize.Some(topics.Names(), 12) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runDocument(t, exampleCopy(t), withoutPaths, filepath.Join(projectRoot(t), "cmd", "internal", "topics", "text", name+".md"))
		})
	}
}

// TestModelsAreListed: the topic about built-in models has them all.
func TestModelsAreListed(t *testing.T) {
	topic, _ := topics.Find("models")
	for _, f := range check.Flags() {
		if f.Name != "model" {
			continue
		}
		for _, name := range f.Choices {
			name, _, _ = strings.Cut(name, "(")
			if !strings.Contains(topic.Text, "`"+name+"`") && !strings.Contains(topic.Text, "`"+name+"(") {
				t.Errorf("the topic models lacks %s", name)
			}
		}
	}
}

// TestTopicExamples parses the examples: code, logs, and command lines.
func TestTopicExamples(t *testing.T) {
	for _, g := range topics.Groups() {
		for _, topic := range g.Topics {
			found := blocks.FindAllStringSubmatch(topic.Example, -1)
			if len(found) == 0 {
				t.Errorf("%s has no example", topic.Name)
			}
			for _, m := range found {
				parseExample(t, topic.Name, m[1], m[2])
			}
		}
	}
}

func parseExample(t *testing.T, topic, language, text string) {
	switch language {
	case "go":
		if _, err := parser.ParseFile(token.NewFileSet(), topic+".go", text, 0); err != nil {
			t.Error(err)
		}
	case "log":
		err := history.NewReader(strings.NewReader(text), topic+".log").Convert(t.Context(), io.Discard, history.Text)
		if wrong := topic == "unreadable"; (err != nil) != wrong {
			t.Errorf("%s: its log: %v", topic, err)
		}
	case "console":
		for _, line := range regexp.MustCompile(`(?m)^\$ adtinfer (.*)$`).FindAllStringSubmatch(text, -1) {
			c, rest, err := newRoot(streams{out: io.Discard, err: io.Discard}.watched()).Find(strings.Fields(line[1]))
			if err == nil {
				err = c.ParseFlags(rest)
			}
			if wrong := strings.Contains(line[1], "--reff"); !c.HasParent() || (err != nil) != wrong {
				t.Errorf("%s: %s: %v", topic, line[1], err)
			}
		}
	}
}

// TestRefusalsHaveTopics: every reason why there is no specification has a topic,
// whose example ends with its name.
func TestRefusalsHaveTopics(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../describe/internal/refusal/refusal.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if ok && len(v.Values) == 1 {
			if id, ok := v.Type.(*ast.Ident); ok && id.Name == "Kind" {
				kinds = append(kinds, strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
			}
		}
		return true
	})
	if len(kinds) < 11 || !slices.Contains(kinds, string(describe.Kind("unknown"))) {
		t.Fatalf("kinds of refusals: %v", kinds)
	}
	for _, kind := range kinds {
		topic, ok := topics.Find(kind)
		if !ok {
			t.Errorf("no topic %s", kind)
		}
		if kind != string(describe.Kind("unknown")) && !strings.Contains(topic.Example, "\nmore: adtinfer explain "+kind+"\n") {
			t.Errorf("the example of %s is not refused for that reason", kind)
		}
		if got := topicOf(&describe.Refusal{Kind: describe.Kind(kind)}); got != kind {
			t.Errorf("the topic of a refusal %s is %s", kind, got)
		}
	}
}

// TestErrorsHaveTopics: every type of error that exit.go tells apart has a topic.
func TestErrorsHaveTopics(t *testing.T) {
	exit, err := os.ReadFile("exit.go")
	if err != nil {
		t.Fatal(err)
	}
	explain, err := os.ReadFile("explain.go")
	if err != nil {
		t.Fatal(err)
	}
	types := regexp.MustCompile(`(?m)(?:^\s+(?:var )?\w+ +|\bis\[)(\*\w+\.\w+|usageError)(?:\]|$)`).FindAllSubmatch(exit, -1)
	if len(types) < 12 {
		t.Fatalf("%d types of errors in exit.go", len(types))
	}
	for _, m := range types {
		if !bytes.Contains(explain, append([]byte("is["), m[1]...)) && !bytes.Contains(explain, append([]byte(" "), append(m[1], '\n')...)) {
			t.Errorf("explain.go knows no topic for %s", m[1])
		}
	}
	for _, e := range errorTopics {
		if _, ok := topics.Find(e.topic); !ok {
			t.Errorf("no topic %s", e.topic)
		}
	}
}

// TestMore: who mistypes a flag is not sent elsewhere; others are.
func TestMore(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{usagef("unknown flag"), ""},
		{context.Canceled, ""},
		{usageError{&check.OutsideLanguage{}}, "more: adtinfer explain outside-language\n"},
		{timedOut(1), "more: adtinfer explain timeout\n"},
		{&describe.Refusal{Kind: describe.Kind("made-up"), Err: timedOut(1)}, "more: adtinfer explain made-up\n"},
	} {
		if got := more(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}

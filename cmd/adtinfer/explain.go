package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/cmd/internal/topics"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

func newExplain(st streams) *cobra.Command {
	format := ""
	c := &cobra.Command{
		Use:   "explain [TOPIC]",
		Short: "Explain a refusal, a verdict or a term: its meaning, an example, what to do",
		Long: `explain says what adtinfer means by a term, such as a verdict or the reason why
a data type has no specification, with an example and advice. Refusals name
their topic. Without a topic, explain lists all topics.`,
		Example: `  adtinfer explain
  adtinfer explain made-up
  adtinfer explain exit-codes -f markdown`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (all []string, _ cobra.ShellCompDirective) {
			for _, g := range topics.Groups() {
				for _, t := range g.Topics {
					all = append(all, t.Name+"\t"+t.Title)
				}
			}
			return all[:len(all)*(1-min(len(args), 1))], cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := explanation(args, format)
			if format == "text" {
				text = terminal.FoldHelp(text, terminal.Narrow(st.out))
			}
			if err == nil {
				_, err = io.WriteString(st.out, text)
			}
			return err
		},
	}
	c.Flags().StringVarP(&format, "format", "f", "text", "what to print: text or markdown")
	choices(c, "format", "text", "markdown")
	return c
}

// explanation is a topic, or all of them, in a format.
func explanation(args []string, format string) (string, error) {
	if format != "text" && format != "markdown" {
		return "", usagef("unknown format %q: use text or markdown", format)
	}
	if len(args) > 1 {
		return "", usagef("explain takes one topic, but got %d; adtinfer explain lists them", len(args))
	}
	if len(args) == 0 && format == "markdown" {
		return topics.Document(), nil
	} else if len(args) == 0 {
		return topics.List(), nil
	}
	t, ok := topics.Find(strings.ToLower(args[0]))
	switch {
	case !ok:
		return "", usagef("no topic %q%s; adtinfer explain lists them", args[0], wording.Hint(args[0], topics.Names()))
	case format == "markdown":
		return t.Markdown(1), nil
	}
	return t.Plain(), nil
}

// more names the topic about an error, on a line of its own, if there is one worth
// reading: who mistypes a flag knows what to do.
func more(err error) string {
	switch name := topicOf(err); name {
	case "", "usage", "files":
		return ""
	default:
		return "more: adtinfer explain " + name + "\n"
	}
}

// topicOf is the topic about an error, or "".
func topicOf(err error) string {
	var (
		refused *describe.Refusal
		fault   *reference.Fault
		load    *reference.LoadError
	)
	switch {
	case errors.As(err, &refused):
		return string(refused.Kind)
	case errors.As(err, &fault):
		return topicOfFault(fault)
	case errors.As(err, &load):
		return topicOfLoad(load)
	}
	for _, t := range errorTopics {
		if t.is(err) {
			return t.topic
		}
	}
	return ""
}

func topicOfFault(f *reference.Fault) string {
	switch f.Reason {
	case driver.Differs:
		if strings.Contains(f.Detail, "; the package ranges over a map") {
			return "map-order"
		}
		return "nondeterminism"
	case driver.Elapses:
		return "time"
	case driver.Hangs:
		return "blocked"
	case driver.HandsOut:
		return "skipped"
	}
	return "fault"
}

func topicOfLoad(e *reference.LoadError) string {
	switch {
	case strings.Contains(e.Msg, "--new") || strings.Contains(e.Msg, "parameters: "):
		return "new"
	case strings.Contains(e.Msg, " is skipped: "):
		return "skipped"
	}
	return "load"
}

// errorTopics are the topics of errors by their types, those that wrap others first.
var errorTopics = []struct {
	topic string
	is    func(error) bool
}{
	{"timeout", is[timedOut]},
	{"disagrees", is[*patterns.Disagrees]},
	{"no-end", func(err error) bool { return errors.Is(err, patterns.ErrNoEnd) }},
	{"wrong", is[*describe.Wrong]},
	{"blind", is[*describe.Blind]},
	{"empty", is[*describe.Empty]},
	{"unfit", is[*describe.Unfit]},
	{"no-scheme", is[*matching.None]},
	{"unfaithful", is[*matching.Unfaithful]},
	{"not-normal", is[*matching.NotNormal]},
	{"foreign", is[*matching.Foreign]},
	{"ambiguous", is[*matching.Ambiguous]},
	{"ambiguous", is[*check.Ambiguous]},
	{"not-closed", is[*matching.NotClosed]},
	{"late", is[*matching.Late]},
	{"unsupported", is[*matching.Unsupported]},
	{"outside-language", is[*check.OutsideLanguage]},
	{"unknown-operation", is[*check.UnknownLabel]},
	{"inconclusive", func(err error) bool { return errors.Is(err, check.ErrUndecided) }},
	{"unreadable", is[*history.ParseError]},
	{"refused-package", is[*explore.Refused]},
	{"files", is[*files.Error]},
	{"usage", is[usageError]},
}

// is reports whether an error is, or wraps, one of a type.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

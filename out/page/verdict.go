package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out"
)

// Run is what pages say of the check that made them.
type Run struct {
	Against string // the theory, reference or model, as users name it
	Version string // of adtinfer
	Command string // the command line that repeats it
}

// Verdict is what came of one log. The page has what check -f json prints of the report,
// in the same words.
type Verdict struct {
	Run
	Report check.Report
	Log    *Log   // the whole log; nil: the page does without
	NoLog  string // why, in a sentence
	Left   bool   // since Limits did not allow more
	Limits *memory.Reader

	// States is the object after each operation of an order; nil, or its answer is: not known.
	States func([]history.Label) []string
}

//go:embed verdict.html
var verdictLayout string

//go:embed verdict.css
var verdictStyle string

// The script is in three parts: the log, its drawing, and what moves that.
var (
	//go:embed verdict_log.js
	logScript string
	//go:embed verdict_view.js
	viewScript string
	//go:embed verdict.js
	moveScript string
)

var verdictTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("verdict").Funcs(template.FuncMap{
		"fold": func(text string) bool { return len(text) > 4*longest }, "count": wording.Count,
		"unnamed": func(l *Log) bool {
			return slices.ContainsFunc(l.Execution.Ops, func(o history.Operation) bool { return o.Process == "" })
		},
	}).Parse(verdictLayout))
})

// section fills a template of verdict.html.
func section(name, id, title string, data any) (Section, error) {
	var b strings.Builder
	err := verdictTemplates().ExecuteTemplate(&b, name, data)
	return Section{ID: id, Title: title, Body: template.HTML(b.String())}, err
}

// WriteVerdict writes the page of one log.
func WriteVerdict(w io.Writer, v *Verdict) error {
	s, err := saidOf(v.Report)
	if err != nil {
		return err
	}
	columns := v.columns(s)
	p := &Page{Title: s.heading(), Style: verdictStyle}
	explained := s.Explanation != nil
	facts := folded{s.facts(v), explained}
	if explained {
		if columns != nil && s.Explanation.Before != nil {
			s.Explanation.Before.after = columns.States
		}
		err = p.explain(s)
	} else {
		p.Summary = s.sentence()
		err = p.add("facts", "verdict", "Verdict", facts)
	}
	if v.Log != nil || v.NoLog != "" {
		err = errors.Join(err, p.add("log", "log", "The whole log", v))
	}
	if explained {
		err = errors.Join(err, p.add("facts", "verdict", "Verdict", facts))
	}
	if err != nil {
		return err
	}
	if columns != nil {
		p.Script, p.Data = logScript+viewScript+moveScript, columns
	}
	return Write(w, p)
}

// folded is facts, which are shown at once or not.
type folded struct {
	Facts  []fact
	Folded bool
}

// add adds a section that is a template.
func (p *Page) add(name, id, title string, data any) error {
	s, err := section(name, id, title, data)
	p.Sections = append(p.Sections, s)
	return err
}

// explain adds the sections about the reason for a violation, if it is there.
func (p *Page) explain(s *said) error {
	x := s.Explanation
	if x == nil {
		return nil
	}
	d := x.drawn("")
	if err := p.add("operations", "operations", "What cannot be", d); err != nil {
		return err
	}
	p.Style += d.narrow()
	if x.Before != nil {
		if err := p.add("before", "before", "An order that explains everything before", x.story()); err != nil {
			return err
		}
	}
	p.opens = len(p.Sections)
	d.Summary = s.sentence()
	if err := p.add("table", "table", "The operations, as a table", d); err != nil || len(x.Derivation) == 0 {
		return err
	}
	return p.add("derivation", "derivation", "Why there is no order of them", x.numbered())
}

// mostSections is how many violations of many logs have a section.
const mostSections = 200

// WriteVerdicts writes the page of many logs: all their verdicts, and the operations of
// each violation that was explained.
func WriteVerdicts(w io.Writer, run Run, headline string, reports []check.Report) error {
	lines := strings.Split(strings.TrimSpace(headline), "\n")
	p := &Page{Title: "adtinfer check: " + lines[0], Summary: strings.Join(lines[1:], "; "), Style: verdictStyle}
	table := struct {
		Facts folded
		Rows  []verdictRow
		Left  int
	}{Facts: folded{Facts: run.facts()}}
	var sections []Section
	for i, r := range reports {
		s, err := saidOf(r)
		if err != nil {
			return err
		}
		row := verdictRow{said: s, Good: s.Class() == "good"}
		switch {
		case s.Explanation == nil:
		case len(sections) == mostSections:
			table.Left++
		default:
			prefix := fmt.Sprintf("log-%d", i+1)
			row.Anchor = prefix
			d := s.Explanation.drawn(prefix + "-")
			part, err := section("operations", prefix, s.heading(), d)
			table, failed := section("table", prefix, "", d)
			if err := errors.Join(err, failed); err != nil {
				return err
			}
			part.Body += table.Body
			p.Style += d.narrow()
			sections = append(sections, part)
		}
		table.Rows = append(table.Rows, row)
	}
	if err := p.add("verdicts", "verdicts", "Verdicts", table); err != nil {
		return err
	}
	p.Sections = append(p.Sections, sections...)
	return Write(w, p)
}

// verdictRow is a log in the table of many.
type verdictRow struct {
	*said
	Anchor string // of its section; empty: none
	Good   bool
}

// said is what check -f json says of a report.
type said struct {
	File   string
	Object string
	Error  string

	Verdict  check.Verdict
	Engine   string
	Events   int
	Prefix   int
	Patterns []string
	Detail   string

	Procedure string
	By        string

	Operations int64
	Width      int
	Overlaps   int64
	Unseen     []string

	Explanation *explanation
}

func saidOf(r check.Report) (*said, error) {
	if x := r.Explanation; x != nil && x.Shown != nil {
		r.Explanation = x.Shown()
	}
	var b bytes.Buffer
	if err := out.VerdictJSON(&b, r, out.Plain); err != nil {
		return nil, err
	}
	s := &said{}
	return s, json.Unmarshal(b.Bytes(), s)
}

// Title names what a page is about: a log, or one of its objects.
func (s *said) Title() string {
	if s.Object == "" {
		return s.File
	}
	return fmt.Sprintf("%s (object %s)", s.File, s.Object)
}

// Headline is the verdict in a word or two.
func (s *said) Headline() string {
	if s.Error != "" {
		return "could not be read"
	}
	return string(s.Verdict)
}

// heading is both, as far as a heading may be long.
func (s *said) heading() string {
	name := []rune(s.Title())
	if most := 3 * longest; len(name) > most {
		name = append(name[:most-1], '…')
	}
	return string(name) + ": " + s.Headline()
}

// Class is the colour of the verdict.
func (s *said) Class() string {
	switch {
	case s.Error != "" || s.Verdict == check.Inconclusive:
		return "open"
	case s.Verdict == check.Violation:
		return "bad"
	}
	return "good"
}

// sentence is the verdict for people who do not know the words.
func (s *said) sentence() string {
	switch {
	case s.Error != "":
		return "Nothing was decided, because the log could not be read."
	case s.Verdict == check.Violation && s.Prefix > 0:
		return fmt.Sprintf("No order of its operations explains what they returned. The first %s of %s are enough to see that.", wording.Number(s.Prefix), wording.Count(s.Events, "event"))
	case s.Verdict == check.Violation:
		return "No order of its operations explains what they returned."
	case s.Verdict == check.Linearizable:
		return "There is an order of its operations, each between its call and its return, that explains what they returned."
	case s.Verdict == check.NoViolationFound:
		return "No violation was found, by an engine that may miss some."
	}
	return "A limit was hit before this was decided; the log may be good or bad."
}

// fact is a row of what is known: a name, and the field of -f json that says it, if one does.
type fact struct {
	Name, Field string
	Values      []string
	Class       string
}

func (r *Run) facts() []fact {
	text := func(s string) []string { return []string{strings.ToValidUTF8(s, "\ufffd")} } // names of files may be anything
	return known([]fact{
		{"against", "", text(r.Against), ""},
		{"version of adtinfer", "", text(r.Version), ""},
		{"to repeat it", "", text(r.Command), "command"},
	})
}

// known leaves out what has no value.
func known(facts []fact) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return len(f.Values) == 0 || len(f.Values) == 1 && f.Values[0] == "" })
}

// facts are all fields of a verdict but the explanation.
func (s *said) facts(v *Verdict) []fact {
	fs := []fact{
		{"log", "file", []string{s.File}, ""},
		{"object", "object", []string{s.Object}, ""},
		{"error", "error", []string{s.Error}, "open"},
	}
	if v.Log != nil {
		fs = append(fs, fact{"SHA-256 of the log", "", []string{v.Log.Sum}, ""})
	}
	if s.Error == "" {
		n := func(n int64) []string { return []string{fmt.Sprint(n)} }
		fs = append(fs, fact{"verdict", "verdict", []string{string(s.Verdict)}, s.Class()})
		if s.Prefix > 0 {
			fs = append(fs, fact{"events of the shortest violating prefix", "prefix", n(int64(s.Prefix)), ""})
		}
		fs = append(fs,
			fact{"patterns and axioms", "patterns", s.Patterns, ""}, fact{"detail", "detail", []string{s.Detail}, ""},
			fact{"engine", "engine", []string{s.Engine}, ""}, fact{"procedure", "procedure", []string{s.Procedure}, ""},
			fact{"decided by", "by", []string{s.By}, ""}, fact{"events", "events", n(int64(s.Events)), ""},
			fact{"operations", "operations", n(s.Operations), ""}, fact{"most at a time", "width", n(int64(s.Width)), ""},
			fact{"pairs that overlap", "overlaps", n(s.Overlaps), ""}, fact{"kinds that did not occur", "unseen", s.Unseen, ""})
	}
	return append(known(fs), v.Run.facts()...)
}

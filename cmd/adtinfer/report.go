package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/theory"
	"github.com/spf13/cobra"
)

// verdictFormat is a format in which check prints what came of logs.
type verdictFormat struct {
	name, help string
	explains   bool // violations come with an explanation, unless --explain says something else
	all        bool // its end needs all reports, and not only those that are not good

	each func(p *reporter, r check.Report) error // prints one at once; nil: nothing is
	end  func(p *reporter) error
}

// verdictFormats are all of them, the default first.
func verdictFormats() []verdictFormat {
	return []verdictFormat{
		{name: "text", each: (*reporter).line, end: (*reporter).text},
		{name: "json", help: "one object per line", end: (*reporter).mutants,
			each: func(p *reporter, r check.Report) error { return out.VerdictJSON(p.st.out, r, p.st.style()) }},
		{name: "junit", help: "XML for build servers", explains: true, all: true,
			end: func(p *reporter) error { return out.JUnit(p.st.out, p.reports) }},
		{name: "github", help: "annotations in GitHub Actions", explains: true, end: (*reporter).text,
			each: func(p *reporter, r check.Report) error { return out.GitHub(p.st.out, r, repository()) }},
		{name: pageFormat, help: "a page, in the file that --output names", explains: true, all: true, end: (*reporter).text},
		{name: "sarif", help: "for code scanning", explains: true,
			end: func(p *reporter) error { return out.SARIF(p.st.out, p.against, p.reports, repository()) }},
	}
}

// registerFormat adds the flags about what is printed.
func (o *checkOptions) registerFormat(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.format, "format", "f", "text", verdictFormatHelp())
	f.StringVar(&o.summary, "summary", "", "also write a Markdown summary of the run to this file; -f github also appends one to $GITHUB_STEP_SUMMARY")
	o.registerOutput(c)
}

func verdictFormatNames() (names []string) {
	for _, f := range verdictFormats() {
		names = append(names, f.name)
	}
	return names
}

// verdictFormatHelp is the help of --format.
func verdictFormatHelp() string {
	var parts []string
	for _, f := range verdictFormats() {
		if f.help != "" {
			f.name += " (" + f.help + ")"
		}
		parts = append(parts, f.name)
	}
	return "what to print: " + anyOf(parts)
}

// anyOf lists what there is to choose from.
func anyOf(what []string) string {
	last := len(what) - 1
	return strings.Join(what[:last], ", ") + " or " + what[last]
}

func verdictFormatOf(name string) (verdictFormat, error) {
	for _, f := range verdictFormats() {
		if f.name == name {
			return f, nil
		}
	}
	return verdictFormat{}, usagef("unknown format %q: use %s", name, anyOf(verdictFormatNames()))
}

// repository is the directory that annotations name files relative to; empty where
// nobody says so.
func repository() string { return os.Getenv("GITHUB_WORKSPACE") }

// reporter prints what came of logs, in the format that was asked for.
type reporter struct {
	st      streams
	format  verdictFormat
	summary []summaryFile
	against *theory.Theory // nil if a reference or a model decides alone
	ref     string         // the reference, if that decides alone

	page *pageFile // if that is the format

	reports []check.Report // for what is one document: those that are not good, or all
	tally   tally
	late    bool           // some log took too long
	told    *describe.Told // if there is a reference
	unread  *unreads
}

// summaryFile is a file for a summary in Markdown.
type summaryFile struct {
	path   string
	append bool // to what others wrote
}

// newReporter prints as the flags say.
func (o *checkOptions) newReporter(st streams) (*reporter, error) {
	f, err := verdictFormatOf(o.format)
	p := &reporter{st: st, format: f, against: o.against, unread: o.unread}
	if o.theory == "" {
		p.ref = o.ref
	}
	if o.summary != "" {
		p.summary = append(p.summary, summaryFile{path: o.summary})
	}
	if path := os.Getenv("GITHUB_STEP_SUMMARY"); path != "" && f.name == "github" {
		p.summary = append(p.summary, summaryFile{path, true})
	}
	if f.name == pageFormat {
		p.page = &pageFile{path: o.output, most: o.most, timeout: o.Timeout, run: page.Run{Against: o.specified(), Version: ownVersion(), Command: commandLine()}}
	}
	return p, err
}

// said is an error in the words of a message.
type said struct {
	error
	message string
}

func (s said) Error() string { return s.message }
func (s said) Unwrap() error { return s.error }

// report prints one report; one in text about a log that could not be read
// waits for the end.
func (p *reporter) report(r check.Report) error {
	if r.Err != nil {
		r.Err = said{r.Err, message(r.Err)}
	} else if what := p.unread.about(r.Name); what != "" {
		r.Result.Detail = strings.TrimPrefix(r.Result.Detail+"; "+what, "; ")
	}
	p.tally.add(r)
	p.logged(r)
	if r.Err == nil && r.Result.Verdict == check.Inconclusive && strings.Contains(r.Result.Detail, "time limit") {
		p.late = true
	}
	if good := r.Err == nil && r.Result.Verdict != check.Violation && r.Result.Verdict != check.Inconclusive; p.format.all || !good {
		kept := r
		if p.page == nil || p.page.log == nil {
			kept.Evidence = nil
		}
		p.reports = append(p.reports, kept)
	}
	if p.format.each == nil {
		return nil
	}
	return p.format.each(p, r)
}

// logged says how a log was decided.
func (p *reporter) logged(r check.Report) {
	log := p.st.log.With("log", r.Name, "took", r.Took)
	if r.Err != nil {
		log.Info("not read", "error", r.Err)
		return
	}
	if r.Result.Procedure != "" {
		log = log.With("procedure", r.Result.Procedure)
	}
	if r.Result.By != "" {
		log = log.With("by", r.Result.By)
	}
	log.Info("checked", "verdict", r.Result.Verdict, "engine", r.Result.Engine, "operations", r.Ops, "events", r.Result.Events, "width", r.Coverage.Width)
}

// line prints a report as text.
func (p *reporter) line(r check.Report) error {
	if r.Err != nil {
		return nil
	}
	return out.VerdictText(p.st.people(), r, p.st.style())
}

// end prints what comes last. Its error is the exit code.
func (p *reporter) end(ctx context.Context) error {
	for _, r := range p.tally.failed {
		fmt.Fprintln(p.st.err, "adtinfer:", r.Err)
	}
	io.WriteString(p.st.err, p.tally.more())
	if p.late && p.ref != "" {
		fmt.Fprintf(p.st.err, "note: a reference alone is searched, which takes long where many calls overlap; a theory decides most such logs at once: adtinfer infer --ref %s writes one for --theory\n", p.ref)
	}
	if p.tally.sequential() {
		fmt.Fprintln(p.st.err, "warning: no two operations overlap, so these logs say nothing about concurrency")
	}
	if err := errors.Join(p.page.write(ctx, p), p.format.end(p), p.summarize(ctx)); err != nil {
		return err
	}
	return verdictCode(p.tally)
}

// headline is the summary as text.
func (p *reporter) headline() string {
	if p.told != nil {
		return p.tally.String() + "\n" + p.told.Text() + "\n"
	}
	return p.tally.String() + "\n"
}

// text prints the summary as text.
func (p *reporter) text() error {
	_, err := io.WriteString(p.st.people(), p.headline())
	return err
}

// mutants prints as JSON which wrong versions of the reference are told, if it is there.
func (p *reporter) mutants() error {
	if p.told == nil {
		return nil
	}
	return json.NewEncoder(p.st.out).Encode(struct {
		Mutants int      `json:"mutants"`
		Told    int      `json:"told"`
		Missed  []string `json:"missed,omitempty"`
	}{p.told.Mutants, p.told.Mutants - len(p.told.Missed), p.told.Missed})
}

// summarize writes the summaries in Markdown.
func (p *reporter) summarize(ctx context.Context) (err error) {
	for _, s := range p.summary {
		write := func(w io.Writer) error { return out.Summary(w, p.headline(), p.reports) }
		if s.append {
			err = errors.Join(err, files.Append(s.path, write))
		} else {
			err = errors.Join(err, files.Write(ctx, s.path, write))
		}
	}
	return err
}

// tally counts the verdicts of many logs.
type tally struct {
	logs, violations, inconclusive int
	objects                        int             // of logs with several
	last                           string          // the log of the last one
	seen                           map[string]bool // those of that log
	failed                         []check.Report  // those that could not be read
	procedures                     []string        // near-linear procedures that decided, and why they were chosen
	by                             []string        // who else decided

	// coverage is how much all logs together could have shown of the kinds that
	// the data type has.
	coverage history.Coverage
	kinds    []history.Kind
}

// add counts one log.
func (s *tally) add(r check.Report) {
	if r.Object == "" || r.Name != s.last || s.seen[r.Object] {
		s.logs++
		s.last, s.seen = r.Name, map[string]bool{}
	}
	if r.Object != "" {
		s.objects++
		s.seen[r.Object] = true
	}
	if r.Err == nil {
		s.coverage.Add(r.Coverage)
	}
	if r.Kinds != nil {
		s.kinds = r.Kinds
	}
	if p := r.Result.Procedure; p != "" && !slices.Contains(s.procedures, p) {
		s.procedures = append(s.procedures, p)
	}
	if by := r.Result.By; by != "" && !slices.Contains(s.by, by) {
		s.by = append(s.by, by)
	}
	switch {
	case r.Err != nil:
		s.failed = append(s.failed, r)
	case r.Result.Verdict == check.Violation:
		s.violations++
	case r.Result.Verdict == check.Inconclusive:
		s.inconclusive++
	}
}

// sequential reports whether no two operations of the logs overlap, so that
// the verdicts say nothing about concurrency.
func (s *tally) sequential() bool { return s.coverage.Operations > 0 && s.coverage.Overlaps == 0 }

// String is the summary in one line, one on what the logs could have shown, and
// one for each procedure, reference or model that decided.
func (s *tally) String() string {
	parts := []string{fmt.Sprintf("%d logs: %d violations", s.logs, s.violations)}
	if s.logs == 1 {
		parts[0] = strings.Replace(parts[0], "logs", "log", 1)
	}
	if s.objects > 0 {
		parts[0] = strings.Replace(parts[0], ":", fmt.Sprintf(", %d objects:", s.objects), 1)
	}
	if s.violations == 1 {
		parts[0] = strings.Replace(parts[0], "violations", "violation", 1)
	}
	if s.inconclusive > 0 {
		parts = append(parts, fmt.Sprintf("%d inconclusive", s.inconclusive))
	}
	if len(s.failed) > 0 {
		parts = append(parts, fmt.Sprintf("%d could not be read", len(s.failed)))
	}
	lines := []string{strings.Join(parts, ", ")}
	if s.coverage.Operations > 0 {
		lines = append(lines, s.coverage.Text(s.kinds))
	}
	if m := s.coverage.Alike(s.kinds); len(m) > 0 {
		lines = append(lines, fmt.Sprintf("not compared: what errors of %s say, for these have no names and count as one", strings.Join(m, ", ")))
	}
	for _, p := range s.procedures {
		lines = append(lines, "by the procedure for its shape: "+p)
	}
	for _, by := range s.by {
		lines = append(lines, "decided by "+by)
	}
	return strings.Join(lines, "\n")
}

// more names the topics about logs that could not be read, each once.
func (s *tally) more() string {
	var topics []string
	for _, r := range s.failed {
		topics = append(topics, more(r.Err))
	}
	slices.Sort(topics)
	return strings.Join(slices.Compact(topics), "")
}

// unreads are the reads of logs of other tools that were left out, since nobody knows what they read.
type unreads struct {
	mu sync.Mutex
	of map[string]string // by log
}

func (u *unreads) add(log string, n int, first history.Pos) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of == nil {
		u.of = map[string]string{}
	}
	u.of[log] = fmt.Sprintf("without %s that completed with nil, which says nothing, the first at %d:%d; --nil unset makes nil an answer", wording.Count(n, "read"), first.Line, first.Col)
}

// about is what was left out of a log, or nothing.
func (u *unreads) about(log string) string {
	if u == nil {
		return ""
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.of[log]
}

// note prints what was left out of a log.
func (u *unreads) note(w io.Writer, log string) {
	if what := u.about(log); what != "" {
		fmt.Fprintf(w, "note: %s: %s\n", log, what)
	}
}

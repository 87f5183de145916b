package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/schedule"
)

// testReport prints what came of tests.
type testReport struct {
	io      streams
	format  string
	results []*schedule.Result
}

func newTestReport(io streams, format string) *testReport { return &testReport{io: io, format: format} }

func (r *testReport) add(x *schedule.Result) {
	r.results = append(r.results, x)
	switch r.format {
	case "text":
		fmt.Fprint(r.io.people(), testText(x))
	case "json":
		_ = json.NewEncoder(r.io.out).Encode(testObject(x))
	case "github":
		fmt.Fprint(r.io.out, testAnnotation(x))
	}
}

// end prints what stands at the end, and returns the exit code.
func (r *testReport) end() error {
	var failed, undecided, schedules int
	for _, x := range r.results {
		schedules += x.Schedules
		switch {
		case x.Verdict.Failing():
			failed++
		case x.Verdict == schedule.Undecided:
			undecided++
		}
	}
	switch r.format {
	case "text", "github":
		fmt.Fprintf(r.io.people(), "%s: %d failed, %d undecided, %d passed, in %s\n", wording.Count(len(r.results), "test"),
			failed, undecided, len(r.results)-failed-undecided, wording.Count(schedules, "schedule"))
	case "junit":
		if err := r.junit(); err != nil {
			return err
		}
	}
	switch {
	case len(r.results) == 0:
		fmt.Fprintln(r.io.err, "adtinfer: no test matches")
		return silent(exitUsage)
	case failed > 0:
		return silent(exitViolation)
	case undecided > 0:
		return silent(exitInconclusive)
	}
	return nil
}

// testText is a result for people.
func testText(x *schedule.Result) string {
	name := x.Test + "  (" + x.Package + ")"
	ran := wording.Count(x.Schedules, "schedule") + ", " + x.Elapsed.Round(10*time.Millisecond).String()
	switch x.Verdict {
	case schedule.Passed:
		if x.Limited > 0 {
			ran += fmt.Sprintf(", %d of them cut off at the limit of steps", x.Limited)
		}
		if x.Lone {
			ran += ", none of which left a choice"
		}
		if x.Own {
			ran = x.Elapsed.Round(10*time.Millisecond).String() + "; it makes its schedules itself"
		}
		if x.Alone {
			ran += ", most in a process of their own, since the test leaves something behind"
		}
		return fmt.Sprintf("ok         %s: %s\n", name, ran)
	case schedule.Undecided:
		why := x.Why
		if x.Limited > 0 && x.Limited == x.Schedules {
			why += ", which --steps raises"
		}
		return fmt.Sprintf("undecided  %s: %s\n", name, why)
	}
	f := x.Failure
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s  %s: %s\n", strings.ToUpper(string(x.Verdict)), name, f.Message)
	switch {
	case f.Free:
		b.WriteString("\n  It fails without schedules, too.\n")
	case x.Own:
		b.WriteString("\n  The test makes its schedules itself.\n")
	case f.Replay == "":
		fmt.Fprintf(&b, "\n  Seen in schedule %d, and not again: something that schedules do not control has a part in it.\n", f.Number)
	case f.Number == 0:
		fmt.Fprintf(&b, "\n  The schedule again:\n\n%s", schedule.Draw(f.Steps))
	default:
		fmt.Fprintf(&b, "\n  Schedule %d failed. With as few switches as were found (%d):\n\n%s", f.Number, f.Switches, schedule.Draw(f.Steps))
	}
	b.WriteString(testOutput(x))
	if f.Replay != "" {
		fmt.Fprintf(&b, "\n  Again: adtinfer test -replay '%s'\n", f.Replay)
	}
	return b.String() + "\n"
}

// testOutput is what a failing test printed.
func testOutput(x *schedule.Result) string {
	out := strings.TrimRight(x.Failure.Output, "\n")
	if out == "" {
		return ""
	}
	if !x.Own { // what adttest says is as short as can be
		out = clipped(out, 40)
	}
	return fmt.Sprintf("\n  What the test printed:\n\n%s\n", indented(out))
}

func indented(s string) string { return "  | " + strings.ReplaceAll(s, "\n", "\n  | ") }

// clipped keeps the first lines of a text.
func clipped(s string, most int) string {
	lines := strings.Split(s, "\n")
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("... and %d more lines", len(lines)-most))
	}
	return strings.Join(lines, "\n")
}

// testJSON is a result as an object.
type testJSON struct {
	Package   string          `json:"package"`
	Test      string          `json:"test"`
	Verdict   string          `json:"verdict"`
	Why       string          `json:"why,omitempty"`
	Schedules int             `json:"schedules"`
	Limited   int             `json:"limited,omitempty"` // schedules that reached the limit of steps
	Lone      bool            `json:"lone,omitempty"`    // none of them left a choice
	Seconds   float64         `json:"seconds"`
	Message   string          `json:"message,omitempty"`
	Output    string          `json:"output,omitempty"`
	Number    int             `json:"number,omitempty"` // of the first schedule that failed
	Switches  int             `json:"switches,omitempty"`
	Free      bool            `json:"free,omitempty"` // it fails without schedules, too
	Replay    string          `json:"replay,omitempty"`
	Steps     []schedule.Step `json:"steps,omitempty"`
}

func testObject(x *schedule.Result) testJSON {
	j := testJSON{Package: x.Package, Test: x.Test, Verdict: string(x.Verdict), Why: x.Why, Schedules: x.Schedules, Limited: x.Limited, Lone: x.Lone, Seconds: x.Elapsed.Seconds()}
	if f := x.Failure; f != nil {
		j.Message, j.Output, j.Number, j.Switches, j.Free, j.Replay, j.Steps = f.Message, f.Output, f.Number, f.Switches, f.Free, f.Replay, f.Steps
	}
	return j
}

// testAnnotation is a result as an annotation of GitHub Actions.
func testAnnotation(x *schedule.Result) string {
	escape := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace
	switch {
	case x.Verdict.Failing():
		text := x.Test + " " + string(x.Verdict) + ": " + x.Failure.Message
		if x.Failure.Replay != "" {
			text += "\nadtinfer test -replay '" + x.Failure.Replay + "'"
		}
		return "::error title=adtinfer test::" + escape(text) + "\n"
	case x.Verdict == schedule.Undecided:
		return "::notice title=adtinfer test::" + escape(x.Test+" undecided: "+x.Why) + "\n"
	}
	return ""
}

type junitCase struct {
	XMLName xml.Name `xml:"testcase"`
	Package string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr"`
	Failure *struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	} `xml:"failure"`
	Skipped *struct {
		Message string `xml:"message,attr"`
	} `xml:"skipped"`
}

func (r *testReport) junit() error {
	suite := struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Cases    []junitCase
	}{Name: "adtinfer test", Tests: len(r.results)}
	for _, x := range r.results {
		c := junitCase{Package: x.Package, Name: x.Test, Time: fmt.Sprintf("%.3f", x.Elapsed.Seconds())}
		switch {
		case x.Verdict.Failing():
			suite.Failures++
			c.Failure = &struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			}{x.Failure.Message, testText(x)}
		case x.Verdict == schedule.Undecided:
			suite.Skipped++
			c.Skipped = &struct {
				Message string `xml:"message,attr"`
			}{x.Why}
		}
		suite.Cases = append(suite.Cases, c)
	}
	b, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.io.out, "%s%s\n", xml.Header, b)
	return err
}

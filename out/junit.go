package out

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/check"
)

// JUnit collects reports and writes them as one test suite in the XML that
// build servers read: a log is a test case, a violation a failure, an
// inconclusive one skipped, and one that could not be read an error.
type JUnit struct{ cases []junitCase }

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string     `xml:"name,attr"`
	Class   string     `xml:"classname,attr"`
	Failure *junitText `xml:"failure"`
	Error   *junitText `xml:"error"`
	Skipped *junitText `xml:"skipped"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Add takes one report.
func (j *JUnit) Add(r check.Report) {
	c := junitCase{Name: r.Name, Class: "adtinfer"}
	switch {
	case r.Err != nil:
		c.Error = &junitText{Message: r.Err.Error()}
	case r.Result.Verdict == check.Violation:
		var b strings.Builder
		if r.Explanation != nil {
			_ = ExplanationText(&b, r.Explanation, Plain) // a Builder does not fail
		}
		c.Failure = &junitText{Message: failure(r.Result), Text: b.String()}
	case r.Result.Verdict == check.Inconclusive:
		c.Skipped = &junitText{Message: "inconclusive: " + r.Result.Detail}
	}
	j.cases = append(j.cases, c)
}

// failure is a violation in one sentence.
func failure(r check.Result) string {
	if r.Prefix == 0 {
		return "violation: " + r.Detail
	}
	return fmt.Sprintf("violation in the first %d of %d events: %s", r.Prefix, r.Events, strings.Join(r.Patterns, ", "))
}

// Write writes the suite.
func (j *JUnit) Write(w io.Writer) error {
	s := junitSuite{Name: "adtinfer check", Tests: len(j.cases), Cases: j.cases}
	for _, c := range j.cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("out: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

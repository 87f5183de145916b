package out

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/check"
)

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
	Text    string `xml:",innerxml"`
}

// JUnit writes reports as one test suite in the XML that build servers read: a
// log is a test case, a violation a failure, an inconclusive one skipped, and one
// that could not be read an error. The body of a failure says where it is, and has
// the explanation if there is one.
func JUnit(w io.Writer, reports []check.Report) error {
	s := junitSuite{Name: "adtinfer check", Tests: len(reports)}
	for _, r := range reports {
		c := junitCase{Name: title(r), Class: "adtinfer"}
		switch {
		case r.Err != nil:
			s.Errors++
			c.Error = &junitText{Message: r.Err.Error()}
		case r.Result.Verdict == check.Violation:
			s.Failures++
			c.Failure = &junitText{Message: failure(r.Result), Text: junitBody(r)}
		case r.Result.Verdict == check.Inconclusive:
			s.Skipped++
			c.Skipped = &junitText{Message: inconclusive(r.Result)}
		}
		s.Cases = append(s.Cases, c)
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("out: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// junitBody is the body of a failure as XML, with its lines as they are.
func junitBody(r check.Report) string {
	where := r.Name
	if r.At.Line > 0 {
		where = r.At.String()
	}
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(where+": "+failure(r.Result)+"\n"+explanation(r))) // a Buffer does not fail
	return strings.ReplaceAll(b.String(), "&#xA;", "\n")
}

// failure is a violation in one sentence.
func failure(r check.Result) string {
	if r.Prefix == 0 {
		return "violation: " + r.Detail
	}
	s := fmt.Sprintf("violation in the first %d of %d events", r.Prefix, r.Events)
	if len(r.Patterns) > 0 {
		s += ": " + strings.Join(r.Patterns, ", ")
	}
	if r.Detail != "" {
		s += " (" + r.Detail + ")"
	}
	return s
}

func inconclusive(r check.Result) string { return "inconclusive: " + r.Detail }

package out

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// GitHub writes the workflow command that makes GitHub Actions annotate a log, for a
// report that is not good: an error for a violation, at the event that completes it,
// and for a log that could not be read, a warning for an inconclusive one. Names of
// files are made relative to root, the repository's, unless that is empty.
//
//	::error file=run.log,line=6,col=1,title=violation::violation in the first 4 of 7 events: ...
//
// The message goes on with the explanation, if there is one.
func GitHub(w io.Writer, r check.Report, root string) error {
	level, title := "error", string(r.Result.Verdict)
	switch {
	case r.Err != nil:
		title = "unreadable log"
	case r.Result.Verdict == check.Inconclusive:
		level = "warning"
	case r.Result.Verdict != check.Violation:
		return nil
	}
	properties := ""
	if path, line, col := placeOf(r, root); path != "" {
		properties += "file=" + githubProperty.Replace(path) + ","
		if line > 0 {
			properties += fmt.Sprintf("line=%d,col=%d,", line, col)
		}
	}
	properties += "title=" + githubProperty.Replace("adtinfer: "+title)
	_, err := fmt.Fprintf(w, "::%s %s::%s\n", level, properties, githubData.Replace(r.Name+": "+told(r)))
	return err
}

// What the runner takes for its own, in a message and in a property
// (github.com/actions/toolkit, "Problem matchers and commands").
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// told is what there is to say of a report that is not good: a sentence, and below it
// the explanation if there is one.
func told(r check.Report) string {
	if r.Object != "" {
		of := fmt.Sprintf("object %s: ", wording.Line(r.Object))
		r.Object = ""
		return of + told(r)
	}
	switch {
	case r.Err != nil:
		return strings.TrimLeft(strings.TrimPrefix(r.Err.Error(), r.Name+":"), " ")
	case r.Result.Verdict != check.Violation:
		return inconclusive(r.Result)
	case r.Explanation == nil:
		return failure(r.Result)
	}
	return failure(r.Result) + "\n" + strings.TrimRight(explanation(r), "\n")
}

// explanation is the text of the explanation, or nothing.
func explanation(r check.Report) string {
	var b strings.Builder
	if r.Explanation != nil {
		_ = ExplanationText(&b, r.Explanation, Plain) // a Builder does not fail
	}
	return b.String()
}

// standardInput is the name of the log that is no file.
const standardInput = "standard input"

// placeOf is the file of a log with slashes, relative to root if it is below it, and
// the line and column there that a report is about, 0 if that is not known. There is
// no file for standard input.
func placeOf(r check.Report, root string) (path string, line, col int) {
	if r.Name == standardInput {
		return "", 0, 0
	}
	if r.At.Col > 0 && r.At.File == r.Name { // else it is an event of a binary log
		line, col = r.At.Line, r.At.Col
	}
	return relative(r.Name, root), line, col
}

// relative is a name relative to root, or absolute if it is not below that; as it is
// without a root.
func relative(name, root string) string {
	abs, err := filepath.Abs(name)
	if root == "" || err != nil {
		return filepath.ToSlash(name)
	}
	if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

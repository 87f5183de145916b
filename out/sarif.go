package out

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// What there is of SARIF 2.1.0 ("Static Analysis Results Interchange Format", OASIS):
// the names are the standard's.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		URI   string      `json:"informationUri"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		Rule       string          `json:"ruleId"`
		Index      int             `json:"ruleIndex"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations"`
		Related    []sarifLocation `json:"relatedLocations,omitempty"`
		Properties sarifProperties `json:"properties"`
	}
	sarifProperties struct {
		Engine   string   `json:"engine,omitempty"`
		Events   int      `json:"events"`
		Prefix   int      `json:"prefix,omitempty"`
		Patterns []string `json:"patterns,omitempty"`
	}
	sarifLocation struct {
		ID       int            `json:"id,omitempty"`
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI  string `json:"uri"`
			Base string `json:"uriBaseId,omitempty"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
		Col  int `json:"startColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"name"`
	}
)

// unexplained is the rule of violations that no pattern or axiom shows.
const unexplained = "not-linearizable"

// SARIF writes reports as one run in the form that code scanning reads. Its rules are
// the patterns and axioms of the theory, which may be nil. A violation is a result of
// the first pattern that it names, at the event that completes it; the operations of
// its explanation are related locations. What was not checked, inconclusive or not to
// be read, is a notification of the run. Names of files are made relative to root, the
// repository's, unless that is empty.
func SARIF(w io.Writer, t *theory.Theory, reports []check.Report, root string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "adtinfer", URI: "https://github.com/adtinfer/adtinfer", Rules: sarifRules(t)}
	this := sarifInvocation{Successful: true}
	for _, r := range reports {
		note := sarifNotification{Level: "warning", Message: sarifText{r.Name + ": " + told(r)}, Locations: []sarifLocation{sarifAt(r, root)}}
		switch {
		case r.Err != nil:
			note.Level, this.Successful = "error", false
			this.Notifications = append(this.Notifications, note)
		case r.Result.Verdict == check.Inconclusive:
			this.Notifications = append(this.Notifications, note)
		case r.Result.Verdict == check.Violation:
			run.Results = append(run.Results, run.Tool.Driver.result(r, root))
		}
	}
	run.Invocations = []sarifInvocation{this}
	return writeJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "  ")
}

// sarifRules are those that a theory brings.
func sarifRules(t *theory.Theory) []sarifRule {
	rules := []sarifRule{{unexplained, sarifText{"the data type admits no order of these operations"}}}
	if t == nil {
		return rules
	}
	for _, p := range t.Spec.Patterns {
		rules = append(rules, newSarifRule(p.Name, p.Reading))
	}
	for _, a := range t.Spec.Axioms {
		rules = append(rules, newSarifRule(a.Name, a.Reading))
	}
	return rules
}

func newSarifRule(name, reading string) sarifRule {
	if reading == "" {
		reading = name
	}
	return sarifRule{name, sarifText{reading}}
}

// rule is the place of a rule. Parts of a theory have patterns of their own, which are
// added when they come.
func (d *sarifDriver) rule(name, reading string) int {
	i := slices.IndexFunc(d.Rules, func(r sarifRule) bool { return r.ID == name })
	if i < 0 {
		i = len(d.Rules)
		d.Rules = append(d.Rules, newSarifRule(name, reading))
	}
	return i
}

func (d *sarifDriver) result(r check.Report, root string) sarifResult {
	name, reading := unexplained, ""
	if len(r.Result.Patterns) > 0 {
		name = r.Result.Patterns[0]
	}
	res := sarifResult{Rule: name, Level: "error", Message: sarifText{r.Name + ": " + told(r)}, Locations: []sarifLocation{sarifAt(r, root)},
		Properties: sarifProperties{r.Result.Engine, r.Result.Events, r.Result.Prefix, r.Result.Patterns}}
	if x := r.Explanation; x != nil {
		if i := slices.IndexFunc(x.Reasons, func(r check.Reason) bool { return r.Name == name }); i >= 0 {
			reading = x.Reasons[i].Reading
		}
		for i := range x.Execution.Ops {
			if o := &x.Execution.Ops[i]; o.CallPos.Col > 0 && r.Name != standardInput {
				l := sarifIn(o.CallPos.File, root, o.CallPos)
				l.ID, l.Message = len(res.Related)+1, &sarifText{"[" + o.ID + "] " + o.Label.String()}
				res.Related = append(res.Related, l)
			}
		}
	}
	res.Index = d.rule(name, reading)
	return res
}

// sarifAt is where a report's log is, and the line in it; standard input is a place
// without a file.
func sarifAt(r check.Report, root string) sarifLocation {
	if r.Name == standardInput {
		return sarifLocation{Logical: []sarifLogical{{standardInput}}}
	}
	_, line, col := placeOf(r, root)
	return sarifIn(r.Name, root, history.Pos{Line: line, Col: col})
}

func sarifIn(name, root string, at history.Pos) sarifLocation {
	p := &sarifPhysical{}
	path := relative(name, root)
	p.Artifact.URI = (&url.URL{Path: path}).String() // with ./ before a name that has a colon
	switch {
	case filepath.IsAbs(filepath.FromSlash(path)):
		p.Artifact.URI = (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
	case root != "":
		p.Artifact.Base = "%SRCROOT%"
	}
	if at.Line > 0 {
		p.Region = &sarifRegion{at.Line, at.Col}
	}
	return sarifLocation{Physical: p}
}

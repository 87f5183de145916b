package theory

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Read reads a theory file and checks all that can be checked without running
// anything: fields, types, names, formulas against the declared methods, and
// each drawing against its formula and weight. The file name is for messages
// only. An error in the text is a *history.ParseError, "file:line:col: what is
// wrong". Fields whose names start with "x-" are allowed anywhere and not kept.
func Read(r io.Reader, file string) (*Theory, error) {
	d := &decoder{file: file}
	root, err := d.read(r)
	if err != nil {
		return nil, err
	}
	t := d.theory(root)
	if d.err != nil {
		return nil, d.err
	}
	return t, nil
}

// Bounds on what is read, all far beyond what people write and inference finds.
const (
	maxText  = 4 << 20 // bytes of a file
	maxItems = 1000    // entries of a list
	maxParts = 500_000 // of all formulas, their predicates written out
	maxArity = 32      // values that an operation takes, or returns
	maxDrawn = 32      // operations of a drawing, and so those that take effect together
)

// read reads a file, and parses it as a single YAML document.
func (d *decoder) read(r io.Reader) (*yaml.Node, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("theory: read %s: %w", d.file, err)
	case len(text) > maxText:
		d.failAt(1, 1, fmt.Sprintf("not a theory file: it is longer than %d MiB", maxText>>20))
		return nil, d.err
	}
	d.src = newSource(string(text))
	return d.document(string(text)), d.err
}

// document parses the text as a single YAML document.
func (d *decoder) document(text string) *yaml.Node {
	var doc, more yaml.Node
	dec := yaml.NewDecoder(strings.NewReader(text))
	err := dec.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		d.failAt(1, 1, "not a theory file: it is empty")
		return nil
	case err != nil:
		d.syntax(err)
		return nil
	}
	switch err := dec.Decode(&more); {
	case err == nil:
		d.fail(&more, "a theory file has one YAML document; a second one starts here")
	case !errors.Is(err, io.EOF):
		d.syntax(err)
	}
	return doc.Content[0]
}

var (
	yamlErrorRE = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)
	noAnchorRE  = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
)

// syntax reports an error of the YAML parser. It knows lines only, counts them
// from 0 when grammar is concerned, and leaves out line 0 and those of aliases.
func (d *decoder) syntax(err error) {
	msg, line := err.Error(), 0
	if m := yamlErrorRE.FindStringSubmatch(strings.ReplaceAll(msg, "\n", " ")); m != nil {
		msg = m[2]
		line, _ = strconv.Atoi(m[1])
	}
	if strings.HasPrefix(msg, "did not find expected") {
		line++
	}
	if m := noAnchorRE.FindStringSubmatch(msg); m != nil {
		line = 1 + slices.IndexFunc(d.src, func(l string) bool { return strings.Contains(l, "*"+m[1]) })
	}
	d.failAt(line, 1, "not YAML: "+msg)
}

// theory reads the whole file. The head comes first, so that other files are
// refused for what they are.
func (d *decoder) theory(root *yaml.Node) *Theory {
	t := &Theory{}
	d.head(root)
	d.plain(root)
	if d.err != nil {
		return t
	}
	ignore := func(*yaml.Node) {}
	d.object(root, "a theory",
		required("apiVersion", ignore),
		required("kind", ignore),
		required("metadata", func(n *yaml.Node) {
			d.object(n, "metadata", required("name", func(n *yaml.Node) { t.Name = d.line(n, "a theory's name") }))
		}),
		required("spec", func(n *yaml.Node) { t.Spec = d.spec(n) }),
		optional("status", func(n *yaml.Node) { t.Status = d.status(n) }),
	)
	return t
}

// theoryKind is the kind of every theory file.
const theoryKind = "Theory"

// head checks apiVersion and kind.
func (d *decoder) head(root *yaml.Node) {
	want := fmt.Sprintf("not a theory file: it must start with \"apiVersion: %s\" and \"kind: %s\"", APIVersion, theoryKind)
	if root.Kind != yaml.MappingNode {
		d.fail(root, "%s", want)
		return
	}
	head := map[string]*yaml.Node{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		head[root.Content[i].Value] = root.Content[i+1]
	}
	version, kind := head["apiVersion"], head["kind"]
	switch {
	case version == nil && kind == nil:
		d.fail(root, "%s", want)
	case version == nil || kind == nil:
		return // object names the missing field
	case kind.Value != theoryKind:
		d.fail(kind, "not a theory file: its kind is %s, not %q", kindOf(kind), theoryKind)
	case version.Value != APIVersion:
		d.fail(version, "apiVersion is %s; this program reads %q", kindOf(version), APIVersion)
	}
}

func (d *decoder) status(n *yaml.Node) (s Status) {
	d.object(n, "status",
		optional("synthesis", func(n *yaml.Node) { s.Synthesis = d.synthesis(n) }),
		required("strategy", func(n *yaml.Node) { s.Strategy = d.word(n, "strategy", "frontier", "literal") }),
		required("faithful", func(n *yaml.Node) { s.Faithful = d.check(n, "faithful") }),
		required("normal", func(n *yaml.Node) { s.Normal = d.check(n, "normal") }),
		required("weights", func(n *yaml.Node) {
			d.list(n, "weights", func(n *yaml.Node) { s.Weights = append(s.Weights, d.weight(n)) })
		}),
		required("crossCheck", func(n *yaml.Node) { s.CrossCheck = d.crossCheck(n) }),
		optional("beyond", func(n *yaml.Node) { s.Beyond = d.check(n, "beyond") }),
		optional("longRuns", func(n *yaml.Node) { s.LongRuns = d.longRuns(n) }),
		optional("mutants", func(n *yaml.Node) { s.Mutants = d.mutants(n) }),
		optional("notCovered", func(n *yaml.Node) { s.NotCovered = d.lines(n, "notCovered") }),
		optional("forced", func(n *yaml.Node) { s.Forced = d.truth(n, "forced") }),
	)
	return s
}

func (d *decoder) synthesis(n *yaml.Node) *Synthesis {
	s := &Synthesis{}
	d.object(n, "synthesis",
		d.count("languages", &s.Languages),
		d.count("length", &s.Length),
		d.count("executions", &s.Executions),
		d.count("pairs", &s.Pairs),
	)
	return s
}

func (d *decoder) check(n *yaml.Node, what string) (c Check) {
	d.object(n, what,
		d.count("length", &c.Length),
		d.count("executions", &c.Executions),
		required("holds", func(n *yaml.Node) { c.Holds = d.truth(n, "holds") }),
		optional("witness", func(n *yaml.Node) { c.Witness = d.text(n, "witness") }),
	)
	return c
}

func (d *decoder) weight(n *yaml.Node) (w WeightStatus) {
	d.object(n, "a weight's status",
		d.count("weight", &w.Weight),
		d.count("candidates", &w.Candidates),
		d.count("admitted", &w.Admitted),
		d.count("new", &w.New),
	)
	return w
}

func (d *decoder) crossCheck(n *yaml.Node) (c CrossCheck) {
	d.object(n, "crossCheck",
		d.count("length", &c.Length),
		d.count("histories", &c.Histories),
		d.count("admitted", &c.Admitted),
		d.count("falseAlarms", &c.FalseAlarms),
		d.count("missed", &c.Missed),
	)
	return c
}

// count is a required field with a number that is not negative.
func (d *decoder) count(name string, to *int) field {
	return required(name, func(n *yaml.Node) { *to = d.number(n, name, 0) })
}

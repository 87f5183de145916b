package theory

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// Write writes the theory file. The same theory gives the same bytes, and what
// Read reads from them is written as the same bytes again: fields in a fixed
// order, formulas in canonical form, nothing about when or where. The bytes go
// to w in one call.
func Write(w io.Writer, t *Theory) error {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(theoryNode(t)); err != nil {
		return fmt.Errorf("theory: write %s: %w", t.Name, err)
	}
	if err := enc.Close(); err != nil {
		return fmt.Errorf("theory: write %s: %w", t.Name, err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("theory: write %s: %w", t.Name, err)
	}
	return nil
}

// Validate says what Read would refuse in the file that Write makes of the
// theory; the error's position is one of that file.
func (t *Theory) Validate() error {
	var b bytes.Buffer
	if err := Write(&b, t); err != nil {
		return err
	}
	_, err := Read(&b, t.Name)
	return err
}

// formulaWidth is the number of columns a formula may take in the file.
const formulaWidth = 100

func theoryNode(t *Theory) *yaml.Node {
	m := mapping(
		"apiVersion", str(APIVersion),
		"kind", str(theoryKind),
		"metadata", mapping("name", str(t.Name)),
		"spec", specNode(&t.Spec),
	)
	if s := &t.Status; s.Strategy != "" {
		add(m, "status", statusNode(s))
	}
	return m
}

func specNode(s *Spec) *yaml.Node {
	m := mapping("width", num(s.Width), "methods", sequence(s.Methods, methodNode))
	addScheme(m, s)
	if len(s.Beyond) > 0 {
		add(m, "beyond", sequence(s.Beyond, ruleNode))
	}
	if len(s.Axioms) > 0 {
		add(m, "axioms", sequence(s.Axioms, ruleNode))
	}
	if len(s.Patterns) > 0 {
		add(m, "patterns", sequence(s.Patterns, patternNode))
	}
	return m
}

// addScheme adds what a scheme file has, too.
func addScheme(m *yaml.Node, s *Spec) {
	if len(s.Language) > 0 {
		add(m, "language", sequence(s.Language, ruleNode))
	}
	if len(s.Predicates) > 0 {
		add(m, "predicates", sequence(s.Predicates, predicateNode))
	}
	add(m, "matching", matchingNode(&s.Matching))
}

func methodNode(t history.MethodSig) *yaml.Node {
	m := mapping("name", str(t.Name), "args", num(t.Args), "outcomes", flow(sequence(t.Outcomes, outcomeNode)))
	if len(t.Aliases) > 0 {
		add(m, "aliases", flow(sequence(t.Aliases, str)))
	}
	return m
}

func outcomeNode(o history.OutcomeSig) *yaml.Node {
	m := mapping("outcome", str(string(o.Outcome)))
	if o.Rets > 0 {
		add(m, "returns", num(o.Rets))
	}
	return flow(m)
}

func ruleNode(r Rule) *yaml.Node {
	m := mapping("name", str(r.Name))
	if r.Reading != "" {
		add(m, "reading", str(r.Reading))
	}
	return add(m, "formula", formulaNode(r.Formula))
}

func predicateNode(p formula.Predicate) *yaml.Node {
	return mapping(
		"name", str(p.Name),
		"params", flow(sequence(p.Params, str)),
		"formula", formulaNode(p.Body),
	)
}

// modes are the words for matching schemes that are not, and are, Past.
var modes = map[bool]string{false: "timeless", true: "past"}

func matchingNode(m *Matching) *yaml.Node {
	readOnly := m.ReadOnly
	if readOnly == nil {
		readOnly = formula.Const(false)
	}
	return mapping(
		"mode", str(modes[m.Past]),
		"target", sequence(m.Target, formulaNode),
		"readonly", formulaNode(readOnly),
	)
}

func patternNode(p Pattern) *yaml.Node {
	m := mapping("name", str(p.Name), "weight", num(p.Weight))
	if p.Group != "" {
		add(m, "group", str(p.Group))
	}
	if p.Reading != "" {
		add(m, "reading", str(p.Reading))
	}
	drawing, f := p.Drawing, p.Formula
	if strings.TrimSpace(drawing) == "" {
		drawing = history.Draw(&p.History, nil)
	}
	if f == nil {
		f = formula.Simplify(formula.Embed(&p.History))
	}
	add(m, "drawing", str(tidy(drawing)))
	return add(m, "formula", formulaNode(f))
}

// tidy makes a drawing fit for a literal block: no blanks at the ends of
// lines, no empty lines, one line break at the end.
func tidy(drawing string) string {
	var lines []string
	for _, l := range strings.Split(drawing, "\n") {
		if l = strings.TrimRight(l, " \t\r"); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func statusNode(s *Status) *yaml.Node {
	m := mapping(
		"strategy", str(s.Strategy),
		"faithful", checkNode(&s.Faithful),
		"normal", checkNode(&s.Normal),
		"weights", sequence(s.Weights, weightNode),
		"crossCheck", mapping(
			"length", num(s.CrossCheck.Length),
			"histories", num(s.CrossCheck.Histories),
			"admitted", num(s.CrossCheck.Admitted),
			"falseAlarms", num(s.CrossCheck.FalseAlarms),
			"missed", num(s.CrossCheck.Missed),
		),
	)
	if y := s.Synthesis; y != nil {
		add(m, "synthesis", mapping(
			"languages", num(y.Languages),
			"length", num(y.Length),
			"executions", num(y.Executions),
			"pairs", num(y.Pairs),
		))
	}
	if s.Beyond.Executions > 0 {
		add(m, "beyond", checkNode(&s.Beyond))
	}
	if s.LongRuns != nil {
		add(m, "longRuns", longRunsNode(s.LongRuns))
	}
	if s.Mutants != nil {
		add(m, "mutants", mutantsNode(s.Mutants))
	}
	if len(s.NotCovered) > 0 {
		add(m, "notCovered", sequence(s.NotCovered, str))
	}
	if s.Forced {
		add(m, "forced", truth(true))
	}
	return m
}

func checkNode(c *Check) *yaml.Node {
	m := mapping("length", num(c.Length), "executions", num(c.Executions), "holds", truth(c.Holds))
	if c.Witness != "" {
		add(m, "witness", str(c.Witness))
	}
	return m
}

func weightNode(w WeightStatus) *yaml.Node {
	return flow(mapping(
		"weight", num(w.Weight),
		"candidates", num(w.Candidates),
		"admitted", num(w.Admitted),
		"new", num(w.New),
	))
}

// formulaNode is a formula on one line if it fits, else as a literal block.
func formulaNode(f formula.Formula) *yaml.Node {
	if f == nil {
		return str("")
	}
	if s := formula.String(f); len(s) <= formulaWidth {
		return str(s)
	}
	return str(formula.Pretty(f, formulaWidth) + "\n")
}

// mapping builds a mapping from names and nodes in turn.
func mapping(pairs ...any) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i < len(pairs); i += 2 {
		add(m, pairs[i].(string), pairs[i+1].(*yaml.Node))
	}
	return m
}

func add(m *yaml.Node, name string, value *yaml.Node) *yaml.Node {
	m.Content = append(m.Content, str(name), value)
	return m
}

func sequence[T any](items []T, node func(T) *yaml.Node) *yaml.Node {
	s := &yaml.Node{Kind: yaml.SequenceNode}
	for _, it := range items {
		s.Content = append(s.Content, node(it))
	}
	if len(items) == 0 {
		s.Style = yaml.FlowStyle
	}
	return s
}

func flow(n *yaml.Node) *yaml.Node {
	n.Style = yaml.FlowStyle
	return n
}

func num(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(n)}
}

func truth(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(b)}
}

// oldWords are booleans in YAML 1.1 and a merge key in yaml.v3: quoted, so that
// every reader takes them for strings. The library quotes the others.
var oldWords = []string{"y", "n", "yes", "no", "on", "off", "<<"}

func str(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case strings.Contains(s, "\n"):
		n.Style = yaml.LiteralStyle
	case slices.Contains(oldWords, strings.ToLower(s)):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

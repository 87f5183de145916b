package theory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
)

// Write writes the theory file. The same theory gives the same bytes, and what
// Read reads from them is written as the same bytes again: fields in a fixed
// order, formulas in canonical form, nothing about when or where. The bytes go
// to w in one call.
func Write(w io.Writer, t *Theory) error { return write(w, t.Name, t.head(), theoryForm.node(t)) }

// WriteScheme writes the part of a spec that ReadScheme reads.
func WriteScheme(w io.Writer, s *Spec) error { return write(w, "scheme", "", schemeForm.node(s)) }

func write(w io.Writer, name, head string, n *node) error {
	b := *bytes.NewBufferString(head)
	enc := newEncoder(&b)
	if err := errors.Join(enc.Encode(n), enc.Close()); err != nil {
		return fmt.Errorf("theory: write %s: %w", name, err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("theory: write %s: %w", name, err)
	}
	return nil
}

// formulaWidth is the number of columns a formula may take in the file.
const formulaWidth = 100

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

// formulaNode is a formula on one line if it fits, else as a literal block.
func formulaNode(f formula.Formula) *node {
	if f == nil {
		return str("")
	}
	if s := formula.String(f); len(s) <= formulaWidth {
		return str(s)
	}
	return str(formula.Pretty(f, formulaWidth) + "\n")
}

func num(n int) *node {
	return &node{Kind: scalarNode, Tag: "!!int", Value: strconv.Itoa(n)}
}

func boolean(b bool) *node {
	return &node{Kind: scalarNode, Tag: "!!bool", Value: strconv.FormatBool(b)}
}

// oldWords are booleans in YAML 1.1 and a merge key in yaml.v3: quoted, so that
// every reader takes them for strings. The library quotes the others.
var oldWords = []string{"y", "n", "yes", "no", "on", "off", "<<"}

func str(s string) *node {
	n := &node{Kind: scalarNode, Tag: "!!str", Value: s}
	switch {
	case strings.Contains(s, "\n"):
		n.Style = literalStyle
	case slices.Contains(oldWords, strings.ToLower(s)):
		n.Style = doubleQuotedStyle
	}
	return n
}

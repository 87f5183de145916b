package theory

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
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
	t := &Theory{Spec: newSpec()}
	d.spec = &t.Spec
	d.head(root) // first, so that other files are refused for what they are
	if d.plain(root); d.err == nil {
		theoryForm.read(d, root, t)
	}
	if d.err != nil {
		return nil, d.err
	}
	return t, nil
}

// ReadScheme reads a scheme file: the language, predicates and matching fields
// of a theory's spec, and no others, each optional. They replace those of base,
// whose methods the formulas may speak of; a matching's mode stays as it is in
// base unless given. Errors are as those of Read.
func ReadScheme(r io.Reader, file string, base Spec) (Spec, error) {
	d := &decoder{file: file, spec: &base}
	root, err := d.read(r)
	if err != nil {
		return base, err
	}
	if d.plain(root); d.err == nil {
		schemeForm.read(d, root, &base)
	}
	return base, d.err
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
func (d *decoder) read(r io.Reader) (*node, error) {
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
func (d *decoder) document(text string) *node {
	var doc, more node
	dec := newDecoder(strings.NewReader(text))
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
	yamlErrorRE = wording.Regexp(`^yaml: (?:line (\d+): )?(.*)`)
	noAnchorRE  = wording.Regexp(`^unknown anchor '(.*)' referenced`)
)

// syntax reports an error of the YAML parser. It knows lines only, counts them
// from 0 when grammar is concerned, and leaves out line 0 and those of aliases.
func (d *decoder) syntax(err error) {
	msg, line := err.Error(), 0
	if m := yamlErrorRE().FindStringSubmatch(strings.ReplaceAll(msg, "\n", " ")); m != nil {
		msg = m[2]
		line, _ = strconv.Atoi(m[1])
	}
	if strings.HasPrefix(msg, "did not find expected") {
		line++
	}
	if m := noAnchorRE().FindStringSubmatch(msg); m != nil {
		line = 1 + slices.IndexFunc(d.src, func(l string) bool { return strings.Contains(l, "*"+m[1]) })
	}
	d.failAt(line, 1, "not YAML: "+msg)
}

// theoryKind is the kind of every theory file.
const theoryKind = "Theory"

// head checks apiVersion and kind.
func (d *decoder) head(root *node) {
	want := fmt.Sprintf("not a theory file: it must start with \"apiVersion: %s\" and \"kind: %s\"", APIVersion, theoryKind)
	if root.Kind != mappingNode {
		d.fail(root, "%s", want)
		return
	}
	version, kind := valueOf(root, "apiVersion"), valueOf(root, "kind")
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

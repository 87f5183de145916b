package theory

import (
	"bytes"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// ReadScheme reads a scheme file: the language, predicates and matching fields
// of a theory's spec, and no others, each optional. They replace those of base,
// whose methods the formulas may speak of; a matching's mode stays as it is in
// base unless given. Errors are as those of Read.
func ReadScheme(r io.Reader, file string, base Spec) (Spec, error) {
	d := &decoder{file: file}
	root, err := d.read(r)
	if err != nil {
		return base, err
	}
	if d.plain(root); d.err != nil {
		return base, d.err
	}
	s := &specDecoder{decoder: d, spec: base, seen: map[string]map[string]int{}}
	s.object(root, "a scheme",
		optional("predicates", func(n *yaml.Node) {
			s.spec.Predicates = nil
			s.list(n, "predicates", s.predicate)
		}),
		optional("language", func(n *yaml.Node) {
			s.spec.Language = nil
			s.list(n, "language", func(n *yaml.Node) {
				s.spec.Language = append(s.spec.Language, s.rule(n, "rule of the language"))
			})
		}),
		optional("matching", func(n *yaml.Node) {
			s.spec.Matching.Target = nil
			s.matching(n)
		}),
	)
	return s.spec, d.err
}

// WriteScheme writes the part of a spec that ReadScheme reads.
func WriteScheme(w io.Writer, s *Spec) error {
	m := mapping()
	addScheme(m, s)
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(m); err != nil {
		return fmt.Errorf("theory: write scheme: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

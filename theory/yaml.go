package theory

import (
	"io"

	"gopkg.in/yaml.v3"
)

// This file is where the module imports YAML.

type node = yaml.Node

const (
	mappingNode  = yaml.MappingNode
	sequenceNode = yaml.SequenceNode
	scalarNode   = yaml.ScalarNode
	aliasNode    = yaml.AliasNode

	flowStyle         = yaml.FlowStyle
	literalStyle      = yaml.LiteralStyle
	taggedStyle       = yaml.TaggedStyle
	singleQuotedStyle = yaml.SingleQuotedStyle
	doubleQuotedStyle = yaml.DoubleQuotedStyle
)

func newDecoder(r io.Reader) *yaml.Decoder { return yaml.NewDecoder(r) }

// newEncoder indents by two blanks.
func newEncoder(w io.Writer) *yaml.Encoder {
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	return e
}

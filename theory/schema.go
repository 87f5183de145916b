package theory

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of the theory file, for editors and
// other programs. It describes the form alone: names, formulas and drawings
// that contradict each other pass it, and Read refuses them.
func Schema() []byte { return slices.Clone(schema) }

package theory

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate checks a theory file against the schema.
func validate(s *jsonschema.Schema, text string) error {
	var v any
	if err := newDecoder(strings.NewReader(text)).Decode(&v); err != nil {
		return err
	}
	return s.Validate(v)
}

func TestSchemaAcceptsTheories(t *testing.T) {
	s := compiledSchema(t)
	byHand, err := os.ReadFile("testdata/byhand.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"queue": written(t, queue(t)), "handwritten": written(t, handWritten(t)), "model": written(t, model()), "store": written(t, store(t)), "limited": written(t, limited(t)), "byhand": string(byHand),
	} {
		if err := validate(s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchemaRefusesTypos: the schema refuses exactly those hand-edits that are
// marked as mistakes of form; the others are YAML's (duplicate keys, anchors)
// or Read's own (names, formulas, drawings).
func TestSchemaRefusesTypos(t *testing.T) {
	s := compiledSchema(t)
	for text, typos := range map[string][]typo{
		typosBase(t): typos, written(t, model()): modelTypos, written(t, store(t)): storeTypos, written(t, limited(t)): limitedTypos,
	} {
		for _, tt := range typos {
			var v any
			edited := strings.Replace(text, tt.old, tt.new, 1)
			if newDecoder(strings.NewReader(edited)).Decode(&v) != nil {
				continue
			}
			if refused := s.Validate(v) != nil; refused != tt.schema {
				t.Errorf("%s: refused by the schema: %v", tt.name, refused)
			}
		}
	}
}

// TestSchema: the schema is the one that editors know.
func TestSchema(t *testing.T) { golden(t, "schema.json", string(Schema())) }

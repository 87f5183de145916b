package theories

import (
	"embed"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

//go:embed *.theory.yaml
var files embed.FS

const suffix = ".theory.yaml"

// Names lists the theories in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("theories: embedded files: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), suffix))
	}
	return names
}

// Load reads the theory of a name. The caller owns the result.
func Load(name string) (*theory.Theory, error) {
	f, err := files.Open(name + suffix)
	if err != nil {
		return nil, fmt.Errorf("theories: no theory %q%s", name, wording.Hint(name, Names()))
	}
	defer f.Close()
	return theory.Read(f, name+suffix)
}

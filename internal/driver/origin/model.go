// Package origin is about where a reference comes from: how a theory names the
// reference that it is, the hash of a reference's source, and how a package is
// found again by its name, within the user's module and never elsewhere.
//
//	src, err := origin.Of(ctx, dir)               // of the package in a directory
//	found, err := origin.Find(ctx, m, dirs...)    // of the package that a theory names
//	text, err := origin.OfFuncs(ctx, queue.New)   // of functions of this program
//
//	Model   how a theory names its reference
//	Trial   what calls of it have shown
//	Source  the source of a package: its hash and the version of Go
package origin

import (
	"fmt"

	"github.com/adtinfer/adtinfer/internal/driver/states"
)

// Model is a reference that is the specification itself, of a data type for which
// no patterns were found. Checking runs it.
type Model struct {
	Package string   `json:"package"`        // its import path, within the module of those who use the theory
	Type    string   `json:"type,omitempty"` // the type, constructor or Spec; "": what the theory says of New tells
	TypeArg string   `json:"typeArg,omitempty"`
	Skip    []string `json:"skip,omitempty"`
	Source  string   `json:"source"` // "sha256:" and the hash of its source files and of those it imports from its module
	Go      string   `json:"go"`     // the version of Go with which it was tried
}

// Trial is what calls of a Model have shown.
type Trial struct {
	Why           string       `json:"why,omitempty"` // there are no patterns; "": none were looked for
	Sequences     int          `json:"sequences"`
	Calls         int          `json:"calls"` // of all sequences
	Deterministic bool         `json:"deterministic"`
	States        *states.Kept `json:"states,omitempty"` // how checking keeps its states; nil: that was not found out
	Kinds         []string     `json:"kinds"`            // for each kind that was seen, the shortest sequence that ends in it
	Examples      []string     `json:"examples"`         // long sequences
}

// NoPatterns is the error of what needs patterns, or axioms, and gets the theory of
// a model; do says what to do instead.
func (m *Model) NoPatterns(theory, who, do string) error {
	return fmt.Errorf("theory %s is the reference %s itself and has no patterns, without which %s knows nothing of it; %s", theory, m.Package, who, do)
}

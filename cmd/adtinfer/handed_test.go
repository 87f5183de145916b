package main

import (
	"io"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/schedule"
)

// TestHanded has explore look into failures of adttest: one that it shows, one that it does not have, and one whose package it
// does not take.
func TestHanded(t *testing.T) {
	for impl, want := range map[string]string{
		"../../examples/wrong/lostupdate": "(in 2 goroutines with 2 operations each over 1 value)",
		"../../examples/treiber":          "something that explore does not model",
		"./nowhere":                       "nowhere",
	} {
		f := &schedule.Failure{Output: "adttest: no\n", Explore: []string{"adtinfer", "explore", "--impl", impl, "-n", "2", "-k", "2", "-d", "1", "--timeout", "1m"}}
		(&tester{io: streams{out: io.Discard, err: io.Discard}.watched()}).handed(t.Context(), f, ".")
		head, said, ok := strings.Cut(f.Output, "\n\nevery interleaving within these bounds, by adtinfer explore:\n\n")
		if !ok || head != "adttest: no" || !strings.Contains(said, want) {
			t.Errorf("%s: %s", impl, f.Output)
		}
	}
	f := &schedule.Failure{Output: "no command"}
	if (&tester{}).handed(t.Context(), f, "."); f.Output != "no command" {
		t.Error(f.Output)
	}
}

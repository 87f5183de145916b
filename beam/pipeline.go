package logbeam

import "github.com/apache/beam/sdks/v2/go/pkg/beam"

// Check checks the logs that patterns name: a Report for each, or for each object of
// one, and what could not be checked. The theory is a PCollection with one []byte, the
// text of a theory file.
func Check(s beam.Scope, theory beam.PCollection, patterns []string, o Options) (reports, left beam.PCollection) {
	s = s.Scope("logbeam.Check")
	events, summaries := Events(s, theory, Blocks(s, patterns, o), o)
	found, some := Parts(s, theory, events, o)
	reports, others := Merge(s, found, summaries)
	return reports, beam.Flatten(s, some, others)
}

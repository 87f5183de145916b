//go:build go1.21

// Package objects copies the objects of references and writes them as text. Like
// package driver it is laid over users' modules as source text, and imports the
// standard library alone.
//
//	w := objects.NewWorld()
//	twin, err := w.Copy(t, p)            // shares nothing with p that a call could write to
//	text, err := w.Text(nil, t, p, mode) // equal texts: equal objects
//	words := objects.Show(t, p)          // for people
//
//	World     what is known of types, and which things objects share by right
//	Refusal   what stands in the way of a copy or a text, and where
//
// A copy has the shape of its original: pointers, slices and maps that shared
// something before share its copy, and pointers into the middle of something
// point there again. An object is a pointer to a variable and that variable's
// type; all memory that it leads to is found first (graph.go), as regions that do
// not overlap, then each region is copied, then the pointers in the copies are
// moved (copy.go). What cannot be copied so that nobody sees a difference is
// refused: channels, functions that hold variables, addresses kept as numbers.
package objects

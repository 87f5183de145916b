// Package out renders theories for people and programs.
//
//	err := out.Text(os.Stdout, t, out.Plain)   // what adtinfer infer prints
//	err = out.Markdown(file, t)                // for review in a pull request
//	err = out.JSON(os.Stdout, t)               // for programs
//
//	theory            Text, Markdown, JSON
//	automaton         SVG
//	matching scheme   Scheme, SchemeJSON
//	verdict on a log  VerdictText, VerdictJSON, GitHub
//	verdicts on many  JUnit, SARIF, Summary
//	explanation       ExplanationText
//
// All of them show the same patterns and the same figures, and write the same
// bytes for the same theory. The text and the Markdown show patterns by group
// (patterns that are one reason at different stages), the JSON in the theory's
// order. Errors are those of the writer.
package out

// # Directives
//
// ParseStatement reads the directives of linearization policies: comments that begin with
// //lin:, see docs/policies.md for the language.
//
//	s, wrong := ParseStatement("//lin: in start if v == e: contains(e) = false; goto helped", 6)
//
//	Statement   a directive in a body: a guard and acts
//	Act         what it does, of a Kind
//	Receive     a rule by which an operation receives a message; its Params
//	Piece       a part of a comment, with its place there
//	Error       what is wrong, with its place
//
// Around and Preceding say where one stands and whether it may, Terminates whether what is behind a statement is
// reached. What names and expressions mean is for package source to find out.
package source

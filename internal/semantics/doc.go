// Package semantics is the room of what theories mean, in packages below it: what a formula
// looks at, axioms as automata, patterns as facts about a log, automata run on logs. It
// knows no engine: evidence/verify uses it, as do theory, matching, the engines, check and describe.
package semantics

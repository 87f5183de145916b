// Package testing is the room of what only tests use, in packages below it: sample sizes,
// random types and executions, the golden table of ordinary packages, slow engines. Of the
// product only cmd/experiments uses it.
package testing

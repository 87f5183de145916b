// Package terminal tells terminals from files, and shows on one how far long work has come.
//
//	p := terminal.NewProgress(os.Stderr)
//	defer p.Done()
//	p.Step("building the reference")
package terminal

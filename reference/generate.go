package reference

import "fmt"

// mainFile is the program around an importable package. Language and library
// are old on purpose: the user's go.mod decides what may be used.
func (s *selection) mainFile(p *listed, driverPath string) string {
	return fmt.Sprintf(`package main

import (
	"fmt"
	"os"

	ref %q
%s)

func main() {
%s}
`, p.ImportPath, s.driverImport(driverPath), s.body("ref."))
}

// testFile is the program inside a package that cannot be imported: its own test.
func (s *selection) testFile(p *listed, driverPath string) string {
	return fmt.Sprintf(`package %s

import (
	"fmt"
	"os"
	"testing"

%s)

func TestMain(*testing.M) {
%s}
`, p.Name, s.driverImport(driverPath), s.body(""))
}

// driverImport is needed without a Spec; with one, the user's package brings
// our code along.
func (s *selection) driverImport(path string) string {
	if s.isSpec {
		return ""
	}
	return fmt.Sprintf("\tadtinferdriver %q\n", path)
}

// body talks on the real standard input and output and keeps the package away
// from both.
func (s *selection) body(qualifier string) string {
	serve := s.expression(qualifier) + ".Serve(in, out)"
	if !s.isSpec {
		serve = fmt.Sprintf("adtinferdriver.Serve(adtinferdriver.Object{New: %s}, in, out)", s.expression(qualifier))
	}
	return fmt.Sprintf(`	in, out := os.Stdin, os.Stdout
	os.Stdin, _ = os.Open(os.DevNull)
	os.Stdout = os.Stderr
	if err := %s; err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
`, serve)
}

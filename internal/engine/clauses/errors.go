package clauses

import "fmt"

// Unsupported is the error of a theory outside the fragment that the package
// comment describes. Engines that ground formulas can use the theory.
type Unsupported struct {
	Theory string
	What   string // the part of the theory: "pattern two-adds"
	Why    string
}

func (e *Unsupported) Error() string {
	return fmt.Sprintf("check: theory %s cannot be turned into clauses: %s: %s", e.Theory, e.What, e.Why)
}

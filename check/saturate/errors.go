package saturate

import "fmt"

// Unsupported is the error of a theory outside the fragment that can be
// saturated. Other engines can use the theory.
type Unsupported struct {
	Theory string
	What   string // the part of the theory: "pattern two-adds"
	Why    string
}

func (e *Unsupported) Error() string {
	return fmt.Sprintf("check: saturate cannot use the theory %s: %s: %s", e.Theory, e.What, e.Why)
}

package matching

import "fmt"

// Unsupported is the error of a scheme or a reference that has no model: the
// user can do something about it, but it is no witness against the data type.
type Unsupported struct{ Reason string }

func (u *Unsupported) Error() string { return "matching: " + u.Reason }

func unsupported(format string, args ...any) error {
	return &Unsupported{fmt.Sprintf(format, args...)}
}

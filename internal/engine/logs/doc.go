// Package logs has what all engines ask of a log: labels as the theory has them, which
// operations overlap, and the shortest violating prefix.
//
// Search finds the shortest violating prefix of an execution, for engines
// that decide one prefix at a time.
//
//	r, err := Search(ctx, e, func(n int) (Answer, error) { ... })
//
// Labels finds the method and the outcome that a theory has for the label
// of an operation, or says in a user's words why there is none. All engines use it,
// so that they refuse the same labels in the same words.
package logs

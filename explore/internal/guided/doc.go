// Package guided searches an interleaving with exactly a given history: the same calls of
// the same goroutines, the same order of calls and returns, the same answers.
//
// A machine makes a call together with the first access to memory of its operation, and a return
// with the last one. What is called and returns says nothing to others, so a call may come
// any time before that, and a return any time after it. Hence a run of the machine has the
// history exactly if
//
//   - an operation begins only when all operations have ended that return before its call in
//     the history, and
//   - it ends with the answer that it has there.
//
// Then each call and return has a place among the steps, in the order of the history; Place finds
// it. Conversely, what an interleaving with this history does between its steps, moved together, is such a run.
//
//	found, err := guided.Search(ctx, guided.Problem{...})
//	events, err := guided.Place(events, history)
//
//	type      holds
//	Event     a call or return of a history
//	History   all of them, in order
//	Problem   a program, its history
//	Found     the moves, or why there are none
package guided

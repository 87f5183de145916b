// Package historytest is what tests compare algorithms on histories with: data
// types as plain functions, random executions of them, a search for
// linearizations that tries everything, and recorded logs whose verdicts are
// known.
//
//	s := historytest.Queue()
//	e := s.Execution(rand.New(rand.NewPCG(seed, 1)), 6, 3, 4)
//	want := s.Model.ShortestViolation(e) // 0 if e is linearizable
//
// It decides nothing cleverly and knows no engine. Tests import it, cmd/experiments and
// cmd/experiments/internal/corpus.
//
//	Model      what a call may answer in a state; the search
//	Type       a model with its methods; random executions
//	Subject    a theory of the project with its type
//	Recording  a recorded log with its verdict
//	Log, Example, Theory
//	           logs and theory files, read or the test ends
//	Fatal      ends a test, keeps the log and says how to repeat it
package historytest

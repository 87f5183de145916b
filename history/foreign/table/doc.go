// Package table reads tables of operations: CSV and its like, and tables ruled with |. A row is an operation: when it was called
// and when it returned, its method, its arguments and its answer.
//
//	columns, err := table.ParseColumns("latency=-,key=arguments")
//	events, err := table.Read(src, "run.csv", columns)
//
// What columns hold is said by the first row, or by Columns; what cells mean is as clear as in a text log.
package table

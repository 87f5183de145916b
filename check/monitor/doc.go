// Package monitor decides the executions of common data types in near-linear time.
package monitor

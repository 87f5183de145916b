// Package record records what goroutines do with one object.
package record

// Package applog is a log that is only appended to.
package applog

import "errors"

// ErrRange says that nothing was written at an offset yet.
var ErrRange = errors.New("applog: offset out of range")

// Log is a list of entries.
type Log struct {
	entries []string
}

// Append adds an entry and returns its offset.
func (l *Log) Append(entry string) int {
	l.entries = append(l.entries, entry)
	return len(l.entries) - 1
}

// Read returns the entry at an offset.
func (l *Log) Read(offset int) (string, error) {
	if offset < 0 || offset >= len(l.entries) {
		return "", ErrRange
	}
	return l.entries[offset], nil
}

// Len returns the number of entries.
func (l *Log) Len() int {
	return len(l.entries)
}

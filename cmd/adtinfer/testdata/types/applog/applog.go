// Package applog is an append-only log.
package applog

import (
	"fmt"
	"sync"
)

// Log is empty at first.
type Log struct {
	mu      sync.Mutex
	entries []string
}

// New returns an empty log.
func New() *Log { return &Log{} }

// Append adds an entry and returns its offset.
func (l *Log) Append(entry string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entry)
	return len(l.entries) - 1
}

// Read returns the entry at an offset.
func (l *Log) Read(offset int) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if offset < 0 || offset >= len(l.entries) {
		return "", fmt.Errorf("no entry at offset %d", offset)
	}
	return l.entries[offset], nil
}

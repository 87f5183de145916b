// Package recovered divides by zero, and answers that as an error.
package recovered

import (
	"errors"
	"fmt"
	"sync"
)

// Divider divides a number.
type Divider struct {
	mu sync.Mutex
	v  int
}

var errOdd = errors.New("odd")

// Set writes the number.
func (d *Divider) Set(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.v = v
}

// Divide divides 10 by the number.
func (d *Divider) Divide() (q int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("failed: %v", r)
		}
	}()
	if d.v%2 == 1 {
		return 0, errOdd
	}
	return 10 / d.v, nil
}

package quota

import "fmt"

// Quota limits how many units each client may use until the next reset.
// Clients can be given their own limit.
type Quota struct {
	standard int
	limits   map[string]int
	used     map[string]int
}

// New returns a quota with a standard limit for every client.
func New(standard int) *Quota {
	return &Quota{standard: standard, limits: map[string]int{}, used: map[string]int{}}
}

func (q *Quota) limit(client string) int {
	if n, ok := q.limits[client]; ok {
		return n
	}
	return q.standard
}

// SetLimit gives a client its own limit.
func (q *Quota) SetLimit(client string, limit int) error {
	if limit < 0 {
		return fmt.Errorf("quota: negative limit %d", limit)
	}
	q.limits[client] = limit
	return nil
}

// Use consumes n units and returns the number left afterwards.
func (q *Quota) Use(client string, n int) (int, error) {
	left := q.Left(client)
	if n <= 0 {
		return left, fmt.Errorf("quota: cannot use %d units", n)
	}
	if n > left {
		return left, fmt.Errorf("quota: %s has only %d units left", client, left)
	}
	q.used[client] += n
	return left - n, nil
}

// Left returns the units a client may still use.
func (q *Quota) Left(client string) int {
	return max(0, q.limit(client)-q.used[client])
}

// Reset begins a new period. Own limits stay as they are.
func (q *Quota) Reset() { clear(q.used) }

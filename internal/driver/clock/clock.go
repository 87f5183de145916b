//go:build go1.21

// Package clock stands in for the clock and the timers of a reference:
// the loader lays it over the user's module, and calls it in place of packages time
// and context. What answers depend on shows, since two runs never have the same
// times. It imports only the standard library, like the driver.
//
// The clock is moved by being read, each time by another amount, from a nanosecond to
// months. It never stands still, so that what happened later is later.
package clock

import (
	"context"
	"math/rand"
	"os"
	"sync"
	"time"
)

// Modes, by the environment variable of this name: clocks jump, timers fire soon, too, or
// nothing of that.
const (
	Mode     = "ADTINFER_CLOCK"
	Restless = "restless"
	Still    = "still"
)

var (
	mu   sync.Mutex
	mode = os.Getenv(Mode)
	now  = time.Now()
	left = 200 * 365 * 24 * time.Hour // what the clock may still move: nanoseconds since 1970 are 64 bits
)

// soon is when a timer fires at the latest in restless runs. It is long enough for
// what is ready to be seen first.
const soon = 10 * time.Millisecond

// part is the share of what is left that one reading may take: a hundred thousand
// readings leave minutes to jump.
const part = 1 << 10

// Now reads the clock.
func Now() time.Time {
	mu.Lock()
	defer mu.Unlock()
	jump := time.Duration(1)
	if most := left / part; mode != Still && most > 1 && rand.Intn(4) > 0 {
		bits := 0
		for 1<<bits < most {
			bits++
		}
		jump = 1 << rand.Intn(bits)
	}
	move(jump)
	return now
}

func move(d time.Duration) {
	if d > 0 && d < left {
		left -= d
		now = now.Add(d)
	}
}

// Since is time.Since.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// Until is time.Until.
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// short is how long a timer really takes; the clock moves by the rest.
func short(d time.Duration) time.Duration {
	if mode != Restless || d <= soon {
		return d
	}
	mu.Lock()
	defer mu.Unlock()
	move(d)
	return soon
}

// Sleep is time.Sleep.
func Sleep(d time.Duration) { time.Sleep(short(d)) }

// After is time.After.
func After(d time.Duration) <-chan time.Time { return time.After(short(d)) }

// AfterFunc is time.AfterFunc.
func AfterFunc(d time.Duration, f func()) *time.Timer { return time.AfterFunc(short(d), f) }

// NewTimer is time.NewTimer.
func NewTimer(d time.Duration) *time.Timer { return time.NewTimer(short(d)) }

// Tick is time.Tick.
func Tick(d time.Duration) <-chan time.Time { return NewTicker(d).C }

// NewTicker is time.NewTicker, whose first ticks come soon.
func NewTicker(d time.Duration) *time.Ticker {
	t := time.NewTicker(short(d))
	if mode == Restless && d > soon {
		time.AfterFunc(5*soon, func() { t.Reset(d) })
	}
	return t
}

// WithTimeout is context.WithTimeout.
func WithTimeout(c context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(c, short(d))
}

// WithDeadline is context.WithDeadline, of a time that this clock shows.
func WithDeadline(c context.Context, t time.Time) (context.Context, context.CancelFunc) {
	return WithTimeout(c, Until(t))
}

// WithTimeoutCause is context.WithTimeoutCause.
func WithTimeoutCause(c context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(c, short(d), cause)
}

// WithDeadlineCause is context.WithDeadlineCause.
func WithDeadlineCause(c context.Context, t time.Time, cause error) (context.Context, context.CancelFunc) {
	return WithTimeoutCause(c, Until(t), cause)
}

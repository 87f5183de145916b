// Package sync is what sync is to the explorer. What has no body is an instruction.
package sync

type Locker interface {
	Lock()
	Unlock()
}

// Mutex is one word; see package ir.
type Mutex struct{ word uint64 }

func (m *Mutex) Lock()
func (m *Mutex) TryLock() bool
func (m *Mutex) Unlock()

// latch is a mutex that orders more than a Map promises.
type latch struct{ word uint64 }

func (l *latch) Lock()
func (l *latch) Unlock()

// RWMutex is two words; see package ir.
type RWMutex struct{ readers, writers uint64 }

func (m *RWMutex) Lock()
func (m *RWMutex) TryLock() bool
func (m *RWMutex) Unlock()
func (m *RWMutex) RLock()
func (m *RWMutex) TryRLock() bool
func (m *RWMutex) RUnlock()

func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }

// Cond is a word to wait at, and the lock.
type Cond struct {
	word uint64
	L    Locker
}

func NewCond(l Locker) *Cond { return &Cond{L: l} }

func enter(c *Cond)
func wait(c *Cond)

// Wait enters the queue first, so that a signal after the unlock finds it.
func (c *Cond) Wait() {
	enter(c)
	c.L.Unlock()
	wait(c)
	c.L.Lock()
}

func (c *Cond) Signal()
func (c *Cond) Broadcast()

// WaitGroup is the count.
type WaitGroup struct{ count int }

func (wg *WaitGroup) Add(delta int)
func (wg *WaitGroup) Wait()

func (wg *WaitGroup) Done() { wg.Add(-1) }

func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
}

package concurrent

import "sync"

// Bad has operations that must not be.
type Bad struct {
	mu sync.RWMutex
	wg sync.WaitGroup
	m  map[int]int
	s  []int
}

func NewBad() *Bad { return &Bad{m: map[int]int{}, s: make([]int, 2)} }

func (b *Bad) Write(x int) int {
	b.m[x] = x
	return 0
}

func (b *Bad) Read(x int) int { return b.m[x] }

func (b *Bad) Copy(x int) int { return copy(b.s, []int{x}) }

func (b *Bad) Grow(x int) int {
	s := append(b.s[:1], x)
	return len(s)
}

func (b *Bad) Crash(x int) int {
	go func() {
		var s []int
		s[x] = x
	}()
	return 0
}

func (b *Bad) Rescue(x int) int {
	ch := make(chan int)
	go func() {
		defer func() { ch <- recover().(int) }()
		panic(x)
	}()
	return <-ch
}

func (b *Bad) Unlock(int) int {
	defer func() { recover() }()
	b.mu.Unlock()
	return 0
}

func (b *Bad) RUnlock(int) int {
	b.mu.RUnlock()
	return 0
}

func (b *Bad) Done(int) int {
	b.wg.Done()
	return 0
}

// Again asks for a read lock twice: a writer that comes in between waits for ever.
func (b *Bad) Again(int) int {
	b.mu.RLock()
	b.mu.RLock()
	b.mu.RUnlock()
	b.mu.RUnlock()
	return 0
}

func (b *Bad) Lock(int) int {
	b.mu.Lock()
	b.mu.Unlock()
	return 0
}

func (b *Bad) Nothing(int) int {
	var ch chan int
	<-ch
	return 0
}

func (b *Bad) Alone(int) int {
	ch := make(chan int)
	ch <- 1
	return 0
}

// Started has a constructor that may do one thing or another.
type Started struct{ first int }

func NewStarted() *Started {
	s := &Started{}
	for k := range map[int]bool{1: true, 2: true} {
		s.first = k
		break
	}
	return s
}

func (s *Started) First() int { return s.first }

// Server has a constructor that starts goroutines, which serve requests.
type Server struct {
	ask chan request
	n   int
}

type request struct {
	add   int
	reply chan int
}

func NewServer() *Server {
	s := &Server{ask: make(chan request), n: 5}
	for range s.n - 3 {
		go s.serve(make(chan int, 1))
		s.check()
	}
	return s
}

func (s *Server) serve(mutex chan int) {
	for r := range s.ask {
		mutex <- 1
		r.reply <- r.add * 2
		<-mutex
	}
}

func (s *Server) check() {
	if s.n == 0 {
		panic("no number")
	}
}

// Change writes what the constructor reads while the goroutines are there: that is noted.
func (s *Server) Change(x int) int {
	s.n = x
	return 0
}

func (s *Server) Ask(x int) int {
	r := request{x, make(chan int)}
	s.ask <- r
	return <-r.reply
}

// Late has a constructor that goes on after it has started a goroutine that could see it.
type Late struct{ done chan int }

func NewLate() *Late {
	l := &Late{make(chan int, 1)}
	go func() { <-l.done }()
	l.done <- 1
	return l
}

func (l *Late) Len() int { return len(l.done) }

// Apart goes on with what its goroutine does not reach.
type Apart struct{ n int }

func NewApart() *Apart {
	a, done := &Apart{}, make(chan int, 1)
	go func() { <-done }()
	a.n = 1
	return a
}

func (a *Apart) Len() int { return a.n }

// Meets waits for its goroutine.
type Meets struct{ n int }

func NewMeets() *Meets {
	done := make(chan int)
	go func() { done <- 1 }()
	return &Meets{<-done}
}

func (m *Meets) Len() int { return m.n }

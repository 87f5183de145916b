// Package concurrent has small objects whose operations wait for each other. What the explorer
// finds that they may answer is compared with what they answer when they run.
package concurrent

// Meet is a channel without a buffer.
type Meet struct{ ch chan *int }

func NewMeet() *Meet { return &Meet{make(chan *int)} }

func (m *Meet) Give(x int) int {
	m.ch <- &x
	return 0
}

func (m *Meet) Take() int { return *<-m.ch }

// Try is a channel without a buffer that some operations do not wait for.
type Try struct{ ch chan int }

func NewTry() *Try { return &Try{make(chan int)} }

func (t *Try) Give(x int) int {
	t.ch <- x
	return 0
}

func (t *Try) Offer(x int) int {
	select {
	case t.ch <- x:
		return 1
	default:
		return 0
	}
}

func (t *Try) Poll() int {
	select {
	case x, ok := <-t.ch:
		if !ok {
			return -2
		}
		return x
	default:
		return -1
	}
}

func (t *Try) Take() int { return <-t.ch }

// Room is a channel with room for one.
type Room struct{ ch chan int }

func NewRoom() *Room { return &Room{make(chan int, 1)} }

func (r *Room) Put(x int) int {
	r.ch <- x
	return 0
}

func (r *Room) Take() int { return <-r.ch }

func (r *Room) Len() int { return len(r.ch) }

func (r *Room) TryPut(x int) int {
	select {
	case r.ch <- x:
		return 1
	default:
		return 0
	}
}

// Two is two channels, one with room.
type Two struct{ a, b chan int }

func NewTwo() *Two { return &Two{make(chan int), make(chan int, 1)} }

func (t *Two) Either(x int) int {
	select {
	case t.a <- x:
		return 1
	case t.b <- x:
		return 2
	case y := <-t.a:
		return 10 + y
	}
}

func (t *Two) Any() int {
	select {
	case x := <-t.a:
		return x
	case x := <-t.b:
		return 10 + x
	}
}

func (t *Two) Peek() int {
	select {
	case x := <-t.a:
		return x
	default:
		return -1
	}
}

// Shut is a channel that is closed.
type Shut struct{ ch chan int }

func NewShut() *Shut { return &Shut{make(chan int)} }

func (s *Shut) Close() (n int) {
	defer func() {
		if r := recover(); r != nil {
			n = -1
		}
	}()
	close(s.ch)
	return 1
}

func (s *Shut) Send(x int) (n int) {
	defer func() {
		if r := recover(); r != nil {
			n = -1
		}
	}()
	s.ch <- x
	return 1
}

func (s *Shut) Take() int {
	x, ok := <-s.ch
	if !ok {
		return -1
	}
	return x
}

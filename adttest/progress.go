package adttest

import (
	"fmt"
	"sync"
	"time"
)

// How long an inference goes on before a test says what it is doing, and how often it says so.
var (
	quietFor  = 3 * time.Second
	sayAgain  = 10 * time.Second
	inferring = "adttest: inferring what the reference does, %v so far: %s"
)

// progress tells people of an inference that takes long. It returns what takes the steps, and what ends it; that must
// be called. Nobody listens if say is nil.
func progress(say func(string)) (step func(doing string), end func()) {
	if say == nil {
		return func(string) {}, func() {}
	}
	var mu sync.Mutex
	now, start, told := "starting", time.Now(), false
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for wait := quietFor; ; wait = sayAgain {
			select {
			case <-stop:
				return
			case <-time.After(wait):
			}
			mu.Lock()
			doing := now
			mu.Unlock()
			told = true
			say(fmt.Sprintf(inferring, time.Since(start).Round(time.Second), doing))
		}
	}()
	step = func(doing string) {
		mu.Lock()
		now = doing
		mu.Unlock()
	}
	return step, func() {
		close(stop)
		if <-stopped; told {
			say(fmt.Sprintf("adttest: inferred in %v", time.Since(start).Round(time.Second)))
		}
	}
}

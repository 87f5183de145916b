// The caller that puts an actor into the table activates it next; another who finds it there takes it for activated.
// Source: https://github.com/dapr/dapr/pull/707
// Kind: use before initialization.

package other2

import (
	"sync"
	"testing"
)

type daprActor struct {
	mu     sync.Mutex
	active bool
	calls  int
}

type daprRuntime struct{ actors sync.Map }

func (r *daprRuntime) call(t *testing.T, key string) {
	v, loaded := r.actors.LoadOrStore(key, &daprActor{})
	a := v.(*daprActor)
	if !loaded {
		a.mu.Lock()
		a.active = true
		a.mu.Unlock()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.handle(t)
}

func (r *daprRuntime) callFixed(t *testing.T, key string) {
	v, _ := r.actors.LoadOrStore(key, &daprActor{})
	a := v.(*daprActor)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active = true
	a.handle(t)
}

func (a *daprActor) handle(t *testing.T) {
	if !a.active {
		t.Error("a call of an actor that is not active")
	}
	a.calls++
}

func daprRun(t *testing.T, call func(*daprRuntime, *testing.T, string)) {
	var r daprRuntime
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			call(&r, t, "cart")
		}()
	}
	wg.Wait()
}

func TestDaprActorActivation(t *testing.T)      { daprRun(t, (*daprRuntime).call) }
func TestDaprActorActivationFixed(t *testing.T) { daprRun(t, (*daprRuntime).callFixed) }

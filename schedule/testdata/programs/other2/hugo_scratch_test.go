// A map in a map is found under the lock and written after the lock was given back.
// Source: https://github.com/gohugoio/hugo/issues/7230
// Kind: data race, concurrent map writes.
// found only with -race

package other2

import (
	"sync"
	"testing"
)

type hugoScratch struct {
	mu     sync.Mutex
	values map[string]map[string]int
}

func (s *hugoScratch) inner(key string) map[string]int {
	m, ok := s.values[key]
	if !ok {
		m = map[string]int{}
		s.values[key] = m
	}
	return m
}

func (s *hugoScratch) setInMap(key, sub string, v int) {
	s.mu.Lock()
	m := s.inner(key)
	s.mu.Unlock()
	m[sub] = v
}

func (s *hugoScratch) setInMapFixed(key, sub string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inner(key)[sub] = v
}

func scratchRun(t *testing.T, set func(*hugoScratch, string, string, int)) {
	s := &hugoScratch{values: map[string]map[string]int{}}
	var wg sync.WaitGroup
	for i, page := range []string{"home", "blog"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			set(s, "pages", page, i)
		}()
	}
	wg.Wait()
	if n := len(s.values["pages"]); n != 2 {
		t.Errorf("%d of 2 pages", n)
	}
}

func TestHugoScratchMap(t *testing.T)      { scratchRun(t, (*hugoScratch).setInMap) }
func TestHugoScratchMapFixed(t *testing.T) { scratchRun(t, (*hugoScratch).setInMapFixed) }

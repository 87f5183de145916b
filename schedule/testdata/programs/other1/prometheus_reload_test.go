// A reload replaces the configuration of a scrape pool under its lock, while a running scrape reads it without.
// Source: https://github.com/prometheus/prometheus/issues/4067
// Kind: data race.
// found only with -race

package other1

import (
	"sync"
	"testing"
)

type scrapeConfig struct{ limit int }

type scrapePool struct {
	mu     sync.RWMutex
	config *scrapeConfig
}

func (p *scrapePool) reload(c *scrapeConfig) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.config = c
}

func (p *scrapePool) current() *scrapeConfig { return p.config }

func (p *scrapePool) currentFixed() *scrapeConfig {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.config
}

func scrapeRun(t *testing.T, current func(*scrapePool) *scrapeConfig) {
	p := &scrapePool{config: &scrapeConfig{1}}
	samples, done := make(chan int, 2), make(chan struct{})
	go func() {
		defer close(done)
		for range samples {
			if n := current(p).limit; n < 1 || n > 2 {
				t.Errorf("limit = %d", n)
			}
		}
	}()
	samples <- 1
	samples <- 2
	p.reload(&scrapeConfig{2})
	close(samples)
	<-done
}

func TestPrometheusReloadConfig(t *testing.T)      { scrapeRun(t, (*scrapePool).current) }
func TestPrometheusReloadConfigFixed(t *testing.T) { scrapeRun(t, (*scrapePool).currentFixed) }

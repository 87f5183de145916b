// A job is counted in a WaitGroup after it was sent to the workers: one may be done with it before, and the counter gets negative.
// Source: https://github.com/shomali11/parallelizer/pull/2
// Kind: order, negative WaitGroup.

package other1

import (
	"sync"
	"testing"
)

type jobGroup struct {
	jobs    chan func()
	pending sync.WaitGroup
	workers sync.WaitGroup
}

func newJobGroup(n int) *jobGroup {
	g := &jobGroup{jobs: make(chan func(), n)}
	for range n {
		g.workers.Add(1)
		go func() {
			defer g.workers.Done()
			for job := range g.jobs {
				job()
				g.pending.Done()
			}
		}()
	}
	return g
}

func (g *jobGroup) add(job func()) {
	g.jobs <- job
	g.pending.Add(1)
}

func (g *jobGroup) addFixed(job func()) {
	g.pending.Add(1)
	g.jobs <- job
}

func jobRun(add func(*jobGroup, func())) {
	g := newJobGroup(2)
	for range 2 {
		add(g, work)
	}
	g.pending.Wait()
	close(g.jobs)
	g.workers.Wait()
}

func TestParallelizerLateAdd(t *testing.T)      { jobRun((*jobGroup).add) }
func TestParallelizerLateAddFixed(t *testing.T) { jobRun((*jobGroup).addFixed) }

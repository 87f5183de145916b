// One goroutine feeds several partitions. Partitions are closed one after the other, and closing the first waits for the feeder,
// which is stuck at the second, as nobody reads it any more.
// Source: https://github.com/IBM/sarama/issues/325
// Kind: blocking, shared feeder of several channels.

package blocking1

import (
	"sync"
	"testing"
)

type saramaPartition struct {
	messages chan int
	dying    chan struct{}
}

func (p *saramaPartition) asyncClose() { close(p.dying) }

func (p *saramaPartition) drain() {
	for range p.messages {
	}
}

func saramaFeed(parts []*saramaPartition) {
	for round := range 2 {
		for i, p := range parts {
			if p == nil {
				continue
			}
			select {
			case <-p.dying:
				close(p.messages)
				parts[i] = nil
			default:
				p.messages <- round
			}
		}
	}
	for _, p := range parts {
		if p != nil {
			<-p.dying
			close(p.messages)
		}
	}
}

func saramaRun(closeAll func(a, b *saramaPartition)) {
	a := &saramaPartition{make(chan int), make(chan struct{})}
	b := &saramaPartition{make(chan int), make(chan struct{})}
	stop := make(chan struct{})
	var feeder, reader sync.WaitGroup
	feeder.Add(1)
	go func() {
		defer feeder.Done()
		work() // fetches
		saramaFeed([]*saramaPartition{a, b})
	}()
	reader.Add(1)
	go func() {
		defer reader.Done()
		for {
			select {
			case <-a.messages:
			case <-b.messages:
			case <-stop:
				return
			}
		}
	}()
	close(stop)
	reader.Wait()
	closeAll(a, b)
	feeder.Wait()
}

func TestSaramaPartitionClose(t *testing.T) {
	saramaRun(func(a, b *saramaPartition) {
		for _, p := range []*saramaPartition{a, b} {
			p.asyncClose()
			p.drain()
		}
	})
}

func TestSaramaPartitionCloseFixed(t *testing.T) {
	saramaRun(func(a, b *saramaPartition) {
		b.asyncClose()
		a.asyncClose()
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.drain()
		}()
		a.drain()
		wg.Wait()
	})
}

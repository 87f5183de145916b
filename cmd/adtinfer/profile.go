package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"

	"github.com/adtinfer/adtinfer/internal/host/files"
)

// profiles names the files to write; the ones without a name are not written. The
// zero value writes none.
type profiles struct {
	CPU, Memory string

	mu          sync.Mutex
	cpu, memory *os.File // while they are being written
}

// Start begins. A file that cannot be written is an error at once.
func (p *profiles) Start() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Memory != "" {
		if p.memory, err = create(p.Memory); err != nil {
			return err
		}
	}
	if p.CPU == "" {
		return nil
	}
	if p.cpu, err = create(p.CPU); err != nil {
		return err
	}
	return pprof.StartCPUProfile(p.cpu)
}

// create opens a file anew.
func create(path string) (*os.File, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("cannot write the profile %s: %w", path, files.Cause(err))
	}
	return f, nil
}

// Stop writes what was measured. The second call does nothing. Any goroutine may call it.
func (p *profiles) Stop() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cpu != nil {
		pprof.StopCPUProfile()
		err = p.cpu.Close()
	}
	if p.memory != nil {
		runtime.GC() // so that what is live is counted
		err = errors.Join(err, pprof.WriteHeapProfile(p.memory), p.memory.Close())
	}
	p.cpu, p.memory = nil, nil
	return err
}

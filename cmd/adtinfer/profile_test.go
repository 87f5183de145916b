package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestProfiles: both are written once, in the form that pprof reads, whoever stops first.
func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	p := &profiles{CPU: filepath.Join(dir, "cpu"), Memory: filepath.Join(dir, "memory")}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	var stops sync.WaitGroup
	for range 4 {
		stops.Add(1)
		go func() {
			defer stops.Done()
			if err := p.Stop(); err != nil {
				t.Error(err)
			}
		}()
	}
	stops.Wait()
	for _, path := range []string{p.CPU, p.Memory} {
		data, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
			t.Errorf("%s: %d bytes, %v; not compressed as profiles are", path, len(data), err)
		}
	}
}

// TestNone: without names nothing is written, and Stop alone is fine.
func TestNone(t *testing.T) {
	p := &profiles{}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
	if err := p.Start(); err != nil {
		t.Error(err)
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
}

// TestUnwritable: the error names the file, and comes before any work.
func TestUnwritable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no", "such")
	for _, p := range []*profiles{{CPU: path}, {Memory: path}} {
		if err := p.Start(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v does not name %s", err, path)
		}
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	}
}

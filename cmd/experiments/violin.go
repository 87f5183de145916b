package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// recording is a recorded history.
type recording struct {
	group     string // the data structure, as Violin calls it: msq of msq.0.log
	execution *history.Execution
	theory    *theory.Theory
}

func (r *recording) small() bool { return len(r.execution.Ops) < 100 }
func (r *recording) large() bool { return len(r.execution.Ops) >= 5_000 }

// recordings reads the logs of queues and stacks below a folder, wherever they are.
func recordings(dir string) (all []recording, err error) {
	theories := map[string]*theory.Theory{}
	for object, name := range map[string]string{"atomic-queue": "queue", "atomic-stack": "stack"} {
		if theories[object], err = example(name); err != nil {
			return nil, err
		}
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".log" {
			return err
		}
		t, err := objectOf(path, theories)
		if err != nil || t == nil {
			return err
		}
		e, err := read(path, t)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		all = append(all, recording{name[strings.LastIndexByte(name, '-')+1:], e, t})
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no logs of an atomic-queue or atomic-stack below %s: git clone %s", dir, violin)
	}
	return all, err
}

// objectOf is the theory of a log's object, which its first lines name.
func objectOf(path string, theories map[string]*theory.Theory) (*theory.Theory, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan() && strings.HasPrefix(s.Text(), "#"); {
		if _, object, ok := strings.Cut(s.Text(), "@object"); ok {
			return theories[strings.TrimSpace(object)], nil
		}
	}
	return nil, nil
}

func example(name string) (*theory.Theory, error) {
	return theoryIn(filepath.Join("examples", name, name+".theory.yaml"))
}

func theoryIn(path string) (*theory.Theory, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; run this from the project's root", err)
	}
	defer f.Close()
	return theory.Read(f, path)
}

func read(path string, t *theory.Theory) (*history.Execution, error) {
	sig, err := t.Signature(nil)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return history.ReadLog(f, path, sig)
}

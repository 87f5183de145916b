package views

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Proof is the views that were found.
type Proof struct {
	Problem
	options Options
	viewer  *machine.Viewer
	stats   Stats
	began   time.Time

	keys  []*key
	index map[string]int32 // of keys, by the observer's state and the global part
	queue []int32          // keys with something to do
	name  []byte
	ticks int

	begins int32 // the call with which the step of an idle thread begins, -1: none
}

// key is what views share: the observer's state and the global part.
type key struct {
	obs      int32
	global   []byte
	views    []view
	index    map[string]int32
	actions  []*action
	known    map[string]*action
	expanded int // views whose own steps were made
	queued   bool
	accesses map[string]*machine.Accesses
}

// view is a machine.View with a key, and the status of its thread.
type view struct {
	name    string // the status, and the thread's part
	applied int    // actions that were applied to it
}

// statusBytes is how long a status is in the name of a view.
const statusBytes = 5

func (v *view) status() status {
	return status{v.name[0], int32(binary.LittleEndian.Uint32([]byte(v.name[1:statusBytes])))}
}

func (v *view) thread() []byte { return []byte(v.name[statusBytes:]) }

// New prepares a proof. The error is about programs that cannot be proved so.
func New(p Problem, o Options) (*Proof, error) {
	if _, err := p.Shared.Viewer(); err != nil {
		return nil, err
	}
	return &Proof{Problem: p, options: o}, nil
}

// Run proves, or finds out why that fails. Errors are the context's, or the observer's.
func (p *Proof) Run(ctx context.Context) (*Result, error) {
	p.began = time.Now()
	for {
		err := p.run(ctx)
		if errors.Is(err, machine.ErrAgain) {
			p.Shared.Again()
			p.stats.Again++
			if p.Start != nil {
				err = p.Start()
			} else {
				err = nil
			}
			if err == nil {
				continue
			}
		}
		p.stats.Elapsed = time.Since(p.began)
		r := &Result{Proved: err == nil, Stats: p.stats}
		if errors.As(err, &r.Finding) {
			return r, nil
		}
		return r, err
	}
}

// run computes all views.
func (p *Proof) run(ctx context.Context) (err error) {
	if p.viewer, err = p.Shared.Viewer(); err != nil {
		return err
	}
	p.keys, p.index, p.queue = nil, map[string]int32{}, nil
	p.stats = Stats{Again: p.stats.Again}
	obs := int32(0)
	if p.Observer != nil {
		obs = p.Observer.Start()
	}
	start, fault := p.viewer.Start()
	if fault != nil {
		return &Finding{Text: fault.Error(), Pos: fault.Pos, Fault: fault}
	}
	p.add(obs, start, idle)
	for len(p.queue) > 0 {
		k := p.keys[p.queue[0]]
		p.queue, k.queued = p.queue[1:], false
		if err := p.work(ctx, k); err != nil {
			return err
		}
	}
	return p.guarded()
}

// work makes all there is to do with the views of a key.
func (p *Proof) work(ctx context.Context, k *key) error {
	for done := false; !done; {
		done = true
		for ; k.expanded < len(k.views); k.expanded++ {
			if err := p.tick(ctx); err != nil {
				return err
			}
			if err := p.expand(k, k.expanded); err != nil {
				return p.explained(k, k.expanded, err)
			}
		}
		for i := 0; i < len(k.views); i++ {
			if k.views[i].applied == len(k.actions) {
				continue
			}
			done = false
			if err := p.tick(ctx); err != nil {
				return err
			}
			p.load(k, i)
			for ; k.views[i].applied < len(k.actions); k.views[i].applied++ {
				if err := p.apply(k, i, k.actions[k.views[i].applied]); err != nil {
					return p.explained(k, i, err)
				}
			}
		}
		done = done && k.expanded == len(k.views)
	}
	return nil
}

func (p *Proof) tick(ctx context.Context) error {
	if p.ticks++; p.ticks%1024 == 0 {
		if p.options.Progress != nil {
			p.stats.Elapsed = time.Since(p.began)
			p.options.Progress(p.stats)
		}
		if p.options.Memory > 0 && p.stats.Bytes > p.options.Memory {
			return ErrMemory
		}
		return ctx.Err()
	}
	return nil
}

// explained adds to a finding the view in which it was met.
func (p *Proof) explained(k *key, i int, err error) error {
	var f *Finding
	if errors.As(err, &f) {
		p.load(k, i)
		f.View = p.viewer.Text()
		if f.Call = p.viewer.Running(); f.Call < 0 {
			f.Call = p.begins
		}
	}
	return err
}

func (p *Proof) load(k *key, i int) {
	p.viewer.Load(machine.View{Global: k.global, Thread: k.views[i].thread()})
}

// What a key, a view and an action take beside their names, in bytes, with their entries in maps.
const (
	aboutKey    = 600
	aboutView   = 160
	aboutAction = 600
)

// add notes a view.
func (p *Proof) add(obs int32, v machine.View, s status) {
	p.name = binary.LittleEndian.AppendUint32(p.name[:0], uint32(obs))
	p.name = append(p.name, v.Global...)
	n, ok := p.index[string(p.name)]
	if !ok {
		n = int32(len(p.keys))
		p.index[string(p.name)] = n
		p.keys = append(p.keys, &key{obs: obs, global: append([]byte(nil), v.Global...), index: map[string]int32{}, known: map[string]*action{},
			accesses: map[string]*machine.Accesses{}})
		p.stats.Keys++
		p.stats.Bytes += int64(2*len(p.name)) + aboutKey
	}
	k := p.keys[n]
	p.name = append(p.name[:0], s.lin)
	p.name = binary.LittleEndian.AppendUint32(p.name, uint32(s.answer))
	p.name = append(p.name, v.Thread...)
	if _, ok := k.index[string(p.name)]; ok {
		return
	}
	name := string(p.name)
	k.index[name] = int32(len(k.views))
	k.views = append(k.views, view{name: name})
	p.stats.Views++
	p.stats.Bytes += int64(len(name)) + aboutView
	if !k.queued {
		k.queued = true
		p.queue = append(p.queue, n)
	}
}

// Has reports whether a view was found.
func (p *Proof) Has(obs int32, v machine.View, lin uint8, answer int32) bool {
	name := binary.LittleEndian.AppendUint32(nil, uint32(obs))
	n, ok := p.index[string(append(name, v.Global...))]
	if !ok {
		return false
	}
	name = binary.LittleEndian.AppendUint32([]byte{lin}, uint32(answer))
	_, ok = p.keys[n].index[string(append(name, v.Thread...))]
	return ok
}

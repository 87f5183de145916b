package corpus

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/history"
)

// Corpus is where a corpus is made: the project, and a folder of recordings, which may
// be "". The zero value of Parallel is one log at a time.
type Corpus struct {
	Root, Data string
	Parallel   int

	lock     sync.Mutex
	prepared map[string]func() (*answerer, error)
}

// Write writes a corpus with so many random executions of each theory.
func (c *Corpus) Write(ctx context.Context, w io.Writer, logs int) error {
	return c.answerAll(ctx, c.entries(ctx, logs), writer(w))
}

// Again writes a corpus anew: the answers of today for the logs of old.
func (c *Corpus) Again(ctx context.Context, w io.Writer, old io.Reader) error {
	return c.answerAll(ctx, Read(old), writer(w))
}

func writer(w io.Writer) func(old, now *Entry) error {
	return func(_, now *Entry) error {
		b := bufio.NewWriter(w)
		out := json.NewEncoder(b)
		out.SetEscapeHTML(false)
		if err := out.Encode(now); err != nil {
			return err
		}
		return b.Flush()
	}
}

// answerAll answers entries, some at a time, and hands them on in their order, as they
// were and with the answers of today.
func (c *Corpus) answerAll(ctx context.Context, entries iter.Seq2[*Entry, error], each func(old, now *Entry) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type pair struct {
		old, now *Entry
		err      error
	}
	waiting := make(chan chan pair, 4*max(c.Parallel, 1))
	busy := make(chan struct{}, max(c.Parallel, 1))
	go func() {
		defer close(waiting)
		for old, err := range entries {
			p := make(chan pair, 1)
			select {
			case busy <- struct{}{}:
			case <-ctx.Done():
				return
			}
			go func() {
				defer func() { <-busy }()
				if err != nil {
					p <- pair{err: err}
					return
				}
				now, err := c.answer(ctx, old)
				p <- pair{old, now, err}
			}()
			waiting <- p
		}
	}()
	var failed error
	for w := range waiting {
		p := <-w
		if failed == nil && ctx.Err() == nil {
			if failed = p.err; failed == nil {
				failed = each(p.old, p.now)
			}
		}
		if failed != nil {
			stop()
		}
	}
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

// answer answers an entry anew. A panic is an answer, too.
func (c *Corpus) answer(ctx context.Context, old *Entry) (now *Entry, err error) {
	e := *old
	e.Answers = nil
	defer func() {
		if p := recover(); p != nil {
			e.add("panic", Answer{Error: fmt.Sprint(p)})
			now, err = &e, nil
		}
	}()
	a, err := c.answerer(ctx, e.Theory)
	if err != nil {
		return nil, err
	}
	if e.Log == "" {
		for _, x := range a.about {
			e.add(x.engine, x.Answer)
		}
		return &e, nil
	}
	log, err := c.content(&e)
	if err != nil {
		return nil, err
	}
	e.add("text", a.way(ctx, log, e.Log, false))
	e.add("follow", a.way(ctx, log, e.Log, true))
	for _, format := range []string{"json", "binary", "text"} {
		converted, err := convert(ctx, log, e.Log, format)
		switch {
		case err != nil:
			e.add("convert "+format, Answer{Error: err.Error()})
		case e.Raw:
			e.add("convert "+format, Answer{Hash: hash(converted)[:16]})
		case format != "text":
			e.add(format, a.way(ctx, converted, e.Log, false))
		}
	}
	if x, err := a.read(log, e.Log); err == nil && !e.Raw {
		e.decide(ctx, a, x)
	}
	return &e, ctx.Err()
}

// decide adds the engines' answers.
func (e *Entry) decide(ctx context.Context, a *answerer, x *history.Execution) {
	if !strings.HasPrefix(e.Log, randomLog) {
		e.add("coverage", a.coverage(x))
	}
	for i, engine := range a.engines {
		if len(x.Ops) > engine.most {
			continue
		}
		r, err := engine.check(ctx, x)
		e.add(engine.name, result(r, err))
		if i == 0 && err == nil {
			for _, p := range a.prove(ctx, x, r) {
				e.add(p.engine, p.Answer)
			}
		}
	}
}

// answerer prepares a theory, once.
func (c *Corpus) answerer(ctx context.Context, name string) (*answerer, error) {
	c.lock.Lock()
	if c.prepared == nil {
		c.prepared = map[string]func() (*answerer, error){}
	}
	if c.prepared[name] == nil {
		c.prepared[name] = sync.OnceValues(func() (*answerer, error) {
			s, err := subjectOf(name)
			if err != nil {
				return nil, err
			}
			return newAnswerer(ctx, filepath.Join(c.Root, s.file), s.model, s.kind.Model.Admits)
		})
	}
	f := c.prepared[name]
	c.lock.Unlock()
	return f()
}

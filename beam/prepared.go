package logbeam

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Options say how logs are read and checked. The zero Options are the default.
type Options struct {
	Block   int64         // bytes of a file for one worker, about; 0: 16 MB
	Engine  string        // empty: auto
	Timeout time.Duration // for each part; 0 is no limit
	ByLog   bool          // logs are not split by key, even if the theory says that they can be

	Aliases map[string][]string // other names of methods, by the theory's: the logs use them

	// Of histories of other tools: see adtinfer check --help.
	ByKey, FailedIsFalse, NilIsUnset bool
}

func (o Options) block() int64 {
	if o.Block > 0 {
		return o.Block
	}
	return 16 << 20
}

// prepared is a theory made ready to read and to check logs.
type prepared struct {
	options Options
	checker *check.Checker
	methods history.Signature
	key     func(*history.Label) history.Value // nil: the operations of an object belong together
}

// all are those of this process, by theory and options: its workers share them.
var all = struct {
	sync.Mutex
	by map[string]*prepared
}{by: map[string]*prepared{}}

// prepare makes a theory ready. The error is about its text, or the options.
func prepare(yaml []byte, o Options) (*prepared, error) {
	all.Lock()
	defer all.Unlock()
	id := fmt.Sprintf("%+v\n%s", o, yaml)
	if p := all.by[id]; p != nil {
		return p, nil
	}
	t, err := theory.Read(bytes.NewReader(yaml), "theory")
	if err != nil {
		return nil, err
	}
	p := &prepared{options: o}
	if p.checker, err = check.New(t, check.Options{Engine: o.Engine, Timeout: o.Timeout, Explain: true, Reader: reader, Aliases: o.Aliases}); err != nil {
		return nil, err
	}
	if p.methods, err = t.Signature(o.Aliases); err != nil {
		return nil, err
	}
	if key, err := check.Split(t); err == nil && !o.ByLog {
		p.key = key
	}
	all.by[id] = p
	return p, nil
}

// reader makes the readers of parts; tests put others here.
var reader func(io.Reader, string, history.Signature) *history.Reader

// head is the head of a file that begins so: the lines before the first event.
func (p *prepared) head(begin string) string {
	lines := 0
	for e, err := range history.NewReader(strings.NewReader(begin), "").Events(p.methods) {
		var wrong *history.ParseError
		switch {
		case err == nil:
			lines = e.Pos.Line - 1
		case errors.As(err, &wrong):
			lines = wrong.Pos.Line - 1
		}
		break
	}
	end := 0
	for range lines {
		end += strings.IndexByte(begin[end:], '\n') + 1
	}
	return begin[:end]
}

// Valid is why the text of a theory, or the options, cannot be used; nil if they can.
func Valid(theory []byte, o Options) error {
	_, err := prepare(theory, o)
	return err
}

package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"hash/fnv"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// entries are the logs of a new corpus, without answers: what there is to say of each
// theory, the logs of the project, recordings, random executions, and damaged logs.
func (c *Corpus) entries(ctx context.Context, logs int) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		for _, s := range subjects() {
			if !yield(&Entry{Theory: s.theory}, nil) {
				return
			}
		}
		for _, part := range []func() ([]*Entry, error){c.files, c.recordings, c.scripts, c.seeds} {
			all, err := part()
			if err != nil {
				yield(nil, err)
				return
			}
			for _, e := range all {
				if !yield(e, nil) {
					return
				}
			}
		}
		for _, s := range subjects() {
			if !c.made(ctx, &s, logs, func(e *Entry, err error) bool { return yield(e, err) && err == nil }) {
				return
			}
		}
	}
}

// made yields executions of a subject: random ones, some of them damaged, and long ones.
func (c *Corpus) made(ctx context.Context, s *subject, logs int, yield func(*Entry, error) bool) bool {
	for seed := range uint64(logs) {
		e, err := s.random(seed)
		if !yield(e, err) {
			return false
		}
		if seed%8 > 0 {
			continue
		}
		if e, err = c.damaged(e, seed); !yield(e, err) {
			return false
		}
	}
	a, err := c.answerer(ctx, s.theory)
	if err != nil {
		return yield(nil, err)
	}
	if !a.fast {
		return true // only near-linear procedures decide long executions of any theory
	}
	for seed := range uint64(min(logs/100, 10)) {
		if !yield(s.long(seed)) {
			return false
		}
	}
	return true
}

// source makes random numbers of a theory's name, so that a theory more changes no log
// of another one.
func (s *subject) source(seed uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(s.theory))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

const randomLog = "random-" // begins their names

// random is a small execution: most with pending operations, some that use values
// again, lose operations, have their answers exchanged, no wrong answer, or more
// operations.
func (s *subject) random(seed uint64) (*Entry, error) {
	r, kind := s.source(seed), s.kind
	ops, processes, spoil := 2+r.IntN(7), 1+r.IntN(5), 3+r.IntN(12)
	switch seed % 8 {
	case 1:
		kind.Lost = 4
	case 2:
		kind = kind.Reusing(3)
	case 3, 4:
		ops, spoil = 10+r.IntN(20), 20
	case 5, 6:
		spoil = 0
	}
	e := kind.Execution(r, ops, processes, spoil)
	for seed%8 > 3 && seed%8 < 6 && r.IntN(4) > 0 {
		s.exchange(r, e)
	}
	return s.entry(fmt.Sprint(randomLog, seed), e)
}

// exchange exchanges the answers of two operations of one method, which are likely to
// be good ones at the wrong time. It does not look for long.
func (s *subject) exchange(r *rand.Rand, e *history.Execution) {
	for range min(len(e.Ops), 20) {
		x, y := &e.Ops[r.IntN(len(e.Ops))], &e.Ops[r.IntN(len(e.Ops))]
		same := x.Method == y.Method && (!s.kind.Keyed || slices.Equal(x.Args, y.Args))
		if same && x.Completed() && y.Completed() && !slices.Equal(x.Rets, y.Rets) {
			x.Outcome, x.Rets, y.Outcome, y.Rets = y.Outcome, y.Rets, x.Outcome, x.Rets
			return
		}
	}
}

// long is an execution that near-linear procedures are asked about: right, with two
// answers exchanged, or with about two wrong ones.
func (s *subject) long(seed uint64) (*Entry, error) {
	const ops = 2_400
	r, kind, spoil := s.source(seed+1<<32), s.kind, 0
	kind.Methods = slices.Clone(kind.Methods)
	for i := range kind.Methods {
		if m := &kind.Methods[i]; m.Takes > 0 {
			m.Takes *= 4 * ops // so that few values come twice
		}
	}
	if seed%3 == 2 {
		spoil = ops / 2
	}
	e := kind.Execution(r, ops, 3, spoil)
	if seed%3 == 1 {
		s.exchange(r, e)
	}
	return s.entry(fmt.Sprintf("long-%d", seed), e)
}

func (s *subject) entry(log string, e *history.Execution) (*Entry, error) {
	var b bytes.Buffer
	err := history.WriteText(&b, e)
	return &Entry{Log: log, Theory: s.theory, Text: b.String()}, err
}

// damaged is a log with damage, in one of the formats.
func (c *Corpus) damaged(of *Entry, seed uint64) (e *Entry, err error) {
	e = &Entry{Log: fmt.Sprintf("damaged-%d", seed), Theory: of.Theory, Raw: true}
	log := []byte(of.Text)
	if format := []string{"text", "json", "binary"}[seed/8%3]; format != "text" {
		if log, err = convert(context.Background(), log, of.Log, format); err != nil {
			return nil, err
		}
	}
	if len(log) > 0 {
		log, _ = historytest.Damage(rand.New(rand.NewPCG(seed, 7)), log)
	}
	e.hold(log)
	return e, nil
}

// hold keeps a log in the entry itself.
func (e *Entry) hold(log []byte) {
	if utf8.Valid(log) {
		e.Text = string(log)
	} else {
		e.Bytes = log
	}
}

// files are the logs that lie in the project, most of which are of queues; the set
// refuses them for what they call.
func (c *Corpus) files() (all []*Entry, err error) {
	for _, dir := range []string{"examples/logs", "history/testdata/binary"} {
		err := filepath.WalkDir(filepath.Join(c.Root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".log", ".jsonl", ".bin"}, filepath.Ext(path)) {
				return err
			}
			file, err := filepath.Rel(c.Root, path)
			if err != nil {
				return err
			}
			log, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, theory := range []string{"queue", "theories/queue", "theories/bag", "set"} {
				e := &Entry{Log: filepath.ToSlash(file), Theory: theory}
				e.hold(log)
				all = append(all, e)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// recordings are the logs of the folder of recordings, for queues and stacks as they are.
func (c *Corpus) recordings() (all []*Entry, err error) {
	if c.Data == "" {
		return nil, nil
	}
	f, err := os.Open(filepath.Join(c.Data, "violin/truth.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var r historytest.Recording
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, err
		}
		for _, theory := range []string{r.Type(), "theories/" + r.Type()} {
			if all, err = c.recording(all, "violin/"+r.File, theory); err != nil {
				return nil, err
			}
		}
	}
	own := "own/bcp-miss-stack.log"
	if _, err := os.Stat(filepath.Join(c.Data, own)); errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	return c.recording(all, own, "stack")
}

// recording adds an entry for a recording and a theory.
func (c *Corpus) recording(all []*Entry, file, theory string) ([]*Entry, error) {
	log, err := os.ReadFile(filepath.Join(c.Data, file))
	return append(all, &Entry{Log: file, Theory: theory, File: file, Hash: hash(log)}), err
}

// scripts are the logs in the command's test scripts, most of which are malformed.
func (c *Corpus) scripts() (all []*Entry, err error) {
	paths, err := filepath.Glob(filepath.Join(c.Root, "cmd/adtinfer/testdata/script/*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		script, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		heads := scriptFile.FindAllSubmatchIndex(script, -1)
		for i, at := range heads {
			name, end := string(script[at[2]:at[3]]), len(script)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			if !slices.Contains([]string{".log", ".jsonl", ".json"}, filepath.Ext(name)) {
				continue
			}
			for _, theory := range []string{"queue", "set"} {
				e := &Entry{Log: filepath.Base(path) + ":" + name, Theory: theory, Raw: true}
				e.hold(script[at[1]:end])
				all = append(all, e)
			}
		}
	}
	return all, nil
}

// scriptFile begins a file in a script.
var scriptFile = regexp.MustCompile(`(?m)^-- (.*) --\n`)

// seeds are the logs that the fuzz tests of readers begin with.
func (c *Corpus) seeds() (all []*Entry, err error) {
	paths, err := filepath.Glob(filepath.Join(c.Root, "history/*_test.go"))
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, m := range seed.FindAllSubmatch(source, -1) {
			v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, string(m[1]))
			if err != nil || v.Value == nil || v.Value.Kind() != constant.String {
				continue // not a constant
			}
			e := &Entry{Log: fmt.Sprintf("seed-%d", len(all)), Theory: "queue", Raw: true}
			e.hold([]byte(constant.StringVal(v.Value)))
			all = append(all, e)
		}
	}
	return all, err
}

var seed = regexp.MustCompile(`(?m)^\s*f\.Add\((.*)\)$`)

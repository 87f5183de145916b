package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
)

// entries are the logs of a new corpus, without answers: what there is to say of each
// theory, the logs of the project, recordings, random executions, and damaged logs.
func (c *Corpus) entries(logs int) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		for _, s := range subjects() {
			if !yield(&Entry{Theory: s.theory}, nil) {
				return
			}
		}
		for _, part := range []func() ([]*Entry, error){c.files, c.recordings, c.scripts} {
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
			for seed := range uint64(logs) {
				e, err := s.random(seed)
				if !yield(e, err) || err != nil {
					return
				}
				if seed%8 > 0 {
					continue
				}
				if e, err = c.damaged(e, seed); !yield(e, err) || err != nil {
					return
				}
			}
			for seed := range uint64(min(logs/100, 10)) {
				e, err := s.long(seed)
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// source makes random numbers of a theory's name, so that a theory more changes no log
// of another one.
func (s *subject) source(seed uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(s.theory))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

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
	for seed%8 > 3 && seed%8 < 6 && r.IntN(3) > 0 {
		exchange(r, e)
	}
	return s.entry(fmt.Sprintf("random-%d", seed), e)
}

// exchange exchanges the answers of two completed operations of one method, if it
// happens on such.
func exchange(r *rand.Rand, e *history.Execution) {
	if len(e.Ops) == 0 {
		return
	}
	x, y := &e.Ops[r.IntN(len(e.Ops))], &e.Ops[r.IntN(len(e.Ops))]
	if x.Method == y.Method && x.Completed() && y.Completed() {
		x.Outcome, x.Rets, y.Outcome, y.Rets = y.Outcome, y.Rets, x.Outcome, x.Rets
	}
}

// long is an execution that near-linear procedures are asked about, with one wrong
// answer or none.
func (s *subject) long(seed uint64) (*Entry, error) {
	const ops = 2_400
	r := s.source(seed + 1<<32)
	return s.entry(fmt.Sprintf("long-%d", seed), s.kind.Execution(r, ops, 3, ops*int(seed%2)))
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
		if log, err = convert(log, of.Log, format); err != nil {
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

// files are the logs that lie in the project, for every theory: those of other types
// are refused for what they call.
func (c *Corpus) files() (all []*Entry, err error) {
	for _, dir := range []string{"examples/logs", "check/testdata/old", "internal/binlog/testdata"} {
		err := filepath.WalkDir(filepath.Join(c.Root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".log", ".jsonl", ".bin"}, filepath.Ext(path)) {
				return err
			}
			file, err := filepath.Rel(c.Root, path)
			if err != nil {
				return err
			}
			for _, s := range subjects() {
				if all, err = c.file(all, filepath.ToSlash(file), s.theory); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// file adds an entry for a file and a theory.
func (c *Corpus) file(all []*Entry, file, theory string) ([]*Entry, error) {
	path, err := c.path(file)
	if err != nil {
		return nil, err
	}
	log, err := os.ReadFile(path)
	return append(all, &Entry{Log: strings.TrimPrefix(file, recorded), Theory: theory, File: file, Hash: hash(log)}), err
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
		for _, theory := range []string{"examples/" + r.Type() + "/" + r.Type(), "theories/" + r.Type()} {
			if all, err = c.file(all, recorded+"violin/"+r.File, theory); err != nil {
				return nil, err
			}
		}
	}
	own := "own/bcp-miss-stack.log"
	if _, err := os.Stat(filepath.Join(c.Data, own)); errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	return c.file(all, recorded+own, "examples/stack/stack")
}

// scripts are the logs in the command's test scripts, of which most are malformed.
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
			for _, theory := range []string{"examples/queue/queue", "examples/set/set"} {
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

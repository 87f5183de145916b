package corpus

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"reflect"
)

// Entry is one line of a corpus: what every engine says of one log. An entry without a
// log is about the theory: which engines take it.
type Entry struct {
	Log    string `json:"log,omitempty"`    // its name
	Theory string `json:"theory"`           // its name, see subjects.go
	Text   string `json:"text,omitempty"`   // the log, as text
	Bytes  []byte `json:"bytes,omitempty"`  // the log, if it is no UTF-8
	File   string `json:"file,omitempty"`   // the log is a recording: its path
	Hash   string `json:"sha256,omitempty"` // of that file
	Raw    bool   `json:"raw,omitempty"`    // malformed, as far as is known: it is only read

	Answers []Answer `json:"answers"`
}

// Answer is what some engines say of a log, all of them the same. Engines are those of
// package check and the ways in which a log is read: text is the checking of the log as
// it is, json and binary of its copies in these formats, follow of one event after the
// other; convert json is the copy alone. Explain and witness are the explanation and the
// evidence for the verdict of auto.
type Answer struct {
	Engines   []string `json:"engines"`
	Verdict   string   `json:"verdict,omitempty"`
	By        string   `json:"by,omitempty"` // the engine that auto chose
	Prefix    int      `json:"prefix,omitempty"`
	Patterns  []string `json:"patterns,omitempty"`
	Ops       []string `json:"ops,omitempty"` // of an explanation
	Steps     int      `json:"steps,omitempty"`
	Evidence  string   `json:"evidence,omitempty"` // whether it was accepted
	Procedure string   `json:"procedure,omitempty"`
	Coverage  string   `json:"coverage,omitempty"`
	Hash      string   `json:"hash,omitempty"`   // of what a log was converted to
	Detail    string   `json:"detail,omitempty"` // numbers replaced by N
	Error     string   `json:"error,omitempty"`  // likewise, except of malformed logs
}

// content is the log of an entry.
func (c *Corpus) content(e *Entry) ([]byte, error) {
	switch {
	case e.File == "" && e.Bytes != nil:
		return e.Bytes, nil
	case e.File == "":
		return []byte(e.Text), nil
	}
	if c.Data == "" {
		return nil, fmt.Errorf("corpus: %s is a recording, and no folder of recordings is given", e.File)
	}
	b, err := os.ReadFile(filepath.Join(c.Data, e.File))
	if err == nil && e.Hash != hash(b) {
		err = fmt.Errorf("corpus: %s is no longer the file that the corpus was written of", e.File)
	}
	return b, err
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// add adds an engine's answer, to that of other engines if it is the same.
func (e *Entry) add(engine string, a Answer) {
	for i := range e.Answers {
		a.Engines = e.Answers[i].Engines
		if reflect.DeepEqual(a, e.Answers[i]) {
			e.Answers[i].Engines = append(e.Answers[i].Engines, engine)
			return
		}
	}
	a.Engines = []string{engine}
	e.Answers = append(e.Answers, a)
}

// Read reads a corpus, entry by entry.
func Read(r io.Reader) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		in := json.NewDecoder(bufio.NewReaderSize(r, 1<<20))
		in.DisallowUnknownFields()
		for {
			e := &Entry{}
			err := in.Decode(e)
			if err == io.EOF || !yield(e, err) || err != nil {
				return
			}
		}
	}
}

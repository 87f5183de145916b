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
	"strings"
)

// Entry is one line of a corpus: what every engine says of one log. An entry without a
// log is about the theory: which engines take it.
type Entry struct {
	Log    string `json:"log,omitempty"`    // its name
	Theory string `json:"theory"`           // its file from the project's root, without .theory.yaml
	Text   string `json:"text,omitempty"`   // the log, as text
	Bytes  []byte `json:"bytes,omitempty"`  // the log, if it is no UTF-8
	File   string `json:"file,omitempty"`   // the log is a file of the project, or a recording
	Hash   string `json:"sha256,omitempty"` // of that file
	Raw    bool   `json:"raw,omitempty"`    // malformed, as far as is known: it is only read

	Answers []Answer `json:"answers"`
}

// Answer is what some engines say of a log, all of them the same. Engines are those of
// package check and the ways in which a log is read: text, json and binary are the
// checking of a log in that format, follow is event by event, convert is the copy to
// another format. Explain and witness are the explanation and the evidence for the
// verdict of auto.
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
	Detail    string   `json:"detail,omitempty"` // numbers replaced by N
	Error     string   `json:"error,omitempty"`  // likewise, except of malformed logs
}

// recorded begins the File of recordings, which lie in a folder of their own.
const recorded = "data:"

// path is where the file of an entry is.
func (c *Corpus) path(file string) (string, error) {
	name, isRecorded := strings.CutPrefix(file, recorded)
	if !isRecorded {
		return filepath.Join(c.Root, file), nil
	}
	if c.Data == "" {
		return "", fmt.Errorf("corpus: %s is a recording, and no folder of recordings is given", name)
	}
	return filepath.Join(c.Data, name), nil
}

// content is the log of an entry.
func (c *Corpus) content(e *Entry) ([]byte, error) {
	switch {
	case e.File == "" && e.Bytes != nil:
		return e.Bytes, nil
	case e.File == "":
		return []byte(e.Text), nil
	}
	path, err := c.path(e.File)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if err == nil && e.Hash != hash(b) {
		err = fmt.Errorf("corpus: %s is no longer the file that the corpus was written of", path)
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

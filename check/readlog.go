package check

import (
	"io"

	"github.com/adtinfer/adtinfer/history"
)

// reader reads a log with the words that the options say.
func (c *Checker) reader(r io.Reader, file string) *history.Reader {
	log := history.NewReader(r, file)
	log.OldWords = c.options.OldWords
	return log
}

// ReadLog is history.ReadLog with the theory's methods, and the aliases and words
// that the options say.
func (c *Checker) ReadLog(r io.Reader, file string) (*history.Execution, error) {
	return c.reader(r, file).Execution(c.signature)
}

package check

import (
	"io"

	"github.com/adtinfer/adtinfer/history"
)

// log reads a log with the batch's words.
func (b *Batch) log(r io.Reader, file string) *history.Reader {
	log := history.NewReader(r, file)
	log.OldWords = b.OldWords
	return log
}

// ReadLog is history.ReadLog with the batch's signature and words. Tail says in a
// clause what is missing at the end of the log, if a binary log says so.
func (b *Batch) ReadLog(r io.Reader, file string) (e *history.Execution, tail string, err error) {
	e, err = b.log(r, file).Execution(b.Signature)
	if err != nil {
		return nil, "", err
	}
	return e, e.Tail, nil
}

// joined is two clauses as one, of which either may be empty.
func joined(detail, more string) string {
	if detail == "" {
		return more
	}
	if more == "" {
		return detail
	}
	return detail + "; " + more
}

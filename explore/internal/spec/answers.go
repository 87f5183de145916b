package spec

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/history"
)

// Answer is what an operation answers.
type Answer struct {
	Outcome history.Outcome
	Rets    []history.Value
}

// Answers numbers answers. It is safe for concurrent use.
type Answers struct {
	mu      sync.RWMutex
	numbers map[string]int32
	all     []Answer
}

// NewAnswers is a table without answers.
func NewAnswers() *Answers { return &Answers{numbers: map[string]int32{}} }

// Number is an answer's.
func (a *Answers) Number(answer Answer) int32 {
	var b strings.Builder
	b.WriteString(string(answer.Outcome))
	for _, v := range answer.Rets {
		b.WriteString(" " + strconv.Quote(string(v)))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	n, ok := a.numbers[b.String()]
	if !ok {
		n = int32(len(a.all))
		a.numbers[b.String()] = n
		a.all = append(a.all, Answer{answer.Outcome, slices.Clone(answer.Rets)})
	}
	return n
}

// Answer is the one of a number.
func (a *Answers) Answer(n int32) Answer {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.all[n]
}

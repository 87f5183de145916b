package laws

import (
	"encoding/binary"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// large is as large an argument as a type will have elements.
const large = 1_000_000

// observer is something to see of a state: calls of a copy, the last of which answers.
type observer struct {
	name   string
	params []eq.Param
	sort   eq.Sort
	method int  // that answers
	part   int  // of its answer
	repeat int  // method that is called until nothing changes, so that the observer is a list; -1: none is
	large  bool // the last argument is none of the parameters, but last
	last   int64
	counts bool  // it is how many calls of kind number part there were
	number int32 // of all observers that were looked at; 0: it may still change
	each   bool  // it is the list of the answers to the last arguments last, last + 1, ..., as long as they are values

	news  *news      // it is the list of the values that are answered to these; nil, as below: it is not
	from  *threshold // it is the least argument from which on the answer is a word
	first *earlier   // call before the one that answers
}

// isAnswer reports whether an observer is what its method answers, of all its parameters.
func (o *observer) isAnswer() bool {
	return o.repeat < 0 && !o.large && !o.counts && !o.each && o.news == nil && o.from == nil && o.first == nil
}

// hash is a number that key gives.
func (o *observer) hash() (h uint64) {
	for _, b := range o.key(nil) {
		h = folded(h, uint64(b))
	}
	return h
}

// key appends what tells an observer from all others, whatever its place among them.
func (o *observer) key(b []byte) []byte {
	flag := func(is bool) int64 {
		if is {
			return 1
		}
		return 0
	}
	is := []int64{int64(o.method), int64(o.part), int64(o.repeat), o.last, flag(o.large), flag(o.each)}
	switch {
	case o.news != nil:
		is = append(is, 1, int64(o.news.at), int64(len(o.news.prefix)))
		for _, v := range o.news.given {
			is = append(is, int64(v))
		}
	case o.from != nil:
		is = append(is, 2, int64(o.from.param), int64(o.from.word))
	case o.first != nil:
		is = append(is, 3, int64(o.first.id))
	}
	for _, n := range is {
		b = binary.AppendVarint(b, n)
	}
	return b
}

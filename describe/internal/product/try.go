package product

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// A share is what a word is in the part of one key: its calls, with one and the same
// value for the key.
type share struct {
	key   history.Value
	rest  bool // the part of all other keys
	calls word
	at    []int // indices of the calls in the whole word
}

// split finds the shares of a word. If renamed, one and the same value takes the place
// of all keys.
func (f *finder) split(c choice, w word, renamed bool) []share {
	rest := share{rest: true}
	var shares []share
	of := map[history.Value]int{}
	for i, call := range w {
		r := c[call.Method]
		if r.KeyRole != theory.ByKey {
			rest.add(call, i)
			for n := range shares {
				shares[n].add(call, i)
			}
			continue
		}
		key := call.Args[r.arg]
		n, ok := of[key]
		if !ok {
			n = len(shares)
			of[key] = n
			shares = append(shares, share{key, false, slices.Clone(rest.calls), slices.Clone(rest.at)})
		}
		if renamed {
			call.Args = slices.Clone(call.Args)
			call.Args[r.arg] = f.teacher.Value(call.Method, r.arg, fixedNumber(f.impl, call.Method, r.arg))
		}
		shares[n].add(call, i)
	}
	if len(rest.calls) > 0 {
		shares = append(shares, rest)
	}
	return shares
}

func (s *share) add(c teacher.Call, at int) { s.calls, s.at = append(s.calls, c), append(s.at, at) }

// A witness refutes a choice.
type witness struct {
	choice choice
	word   word
	answer teacher.Answers // of the word
	share  share           // that answers its last call otherwise
	says   string          // how
}

// try tries a choice on all words. The witness is nil if each of them agrees.
func (f *finder) try(c choice) (*witness, theory.ProductStatus, error) {
	var status theory.ProductStatus
	var kept []word
	for _, w := range f.refuted {
		kept = append(kept, w.word)
	}
	for i, words := range append([][]word{kept}, f.stages...) {
		w, err := f.refute(c, words)
		if err == nil && w != nil {
			w, err = f.shrink(w)
		}
		if err != nil || w != nil {
			return w, status, err
		}
		for _, w := range words {
			if i > 0 {
				status.Words, status.Calls, status.Longest = status.Words+1, status.Calls+len(w), max(status.Longest, len(w))
			}
		}
	}
	return nil, status, nil
}

// refute looks for a word that refutes a choice; the witness ends where it does.
func (f *finder) refute(c choice, words []word) (*witness, error) {
	return f.refuteWith(c, words, true)
}

// refuteWith is refute with keys as they are, or renamed.
func (f *finder) refuteWith(c choice, words []word, renamed bool) (*witness, error) {
	whole, err := f.ask(words)
	if err != nil {
		return nil, err
	}
	var all []word
	shares := make([][]share, len(words))
	for i, w := range words {
		if whole[i].Blocks {
			w = w[:len(whole[i].Labels)+1]
		}
		shares[i] = f.split(c, w, renamed)
		for _, s := range shares[i] {
			all = append(all, s.calls)
		}
	}
	parts, err := f.ask(all)
	if err != nil {
		return nil, err
	}
	for i, w := range words {
		answers := parts[:len(shares[i])]
		parts = parts[len(shares[i]):]
		if x := differ(c, w, whole[i], shares[i], answers); x != nil {
			return x, nil
		}
	}
	return nil, nil
}

// differ finds the first call of a word that some part answers otherwise.
func differ(c choice, w word, whole teacher.Answers, shares []share, parts []teacher.Answers) *witness {
	next := make([]int, len(shares)) // the next call of a share
	for i, call := range w {
		if i > len(whole.Labels) || i == len(whole.Labels) && !whole.Blocks {
			return nil
		}
		sum, r := 0, c[call.Method]
		is := answerTo(whole, i, r.key(call.Args))
		for n := range shares {
			s := &shares[n]
			if next[n] == len(s.at) || s.at[next[n]] != i {
				continue
			}
			says := answerTo(parts[n], next[n], r.key(s.calls[next[n]].Args))
			next[n]++
			wrong := says != is
			if r.KeyRole == theory.SumOfAll {
				k, err := strconv.Atoi(says)
				sum += k
				wrong = err != nil || s.rest && k != 0
				if total := strconv.Itoa(sum); !wrong && s.rest && total != is {
					wrong, says = true, total
				}
			}
			if wrong {
				own := share{s.key, s.rest, s.calls[:next[n]], s.at[:next[n]]}
				return &witness{c, w[:i+1], whole, own, says}
			}
		}
	}
	return nil
}

const waits = "waits for ever"

// A returned key is the key of a call, and which value of its answer is to be it.
type returned struct {
	key history.Value
	ret int // from 1; 0: none
}

func (r role) key(args []history.Value) returned {
	if r.ret == 0 {
		return returned{}
	}
	return returned{args[r.arg], r.ret}
}

// answerTo is the answer to a call, as text; a returned key is told as that.
func answerTo(a teacher.Answers, i int, key returned) string {
	if i >= len(a.Labels) {
		return waits
	}
	l := history.Label{Kind: history.Kind{Outcome: a.Labels[i].Outcome}, Rets: a.Labels[i].Rets}
	if key.ret > 0 && key.ret <= len(l.Rets) && l.Rets[key.ret-1] == key.key {
		l.Rets = slices.Clone(l.Rets)
		l.Rets[key.ret-1] = "the key"
	}
	if l.Outcome == history.None {
		return ""
	}
	return l.String()[len(" => "):]
}

func sameAnswers(a, b teacher.Answers) bool {
	if len(a.Labels) != len(b.Labels) || a.Blocks != b.Blocks {
		return false
	}
	for i := range a.Labels {
		if answerTo(a, i, returned{}) != answerTo(b, i, returned{}) {
			return false
		}
	}
	return true
}

// shrink leaves out calls while the rest refutes the choice.
func (f *finder) shrink(w *witness) (*witness, error) {
	for size := max(1, len(w.word)/2); ; {
		smaller := false
		for from := 0; from+size <= len(w.word); {
			x, err := f.refute(w.choice, []word{w.word.without(from, from+size)})
			if err != nil {
				return nil, err
			}
			if x == nil {
				from += size
				continue
			}
			w, smaller = x, true
		}
		if size == 1 && !smaller {
			return w, nil
		}
		size = max(1, size/2)
	}
}

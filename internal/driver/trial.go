//go:build go1.21

package driver

import (
	"bytes"
	"math"
	"math/rand"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/adtinfer/adtinfer/internal/driver/objects"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Numbers of the trials that a keeper makes before it trusts copies and texts.
const (
	trialWords   = 60  // replayed twice
	trialLength  = 10  // of these words, at most
	trialStates  = 300 // reached by copies, each from an earlier one
	trialEqual   = 100 // pairs of words with equal texts
	trialObjects = 16  // alive at once
	trialCalls   = 48  // different calls, about
)

// choose finds out how states can be kept: whether the reference answers alike
// when calls are made again, whether copies do as new objects do, and whether
// objects of equal text answer alike. avoid lists methods that are left alone.
func (k *keeper) choose(avoid []int) {
	t := &trial{k: k, rng: rand.New(rand.NewSource(1))}
	k.kept.Copied, k.kept.Interned = true, true
	t.gather(avoid)
	k.own = true
	if len(t.pool) == 0 {
		t.not(&k.kept.Copied, "no method was tried")
		t.not(&k.kept.Interned, "no method was tried")
		return
	}
	if !t.repeat() {
		return
	}
	if k.own = k.world.Written(math.MaxInt); k.own {
		t.not(&k.kept.Copied, "it writes to what its arguments point to")
		t.not(&k.kept.Interned, "it writes to what its arguments point to")
		return
	}
	if t.starts() {
		t.not(&k.kept.Copied, "it starts goroutines")
		t.not(&k.kept.Interned, "what goroutines hold is not seen")
		return
	}
	for _, k.detail = range []objects.Detail{objects.Short, objects.Full} {
		if t.texts(); !k.kept.Interned {
			break
		}
		words := t.equal()
		if words == "" || k.r.fault != nil {
			break
		}
		if k.detail == objects.Full {
			t.not(&k.kept.Interned, "objects that look the same answer differently after "+words)
		}
	}
	if k.r.fault == nil {
		t.copies()
	}
}

// trial tries a keeper's copies and texts on random calls.
type trial struct {
	k    *keeper
	rng  *rand.Rand
	pool []call
}

// not gives up on one way of keeping states.
func (t *trial) not(what *bool, why string) {
	*what = false
	if !slices.Contains(t.k.kept.Why, why) {
		t.k.kept.Why = append(t.k.kept.Why, why)
	}
}

// gather makes calls of all methods, with arguments of all kinds, also such as
// the reference answered with.
func (t *trial) gather(avoid []int) {
	each := max(trialCalls/2/len(t.k.m.Methods), 4)
	for m := range t.k.m.Methods {
		if slices.Contains(avoid, m) {
			continue
		}
		for i := 0; i < each; i++ {
			t.add(t.random(m))
			if len(t.k.m.ops[m].params) == 0 && !t.k.m.Acceptor {
				break
			}
		}
	}
	if t.k.m.Acceptor {
		return
	}
	for i := 0; i < trialWords/3 && len(t.pool) > 0; i++ {
		_, answers := t.run(t.word(trialLength))
		for _, a := range answers {
			if len(t.pool) < trialCalls {
				t.feed(a, avoid)
			}
		}
	}
}

// add adds a call that is not there yet.
func (t *trial) add(c call) {
	words := t.k.draw(&c)
	for i := range t.pool {
		if t.k.draw(&t.pool[i]) == words {
			return
		}
	}
	t.pool = append(t.pool, c)
}

// random is a call of a method with random arguments, and for an acceptor with a
// random claim.
func (t *trial) random(m int) call {
	o, c := &t.k.m.ops[m], call{method: m}
	for _, p := range o.params {
		c.args = append(c.args, t.value(p))
	}
	if !t.k.m.Acceptor {
		return c
	}
	out := t.rng.Intn(len(o.outcomes))
	c.claim = Claim{Method: t.k.m.Methods[m].Name, Outcome: o.outcomes[out].Name}
	c.answer = []byte{byte(out)}
	for _, a := range c.args {
		c.claim.Args = append(c.claim.Args, a.Value.Interface())
	}
	c.args = nil
	for i := 0; i < o.outcomes[out].Rets; i++ {
		v := t.value(o.rets[i]).Value
		c.claim.Rets = append(c.claim.Rets, v.Interface())
		text := values.GoText(v)
		c.answer = AppendValue(c.answer, 0, text)
	}
	return c
}

// value is a random value of a type: mostly one of three far from any that a
// reference makes up, sometimes a small one.
func (t *trial) value(p reflect.Type) values.Argument {
	if t.rng.Intn(4) == 0 {
		if v, ok := t.k.m.types.Parse(p, string(rune('0'+t.rng.Intn(3)))); ok {
			return v
		}
	}
	k := 1 + t.rng.Intn(3)
	if d := t.k.m.types.DomainOf(p); d > 0 {
		k = min(k, d)
	}
	return t.k.m.types.Argument(p, k)
}

// feed makes calls with the values of an answer as arguments.
func (t *trial) feed(answer []byte, avoid []int) {
	if len(answer) < 2 {
		return
	}
	for in := NewReader(answer[1:]); len(in.b) > 0; {
		_, text := in.Value()
		m := t.rng.Intn(len(t.k.m.ops))
		params := t.k.m.ops[m].params
		if len(params) == 0 || slices.Contains(avoid, m) {
			continue
		}
		c := t.random(m)
		i := t.rng.Intn(len(params))
		if v, ok := t.k.m.types.Parse(params[i], text); ok {
			c.args[i] = v
			t.add(c)
		}
	}
}

// word is a random word: calls of the pool.
func (t *trial) word(most int) []int {
	w := make([]int, 1+t.rng.Intn(most))
	for i := range w {
		w[i] = t.rng.Intn(len(t.pool))
	}
	return w
}

// call makes a call of the pool on an object; the answer is never nil. What
// panics or blocks ends a word.
func (t *trial) call(p unsafe.Pointer, c int) (answer []byte, ended bool) {
	k := t.k
	k.r.seq = t.pool[c].method
	k.r.calling(c)
	ended = k.try(p, &t.pool[c])
	answer = append([]byte{}, k.r.out...)
	if f := k.r.fault; f != nil {
		answer = append([]byte{'!'}, f.Detail...)
		k.r.fault = nil
	}
	return answer, ended
}

// run makes the calls of a word on a new object. There is none if the constructor
// fails.
func (t *trial) run(word []int) (p unsafe.Pointer, answers [][]byte) {
	k := t.k
	var err error
	if !k.guard(func() { p, err = k.construct() }) || err != nil {
		k.r.fault = nil // shows when the first state is made
		return nil, nil
	}
	for _, c := range word {
		a, ended := t.call(p, c)
		answers = append(answers, a)
		if ended {
			break
		}
	}
	return p, answers
}

// words draws a word.
func (t *trial) words(word []int) string {
	var all []string
	for _, c := range word {
		all = append(all, t.k.draw(&t.pool[c]))
	}
	return strings.Join(all, "; ")
}

// repeat runs words twice. Different answers are a fault. Places that both runs
// lead to belong to neither.
func (t *trial) repeat() bool {
	for i := 0; i < trialWords; i++ {
		word := t.word(trialLength)
		p, first := t.run(word)
		q, second := t.run(word)
		if p == nil || q == nil {
			return false
		}
		for n := range first {
			if n < len(second) && !bytes.Equal(first[n], second[n]) {
				t.k.r.fault = &Fault{Reason: Differs, At: n, Words: t.words(word[:n+1]),
					Detail: "first " + t.say(word[n], first[n]) + ", then " + t.say(word[n], second[n])}
				return false
			}
		}
		if err := t.k.world.Learn(t.k.varType, p, q); err != nil {
			t.not(&t.k.kept.Copied, err.Error())
			t.not(&t.k.kept.Interned, err.Error())
		}
	}
	return true
}

// say is an answer in words.
func (t *trial) say(c int, answer []byte) string {
	if answer[0] == '!' {
		return "panic " + string(answer[1:])
	}
	in := NewReader(answer)
	class, blocked := in.Outcome()
	if blocked {
		return "blocked"
	}
	s := t.k.m.ops[t.pool[c].method].outcomeName(byte(class))
	for len(in.b) > 0 {
		_, text := in.Value()
		s += " " + text
	}
	return s
}

// starts reports whether goroutines stay behind as long as objects do.
func (t *trial) starts() bool {
	goroutines := func() int {
		if w := t.k.m.waits; w != nil {
			return runtime.NumGoroutine() - w.left - len(w.idle)
		}
		return runtime.NumGoroutine()
	}
	before := goroutines()
	var alive []unsafe.Pointer
	for i := 0; i < trialObjects; i++ {
		p, _ := t.run(t.word(trialLength))
		alive = append(alive, p)
	}
	more := goroutines() - before
	runtime.KeepAlive(alive)
	return more >= trialObjects/2
}

// texts looks whether objects have texts, the same if made by the same calls.
func (t *trial) texts() {
	for i := 0; i < trialWords && t.k.kept.Interned; i++ {
		word := t.word(trialLength)
		first, err := t.text(word)
		second, err2 := t.text(word)
		switch {
		case err != nil || err2 != nil:
			if err == nil {
				err = err2
			}
			t.not(&t.k.kept.Interned, err.Error())
		case first != second:
			t.not(&t.k.kept.Interned, "the same calls make different objects: "+t.words(word))
		}
	}
}

func (t *trial) text(word []int) (string, error) {
	p, _ := t.run(word)
	if p == nil {
		return "", nil
	}
	text, err := t.k.write(p)
	return string(text), err
}

// equal compares what objects with equal texts answer afterwards. It draws the
// calls that show a difference, if there are any.
func (t *trial) equal() string {
	met := map[string][]int{}
	pairs := 0
	for i := 0; i < trialStates && pairs < trialEqual; i++ {
		word := t.word(trialLength)
		text, err := t.text(word)
		if err != nil {
			t.not(&t.k.kept.Interned, err.Error())
			return ""
		}
		other, known := met[text]
		if !known {
			met[text] = word
			continue
		}
		pairs++
		rest := t.word(2 * trialLength)
		if at := t.differ(other, word, rest); at >= 0 {
			return t.words(append(slices.Clone(word), rest[:at+1]...))
		}
	}
	return ""
}

// differ is the call of rest that is answered differently after two words; -1:
// none. Words end early at a call that blocks, both at the same or else earlier
// than their objects were looked at.
func (t *trial) differ(a, b, rest []int) int {
	p, first := t.run(a)
	q, second := t.run(b)
	if p == nil || q == nil {
		return -1
	}
	if len(first) < len(a) || len(second) < len(b) || t.lastEnded(first, a) || t.lastEnded(second, b) {
		return -1 // lost after the last call
	}
	for i, c := range rest {
		x, endedX := t.call(p, c)
		y, endedY := t.call(q, c)
		if !bytes.Equal(x, y) {
			return i
		}
		if endedX || endedY {
			return -1
		}
	}
	return -1
}

// lastEnded reports whether the last call of a word panicked or blocked.
func (t *trial) lastEnded(answers [][]byte, word []int) bool {
	last := answers[len(word)-1]
	return last[0] == '!' || last[0] == blockedOutcome
}

// reached is a state that a trial of copies reached.
type reached struct {
	object  unsafe.Pointer
	word    []int
	answers [][]byte
	text    string
}

// copies makes calls on copies of earlier objects, old ones again after newer
// ones were made, and compares with new objects.
func (t *trial) copies() {
	k := t.k
	p, _ := t.run(nil)
	if p == nil {
		return
	}
	all := []reached{{object: p, text: t.textOf(p)}}
	for i := 0; i < trialStates; i++ {
		from := all[len(all)-1-t.rng.Intn(min(len(all), 1+t.rng.Intn(len(all))))]
		if len(from.word) > 4*trialLength {
			from = all[0]
		}
		q, err := k.copy(from.object)
		if err != nil {
			t.not(&k.kept.Copied, err.Error())
			return
		}
		c := t.rng.Intn(len(t.pool))
		answer, ended := t.call(q, c)
		next := reached{q, append(slices.Clone(from.word), c), append(slices.Clone(from.answers), answer), t.textOf(q)}
		twin, answers := t.run(next.word)
		if !slices.EqualFunc(next.answers, answers, bytes.Equal) || !ended && k.kept.Interned && t.textOf(twin) != next.text {
			t.not(&k.kept.Copied, "a copy shares state with its original: "+t.words(next.word))
			return
		}
		if !ended {
			all = append(all, next)
		}
	}
	for i := range all {
		if t.textOf(all[i].object) != all[i].text {
			t.not(&k.kept.Copied, "a call on a copy changes its original, after "+t.words(all[i].word))
			return
		}
	}
}

// textOf is an object's text, "" if there is none to compare.
func (t *trial) textOf(p unsafe.Pointer) string {
	if !t.k.kept.Interned {
		return ""
	}
	text, err := t.k.write(p)
	if err != nil {
		return ""
	}
	return string(text)
}

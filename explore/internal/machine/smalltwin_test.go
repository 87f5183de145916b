package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// small is a program in which each thread makes one operation: a list of statements on two variables, a mutex, a
// read-write mutex, an atomic number, channels with room for 0, 1 and 2 elements, and a wait group.
type small struct {
	threads [][]stmt
	count   int // of the wait group at the start
}

// stmt is a statement. Most set the thread's result r, which its operation answers.
type stmt struct {
	op   string
	x, v int    // the variable or channel; the value
	then []stmt // of "if r == v" and of "go"
}

// clock is a vector clock.
type clock [5]uint8

func (c *clock) join(d clock) {
	for i := range c {
		c[i] = max(c[i], d[i])
	}
}

// touched is an access to a variable.
type touched struct {
	thread, at uint8
	write      bool
}

// actor is a thread of a twin's state.
type actor struct {
	code         []stmt // what is left
	r            int
	op           bool // it answers
	parked       bool // at a channel without room
	asked        bool // for a write lock
	ended, panic bool
	c            clock
}

// element is of a channel: a value, and what its sender knows.
type element struct {
	v int
	c clock
}

// line is a channel: its elements, and what those know that have freed places, the longest free first.
type line struct {
	room     int
	elements []element
	freed    []clock
	closed   bool
	closer   clock
}

// twin is a state of a small program, and the happens-before relation of the memory model of Go, as vector clocks.
type twin struct {
	vars                   [2]int
	past                   [2][]touched
	locked, writer         bool
	readers, waiting, left int
	number                 int
	mutex, writers, reads  clock // what those that have unlocked know
	atomic, done           clock
	lines                  [3]line
	actors                 []actor
	race, misuse           bool
}

func (s *small) start() *twin {
	w := &twin{left: s.count}
	for i := range w.lines {
		w.lines[i].room = i
		w.lines[i].freed = make([]clock, i)
	}
	for i, code := range s.threads {
		a := actor{code: code, op: true}
		a.c[i] = 1
		w.actors = append(w.actors, a)
	}
	return w
}

func (w *twin) clone() *twin {
	c := *w
	c.actors = slices.Clone(w.actors)
	for i := range c.past {
		c.past[i] = slices.Clone(w.past[i])
	}
	for i := range c.lines {
		c.lines[i].elements, c.lines[i].freed = slices.Clone(w.lines[i].elements), slices.Clone(w.lines[i].freed)
	}
	return &c
}

// access notes an access to a variable, and whether it races with an earlier one.
func (w *twin) access(t, x int, write bool) {
	for _, p := range w.past[x] {
		if (p.write || write) && w.actors[t].c[p.thread] < p.at {
			w.race = true
		}
	}
	w.past[x] = append(w.past[x], touched{uint8(t), w.actors[t].c[t], write})
}

// said is what operations have answered.
func (w *twin) said() string {
	var all []string
	for i := range w.actors {
		if a := &w.actors[i]; a.op && a.ended {
			answer := fmt.Sprint(a.r)
			if a.panic {
				answer = "panic"
			}
			all = append(all, fmt.Sprint(i, "=", answer))
		}
	}
	return strings.Join(all, " ")
}

// all collects what may come of a state: what is said at its ends, and whether there is a race. Nothing is left
// out, and nothing is remembered.
func (w *twin) all(out map[string]bool, budget *int) {
	switch *budget--; {
	case w.race:
		out["data race"] = true
		return
	case w.misuse:
		out["misuse"] = true
		return
	case *budget < 0:
		return
	}
	moved := false
	for t := range w.actors {
		for choice := 0; ; choice++ {
			n := w.clone()
			ok, more := n.step(t, choice)
			if ok {
				moved = true
				n.all(out, budget)
			}
			if !more {
				break
			}
		}
	}
	if !moved {
		out[w.said()] = true
	}
}

// step makes a thread's next statement; ok is false if it has none, or waits. more says that there is another choice.
func (w *twin) step(t, choice int) (ok, more bool) {
	a := &w.actors[t]
	if a.ended {
		return false, false
	}
	if len(a.code) == 0 {
		a.ended = true
		return true, false
	}
	s := a.code[0]
	a.c[t]++
	switch s.op {
	case "send", "recv", "trysend", "tryrecv", "len", "close":
		return w.channel(t, s, choice)
	case "read":
		w.access(t, s.x, false)
		a.r = w.vars[s.x]
	case "write":
		w.access(t, s.x, true)
		w.vars[s.x] = s.v
	case "if":
		a.code = a.code[1:]
		if a.r == s.v {
			a.code = slices.Concat(s.then, a.code)
		}
		return true, false
	case "go":
		b := actor{code: s.then, c: a.c}
		b.c[len(w.actors)] = 1
		w.actors = append(w.actors, b)
		a = &w.actors[t]
	case "load":
		a.c.join(w.atomic)
		a.r = w.number
	case "store":
		w.atomic, w.number = a.c, s.v
	case "add":
		a.c.join(w.atomic)
		w.number += s.v
		w.atomic, a.r = a.c, w.number
	case "cas":
		a.c.join(w.atomic)
		if a.r = 0; w.number == 0 {
			a.r, w.number, w.atomic = 1, s.v, a.c
		}
	case "done":
		w.left--
		w.done.join(a.c)
	case "wait":
		if w.left > 0 {
			return false, false
		}
		a.c.join(w.done)
	default:
		if !w.lock(a, s) {
			return false, false
		}
		if a.asked {
			return true, false
		}
	}
	a.code = a.code[1:]
	return true, false
}

// lock makes a statement on a mutex; it reports false if that has to wait.
func (w *twin) lock(a *actor, s stmt) bool {
	switch s.op {
	case "lock", "try":
		if w.locked {
			a.r = 0
			return s.op == "try"
		}
		w.locked = true
		a.c.join(w.mutex)
		if s.op == "try" {
			a.r = 1
		}
	case "unlock":
		w.misuse = !w.locked
		w.locked = false
		w.mutex.join(a.c)
	case "rlock", "tryr":
		if w.writer || w.waiting > 0 {
			a.r = 0
			return s.op == "tryr"
		}
		w.readers++
		a.c.join(w.writers)
		if s.op == "tryr" {
			a.r = 1
		}
	case "runlock":
		w.misuse = w.readers == 0
		w.readers--
		w.reads.join(a.c)
	case "wlock", "tryw":
		free := !w.writer && w.readers == 0
		switch {
		case s.op == "tryw" && (!free || w.waiting > 0):
			a.r = 0
			return true
		case s.op == "wlock" && a.asked && !free:
			return false
		case s.op == "wlock" && !a.asked && (!free || w.waiting > 0):
			a.asked = true
			w.waiting++
			return true
		case a.asked:
			a.asked = false
			w.waiting--
		}
		w.writer = true
		a.c.join(w.writers)
		a.c.join(w.reads)
		if s.op == "tryw" {
			a.r = 1
		}
	case "wunlock":
		w.misuse = !w.writer
		w.writer = false
		w.writers.join(a.c)
	}
	return true
}

// partners are the threads that have parked at a channel, and do the opposite.
func (w *twin) partners(x int, send bool) (all []int) {
	for i := range w.actors {
		if a := &w.actors[i]; a.parked && a.code[0].x == x && (a.code[0].op == "send") != send {
			all = append(all, i)
		}
	}
	return all
}

// channel makes a statement on a channel.
func (w *twin) channel(t int, s stmt, choice int) (ok, more bool) {
	a, l := &w.actors[t], &w.lines[s.x]
	send, try := strings.HasSuffix(s.op, "send"), strings.HasPrefix(s.op, "try")
	partners := w.partners(s.x, send)
	switch {
	case s.op == "len":
		a.r = len(l.elements)
	case (s.op == "close" || send) && l.closed:
		a.ended, a.panic, a.parked = true, true, false
		return true, false
	case s.op == "close":
		l.closed, l.closer = true, a.c
	case l.room == 0 && len(partners) > 0 && !l.closed:
		u := &w.actors[partners[choice]]
		both := a.c
		both.join(u.c)
		a.c, u.c = both, both
		if send {
			u.r, a.r = 2*s.v+1, result(try, a.r, 1)
		} else {
			a.r = 2*u.code[0].v + 1 + result(try, 0, 10)
		}
		u.code, u.parked = u.code[1:], false
		more = choice+1 < len(partners)
	case send && len(l.elements) < l.room:
		old := l.freed[0]
		l.freed = l.freed[1:]
		a.c.join(old)
		l.elements = append(l.elements, element{s.v, a.c})
		a.r = result(try, a.r, 1)
	case !send && len(l.elements) > 0:
		e := l.elements[0]
		l.elements = l.elements[1:]
		a.c.join(e.c)
		l.freed = append(l.freed, a.c)
		a.r = 2*e.v + 1 + result(try, 0, 10)
	case !send && l.closed:
		a.c.join(l.closer)
		a.r = result(try, 0, 10)
	case try:
		a.r = 0
	case l.room == 0 && !a.parked:
		a.parked = true
		return true, false
	default:
		return false, false
	}
	a.code, a.parked = a.code[1:], false
	return true, more
}

func result(try bool, no, yes int) int {
	if try {
		return yes
	}
	return no
}

// outcomes are what may come of a program: nil if there are too many runs.
func (s *small) outcomes(most int) map[string]bool {
	out := map[string]bool{}
	s.start().all(out, &most)
	if most < 0 && !out["data race"] {
		return nil
	}
	if out["data race"] {
		return map[string]bool{"data race": true}
	}
	return maps.Clone(out)
}

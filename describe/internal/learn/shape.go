package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// shape is a sequence of letters with classes for compared arguments: equal
// arguments have the same class. What is only moved has no class.
type shape struct {
	letters []int
	classes [][]int // by letter and parameter; -1: fixed, or only moved
	sorts   []int   // by class

	made [][2]int // by class: the letter that answers it first, and its result; otherwise the letter is -1
}

// shapeOf leaves out of steps what does not matter: which values they have. The
// first of them is at base in its word.
func (a *alphabet) shapeOf(steps []step, base int) (s shape) {
	class := map[history.Value]int{}
	for _, x := range steps {
		of := make([]int, len(x.args))
		for p, v := range x.args {
			of[p] = -1
			if !a.compared(x.letter, p) {
				continue
			}
			if _, ok := class[v]; !ok {
				class[v] = len(s.sorts)
				s.sorts = append(s.sorts, a.sort(x.letter, p))
				made := [2]int{-1, 0}
				if at, r := place(v); at >= base {
					made = [2]int{at - base, r}
				}
				s.made = append(s.made, made)
			}
			of[p] = class[v]
		}
		s.letters, s.classes = append(s.letters, x.letter), append(s.classes, of)
	}
	return s
}

func (s *shape) key() string { return fmt.Sprint(s.letters, s.classes, s.made) }

// single are the shapes of one call: compared arguments are equal, or not.
func (a *alphabet) single() (all []shape) {
	for l := range a.letters {
		args := [][]history.Value{{}}
		for p := range a.letters[l].free {
			var longer [][]history.Value
			for _, some := range args {
				if a.compared(l, p) {
					for q, v := range some {
						if a.compared(l, q) && a.sort(l, q) == a.sort(l, p) && slices.Index(some, v) == q {
							longer = append(longer, append(slices.Clone(some), v))
						}
					}
				}
				longer = append(longer, append(slices.Clone(some), history.Value(fmt.Sprint(p))))
			}
			args = longer
		}
		for _, some := range args {
			all = append(all, a.shapeOf([]step{{l, some}}, 0))
		}
	}
	return all
}

// concrete are the steps of a shape, with values for its classes. What is only
// moved gets fresh values.
func (a *alphabet) concrete(s *shape, of []history.Value, f *freshValues) []step {
	steps := make([]step, len(s.letters))
	for i, l := range s.letters {
		args := slices.Clone(a.letters[l].fixed)
		for p := range args {
			switch {
			case s.classes[i][p] >= 0:
				args[p] = of[s.classes[i][p]]
			case a.letters[l].free[p]:
				args[p] = f.next(a.sort(l, p))
			}
		}
		steps[i] = step{l, args}
	}
	return steps
}

// freshValues gives out values that were not there before.
type freshValues struct {
	a    *alphabet
	used map[history.Value]bool
	at   []int // by sort
}

func (a *alphabet) fresh(used map[history.Value]bool) *freshValues {
	return &freshValues{a: a, used: used, at: make([]int, len(a.sorts))}
}

// next is a value of a sort. Of a small type the values come again in the end.
func (f *freshValues) next(s int) history.Value {
	for {
		v := f.a.value(s, f.at[s])
		f.at[s]++
		if d := f.a.sorts[s].domain; !f.used[v] || d > 0 && f.at[s] > d {
			return v
		}
	}
}

// entry is what the reference answers to a shape after a word: tokens are outcomes
// and values, those of the word as atoms.
type entry []token

// token is a value of the word before, or else a text.
type token struct {
	atom bool
	text string
}

func (e entry) String() string {
	var b strings.Builder
	for _, t := range e {
		b.WriteString(t.text)
		b.WriteByte(' ')
	}
	return b.String()
}

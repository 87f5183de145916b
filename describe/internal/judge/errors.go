package judge

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Wrong is the error of a theory that is wrong about a longer run of its
// reference than the inference looked at.
type Wrong struct {
	Execution []history.Label // the shortest one found

	// Missed: operation At is Instead in the reference, or waits if that is empty,
	// and the theory does not mind. Otherwise this is what the reference answers,
	// and the theory does.
	Missed  bool
	At      int
	Instead string
	Why     string // what the theory has against it, unless Missed

	Looks bool // the reference looks into values, which the theory takes for mere names
}

func (w *Wrong) Error() string {
	if w.Looks {
		return "judge: answers depend on more than which values are equal:\n  " + strings.ReplaceAll(w.describe(), "\n", "\n  ")
	}
	s := "judge: the specification that was found is wrong"
	if n := len(w.Execution); n > 1 {
		s += fmt.Sprintf("; it may be right about executions of up to %d calls, but not about this one of %d", n-1, n)
	}
	return s + ":\n  " + strings.ReplaceAll(w.describe(), "\n", "\n  ")
}

// describe is the execution, and what is wrong about it.
func (w *Wrong) describe() string {
	if w.Missed {
		instead := "is " + w.Instead
		if w.Instead == "" {
			instead = "waits for ever"
		}
		return fmt.Sprintf("%s\nin the reference call %d %s, and the specification does not see the difference", Draw(w.Execution), w.At+1, instead)
	}
	return Draw(w.Execution) + "\nthe reference answers so, but " + w.Why
}

// Blind is the error of a theory that does not see wrong versions of its
// reference that differ within a few calls.
type Blind struct {
	Unseen   []theory.Mutant
	Language []theory.Rule // of the theory, which is often why
}

// mostUnseen is how many mutants an error lists.
const mostUnseen = 6

func (b *Blind) Error() string {
	var s strings.Builder
	s.WriteString("judge: this specification does not notice that:")
	for i, u := range b.Unseen {
		if i == mostUnseen {
			fmt.Fprintf(&s, "\n  and %d more wrong versions", len(b.Unseen)-i)
			break
		}
		fmt.Fprintf(&s, "\n  %s: %s", u.Name, u.Shows)
	}
	for _, r := range b.Language {
		fmt.Fprintf(&s, "\nit covers only executions in which %s", r.Reading)
	}
	return s.String()
}

// Empty is the error of a theory that says nothing.
type Empty struct {
	Why  string
	Left []string // methods that were left out, which may be why; sentences
}

func (e *Empty) Error() string {
	return strings.Join(append([]string{"judge: the specification says nothing: " + e.Why}, e.Left...), "\n  ")
}

// empty is the error of a theory that says nothing, or nil.
func empty(t *theory.Theory) error {
	if t.Spec.Product != nil || t.Spec.Automaton != nil {
		return nil
	}
	if len(t.Spec.Patterns) == 0 {
		return &Empty{Why: "it calls no execution wrong"}
	}
	for i := range t.Spec.Patterns {
		for _, o := range t.Spec.Patterns[i].History.Ops {
			if !o.ReadOnly {
				return nil
			}
		}
	}
	return &Empty{Why: "its patterns are about read-only operations alone"}
}

// manyAlike is how many operations of one kind in a row are not written out.
const manyAlike = 5

// Draw writes an execution on one line. Of many operations of one kind in a row
// only the first and the last are shown.
func Draw(labels []history.Label) string {
	return abridged(labels, func(i int) string { return labels[i].String() })
}

// abridged is Draw with another text for each operation.
func abridged(labels []history.Label, text func(int) string) string {
	var parts []string
	for i := 0; i < len(labels); {
		j := i
		for j < len(labels) && labels[j].Kind == labels[i].Kind {
			j++
		}
		if j-i < manyAlike {
			for ; i < j; i++ {
				parts = append(parts, text(i))
			}
			continue
		}
		parts = append(parts, fmt.Sprintf("%s; ... (%d times in all); %s", text(i), j-i, text(j-1)))
		i = j
	}
	return strings.Join(parts, "; ")
}

// line is a text on one line.
func line(text string) string { return strings.Join(strings.Fields(text), " ") }

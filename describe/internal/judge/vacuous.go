package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/refusal"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
)

// Vacuous is an *Empty error if no answer of a reference depends on what was called
// before: then an implementation that does nothing is right, too. Otherwise it says of
// which methods nothing is known but that they fail, a sentence each. What breaks the
// reference is for others to find.
func (j Options) Vacuous(ctx context.Context, impl reference.Implementation) (failing []string, err error) {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return nil, nil // it answers nothing of itself
	}
	c := &constant{methods: impl.Methods(), answers: map[string]string{}, first: make([]string, len(impl.Methods())), works: make([]bool, len(impl.Methods()))}
	for _, ws := range c.words() {
		if c.told() {
			return nil, nil
		}
		answers, err := impl.Replay(ctx, ws)
		switch {
		case brokeDown(err):
			return nil, nil
		case err != nil:
			return nil, err
		}
		for i := range ws {
			c.hear(ws[i], answers[i])
		}
	}
	if !c.depends && !c.compound() {
		return nil, &Empty{Why: c.why(), Left: j.Skipped}
	}
	for m, works := range c.works {
		if !works && c.first[m] != "" {
			failing = append(failing, fmt.Sprintf("method %s always fails, in all of %s of up to %s: %s", c.methods[m].GoName, wording.Count(c.tried, "sequence"), wording.Count(c.longest, "call"), c.first[m]))
		}
	}
	return failing, nil
}

// constant finds out whether answers depend on anything but the call.
type constant struct {
	methods []reference.Method
	answers map[string]string // by call
	first   []string          // of each method, a call with its answer
	works   []bool            // it did not fail once
	depends bool              // a call was answered in two ways

	tried, longest int
}

// words are sequences, in the order in which they are tried.
func (c *constant) words() (all [][]word) {
	for n := 1; n <= 3; n++ {
		all = append(all, teacher.Short(c.methods, n))
	}
	random := make([]word, modelRandom)
	for i := range random {
		random[i] = teacher.NewGenerator(c.methods, 1<<36+uint64(i)).Random(exampleCalls)
	}
	looked := make([]word, modelRandom) // whoever checks an index answers nothing else before
	for i := range looked {
		for _, t := range teacher.Telling(c.methods, i) {
			looked[i] = append(looked[i], reference.Call{Method: t.Method, Values: t.Args})
		}
	}
	return append(all, random, looked, teacher.Long(c.methods, 0, 2*len(c.methods)+8))
}

// told reports whether there is nothing more to find out.
func (c *constant) told() bool { return c.depends && !slices.Contains(c.works, false) }

func (c *constant) hear(w word, answers []reference.Answer) {
	c.tried, c.longest = c.tried+1, max(c.longest, len(answers))
	for i, a := range answers {
		call := fmt.Sprint(w[i].Method, w[i].Args, w[i].Values)
		said := fmt.Sprint(a.Blocked, a.Outcome)
		for _, v := range a.Rets { // a number that somebody passed in, or not, is the same number
			said += " " + strings.TrimSuffix(strings.TrimPrefix(string(v), "("), ")")
		}
		if was, ok := c.answers[call]; ok && was != said {
			c.depends = true
		}
		c.answers[call] = said
		m := w[i].Method
		fails := a.Outcome == history.Panic || wording.IsError(string(a.Outcome))
		c.works[m] = c.works[m] || !fails
		if c.first[m] == "" {
			c.first[m] = refusal.DrawCall(c.methods, w[i], a)
		}
	}
}

// compound reports whether a method takes values with parts. These and the arguments of other methods have different
// numbered values, so that a look-up by a field finds nothing, and that nothing depends on earlier calls says little.
func (c *constant) compound() bool {
	return slices.ContainsFunc(c.methods, func(m reference.Method) bool {
		return slices.ContainsFunc(m.Params, func(b values.Basic) bool { return b.Fields != nil || b.Elem != nil })
	})
}

// why says how little is answered.
func (c *constant) why() string {
	shown := slices.DeleteFunc(slices.Clone(c.first), func(s string) bool { return s == "" })
	return fmt.Sprintf("each call is answered alike, whatever was called before, in all of %s of up to %s: %s",
		wording.Count(c.tried, "sequence"), wording.Count(c.longest, "call"), strings.Join(shown, ", "))
}

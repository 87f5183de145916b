package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// shapedWords is how many words Parts looks at.
const shapedWords = 400

// Parts looks for a word that is answered otherwise if its values with parts are replaced
// by others that are as different from one another. Descriptions know which values are
// equal, and nothing of parts: a reference that looks into them has none.
func Parts(ctx context.Context, impl reference.Implementation) (*Wrong, error) {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return nil, nil
	}
	p := &parts{impl: impl, ask: teacher.New(impl)}
	var all [][]teacher.Call
	for i := range shapedWords {
		w := teacher.Shaped(impl.Methods(), i)
		if w == nil {
			return nil, nil
		}
		all = append(all, w)
	}
	found, at, err := p.first(ctx, all)
	if found == nil || err != nil {
		if brokeDown(err) {
			err = nil // nothing is known, as of what telling tries
		}
		return nil, err
	}
	_, err = teacher.Shorten(all[at], func(less []teacher.Call) (bool, error) {
		shorter, _, err := p.first(ctx, [][]teacher.Call{less})
		if shorter != nil {
			found = shorter
		}
		return shorter != nil, err
	})
	return found, err
}

// parts compares answers to words with those to words with other values.
type parts struct {
	impl reference.Implementation
	ask  *teacher.Teacher
}

// numbered is the numbered value of a type that stands for a value; [] is one of several.
type numbered struct {
	typ   string
	value history.Value
}

// first is the first word that is answered otherwise.
func (p *parts) first(ctx context.Context, all [][]teacher.Call) (*Wrong, int, error) {
	plain, names := make([][]teacher.Call, len(all)), make([]map[history.Value][]numbered, len(all))
	for i, w := range all {
		plain[i], names[i] = p.numbered(w)
	}
	answers, err := p.ask.Ask(ctx, slices.Concat(all, plain))
	if err != nil {
		return nil, 0, err
	}
	for i := range all {
		if w := differs(answers[i].Labels, answers[len(all)+i].Labels, names[i]); w != nil {
			return w, i, nil
		}
	}
	return nil, 0, nil
}

// numbered is a word with numbered values instead of those with parts, up to where there
// are no more of them, and the numbered one by the text of the other.
func (p *parts) numbered(w []teacher.Call) (plain []teacher.Call, names map[history.Value][]numbered) {
	names = map[history.Value][]numbered{}
	count := map[string]int{} // by type
	for _, c := range w {
		m := &p.impl.Methods()[c.Method]
		args := slices.Clone(c.Args)
		for k, v := range args {
			b := &m.Params[k]
			if !b.HasParts() {
				continue
			}
			typ := b.Name()
			at := slices.IndexFunc(names[v], func(n numbered) bool { return n.typ == typ })
			if at < 0 {
				count[typ]++
				if d := m.ArgDomain[k]; d > 0 && count[typ] > d {
					return plain, names
				}
				at = len(names[v])
				names[v] = append(names[v], numbered{typ, history.Value(b.Numbered(count[typ]))})
			}
			args[k] = names[v][at].value
		}
		plain = append(plain, teacher.Call{Method: c.Method, Args: args})
	}
	return plain, names
}

// differs is the beginning of an execution that is answered otherwise than the same with
// other values. What comes after a panic says little.
func differs(labels, plain []history.Label, names map[history.Value][]numbered) *Wrong {
	for i := range min(len(labels), len(plain)) {
		l, same := labels[i], plain[i].Outcome == labels[i].Outcome && len(plain[i].Rets) == len(labels[i].Rets)
		if l.Outcome == history.Panic || plain[i].Outcome == history.Panic {
			return nil
		}
		for k := 0; same && k < len(l.Rets); k++ {
			same = plain[i].Rets[k] == l.Rets[k] || slices.ContainsFunc(names[l.Rets[k]], func(n numbered) bool { return n.value == plain[i].Rets[k] })
		}
		if !same {
			return &Wrong{Execution: labels[:i+1], Looks: true,
				Why: fmt.Sprintf("to a specification values are mere names, and with others it answers %s", Draw(plain[:i+1]))}
		}
	}
	return nil
}

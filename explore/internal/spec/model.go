package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// Model is a built-in model by its name, such as queue or semaphore(3). See
// wgl.Builtin.
func Model(name string, list *List, a *Answers) (Spec, error) {
	m, err := wgl.Builtin(name)
	if err != nil {
		return nil, err
	}
	if wgl.Open(name) {
		return nil, fmt.Errorf("built-in model %s: its answers do not follow from the calls, so they cannot be listed; explore against a reference instead (--ref)", name)
	}
	sig, err := history.NewSignature(wgl.Methods(name)...)
	if err != nil {
		return nil, err
	}
	f, err := fit(list, sig, "built-in model "+name)
	if err != nil {
		return nil, err
	}
	labels := f.labels
	if r, ok := m.(wgl.Refusing); ok {
		for i := range labels {
			if err := r.Refuses(&labels[i]); err != nil {
				return nil, fmt.Errorf("built-in model %s: %w", name, err)
			}
		}
	}
	if b, ok := m.(wgl.Bounded); ok {
		var all []*history.Label
		for range list.Most {
			for i := range labels {
				all = append(all, &labels[i])
			}
		}
		if _, err := b.Fits(all); err != nil {
			return nil, fmt.Errorf("built-in model %s: %w", name, err)
		}
	}
	values := history.Label{Rets: inPlay(name, labels, list.Most)}
	b := &builtin{newStates(m.Init()), name, wgl.Plain(m, sig, history.Sequential(values))}
	return tableOf(b, f, a), nil
}

// mostTexts bounds the texts that a store may hold which appends.
const mostTexts = 900

// inPlay is the values that a model may answer: those of the calls, and what it
// computes of them.
func inPlay(name string, labels []history.Label, most int) (values []history.Value) {
	add := func(v history.Value) {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	model, parameter, _ := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	if text, err := strconv.Unquote(parameter); err == nil {
		parameter = text
	}
	if parameter != "" {
		add(history.Value(parameter))
	}
	var texts []history.Value // that may be appended
	reach := int64(1)         // of one addition
	for _, l := range labels {
		for _, v := range l.Args {
			add(v)
			if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
				reach = max(reach, n, -n)
			}
		}
		if l.Method == "append" && len(l.Args) == 2 {
			texts = append(texts, l.Args[1])
		}
	}
	switch model {
	case "counter", "log": // what additions may add up to, from the parameter on
		first, _ := strconv.ParseInt(parameter, 10, 64)
		for n := -reach * int64(most); n <= reach*int64(most); n++ {
			add(history.Value(strconv.FormatInt(first+n, 10)))
		}
	case "versioned-register": // how often it may have been written
		for n := range most + 1 {
			add(history.Value(strconv.Itoa(n)))
		}
	}
	if len(texts) > 0 {
		longer := append([]history.Value{""}, values...)
		for range most {
			var next []history.Value
			for _, v := range longer {
				for _, t := range texts {
					if len(values) < mostTexts && !slices.Contains(values, v+t) {
						add(v + t)
						next = append(next, v+t)
					}
				}
			}
			longer = next
		}
	}
	return values
}

// builtin is a built-in model.
type builtin struct {
	states
	name  string
	model wgl.Answerer
}

// ways are the answers of the model, which must have one among the values in play. Where
// a call may fail, which the implementation cannot say, or may panic, it may wait, too.
func (b *builtin) ways(state int32, call *history.Label) (ways []way, err error) {
	from := b.All[state]
	for _, l := range b.model.Answers(from, call) {
		if next, ok := b.model.Step(from, &l); ok {
			ways = append(ways, way{Answer{l.Outcome, l.Rets}, b.Of(next)})
		}
	}
	if _, ok := b.model.Step(from, call); ok && len(ways) == 0 {
		return nil, fmt.Errorf("built-in model %s: what %s answers is not among the values of the calls", b.name, call)
	}
	return ways, nil
}

func (b *builtin) text(state int32) string {
	if state == 0 {
		return "new"
	}
	return fmt.Sprintf("state %d", state)
}

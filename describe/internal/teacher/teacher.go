package teacher

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/reference"
)

// Teacher asks a reference, and remembers what it answered. It is not safe for
// concurrent use.
type Teacher struct{ *live.Memory }

// most is how many calls are remembered.
const most = 2_000_000

// New makes a Teacher of a reference that is no Acceptor.
func New(impl reference.Implementation) *Teacher {
	asked, _ := live.NewCaller(impl, nil)
	return &Teacher{live.NewMemory(logged{impl, asked}, most)}
}

// logged is a reference that writes values as logs do.
type logged struct {
	reference.Implementation
	caller *live.Caller
}

// Replay is the caller's.
func (l logged) Replay(ctx context.Context, words [][]reference.Call) ([][]reference.Answer, error) {
	return l.caller.Replay(ctx, words)
}

// Call is a call of a method, by its index in Methods.
type Call struct {
	Method int
	Args   []history.Value
}

// Answers are what a reference answers to the calls of a word: a label for each.
type Answers struct {
	Labels []history.Label
	Blocks bool // the call after the last label waits for ever
}

// Value is the text of value number k > 0 of a parameter; of parameters of one type
// the same number is the same value, and two numbers, up to the parameter's ArgDomain
// if that is not 0, are two values.
func (t *Teacher) Value(method, param, k int) history.Value {
	return history.Value(t.Methods()[method].Params[param].Numbered(k))
}

// Ask answers words, each on a new object.
func (t *Teacher) Ask(ctx context.Context, words [][]Call) ([]Answers, error) {
	ask, methods := make([][]reference.Call, len(words)), t.Methods()
	for i, w := range words {
		ask[i] = make([]reference.Call, len(w))
		for j, c := range w {
			ask[i][j] = reference.Call{Method: c.Method, Values: c.Args}
		}
	}
	told, err := t.Replay(ctx, ask)
	if err != nil {
		return nil, err
	}
	out := make([]Answers, len(words))
	for i, answers := range told {
		out[i].Labels = make([]history.Label, 0, len(answers))
		for j, a := range answers {
			if out[i].Blocks = a.Blocked; a.Blocked {
				break
			}
			c := &words[i][j]
			out[i].Labels = append(out[i].Labels, history.Label{Kind: history.Kind{Method: methods[c.Method].Name, Outcome: a.Outcome}, Args: c.Args, Rets: a.Rets})
		}
	}
	return out, nil
}

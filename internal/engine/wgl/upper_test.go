package wgl_test

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// store is the key-value store: put, append and get of strings, by key.
type store struct{}

type stored string

var seed = maphash.MakeSeed()

func (t stored) Equal(s wgl.State) bool { return t == s }
func (t stored) Hash() uint64           { return maphash.String(seed, string(t)) }

func (store) Init() wgl.State { return stored("") }

func (store) Key(l *history.Label) history.Value { return l.Args[0] }

func (store) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	switch l.Method {
	case "put":
		return stored(l.Args[1]), true
	case "append":
		return s.(stored) + stored(l.Args[1]), true
	}
	return s, l.Outcome == history.Pending || string(s.(stored)) == string(l.Rets[0])
}

// ending is a context that ends after it was asked a number of times.
type ending struct {
	context.Context
	left *atomic.Int64
}

func (c ending) Err() error {
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestUpper: a violation that is known is told, though time runs out while a
// part that may violate earlier is searched.
func TestUpper(t *testing.T) {
	e := &history.Execution{}
	add := func(method, key, value string) {
		o := history.Operation{ID: fmt.Sprint(len(e.Ops)), Call: e.Events, Return: history.NoReturn,
			Label: history.Label{Kind: history.Kind{Method: method, Outcome: history.None}, Args: []history.Value{history.Value(key), history.Value(value)}}}
		if method == "get" {
			o.Outcome, o.Args, o.Rets = history.Some, o.Args[:1], o.Args[1:]
		}
		e.Ops = append(e.Ops, o)
		e.Events++
	}
	back := func(from int) {
		for i := from; i < len(e.Ops); i++ {
			e.Ops[i].Return = e.Events
			e.Events++
		}
	}
	for i := range 16 { // in whatever order
		add("append", "slow", fmt.Sprint(i))
	}
	back(0)
	add("get", "slow", "none of them")
	add("get", "fast", "never put")
	back(16)
	var left atomic.Int64
	left.Store(200)
	got, err := wgl.Check(ending{t.Context(), &left}, store{}, e, wgl.Options{Partition: true})
	want := wgl.Result{Prefix: e.Events, Parts: 2, Upper: true, Ended: context.DeadlineExceeded}
	if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); err != nil || diff != "" {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
}

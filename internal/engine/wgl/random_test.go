package wgl_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// types are those that have a built-in model. Most use values again.
func types() []historytest.Type {
	return []historytest.Type{
		historytest.Register().Reusing(3), historytest.Queue(), historytest.Stack().Reusing(2), historytest.Set(), historytest.Lock().Reusing(3),
		historytest.Worksteal().Reusing(2), historytest.Bag(), historytest.PriorityQueue(),
	}
}

func builtin(tb testing.TB, s historytest.Type) wgl.Model {
	tb.Helper()
	m, err := wgl.Builtin(s.Name)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

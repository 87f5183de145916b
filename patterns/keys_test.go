package patterns_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/kvstore"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/namedqueues"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/topic"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// TestKeys: where a value comes with a key, drawings do not give both one name,
// though they may be of one type, and sentences say which is meant.
func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		make any
		info reference.Info // as is found, which takes longer
		want []string
	}{
		{kvstore.New, keyed("method(x) = put | method(x) = delete", "put", "method(x) = get | method(x) = delete",
			"method(y) = delete & outcome(x) = nil & arg(y) = arg(x)"), []string{
			"[1:X] get(v1) => v1b (RO)",
			"get returns a value that was never passed to put with that key",
			"[1:1] put(v1, v1b); [2:1] get(v1) => - (RO)",
			"get returns nil for a key after put is called with it",
			"[1:2] get(v2) => v2b (RO); [2:2] put(v2, v2b)",
			"get returns a value for a key before put is called with it",
		}},
		{namedqueues.New, keyed("method(x) = publish", "publish", "outcome(x) = nil"), []string{
			"[1:X] consume(v1) => v1b",
			"consume returns a value that was never passed to publish with that key",
			"[1:1] publish(v1, v1b); [2:1] consume(v1) => - (RO)",
			"consume returns nil for a key after publish is called with it; consume never returns a value for it",
			"[1:2] consume(v2) => v2b; [2:2] publish(v2, v2b)",
			"consume returns a value for a key before publish is called with it",
			"[1:1] publish(v1, v1b); [2:1] consume(v1) => - (RO); [3:1] consume(v1) => v1b",
			"consume returns nil for a key after publish is called with it and before consume returns a value for it",
			"[1:1] publish(v1, v1b); [2:1] consume(v1) => v1b; [3:1] consume(v1) => v1b",
			"consume returns a value twice for the same key",
		}},
		{topic.New, reference.Info{ // the consumer is no key of the message
			Language: []reference.Rule{once("method(x) = publish | method(x) = poll")},
			Target:   []string{"method(y) = publish & arg(y) = ret(x)", "x = y & (method(x) = publish | outcome(x) = nil)"},
			ReadOnly: "method(x) = poll",
		}, []string{
			"[1:X] poll(v1) => v1b (RO)",
			"poll returns a value that was never passed to publish",
			"[1:2] poll(v1) => v2 (RO); [2:2] publish(v2)",
			"poll returns a value before publish is called with it",
			"[1:1] publish(v1); [2:2] poll(v2) => - (RO)",
			"poll returns nil after publish is called with a value",
			"[1:1] publish(v1); [2:2] publish(v2); [3:2] poll(v3) => v2 (RO)",
			"publish is called with a first value and then a second, then poll returns the second",
		}},
	} {
		impl, err := reference.Of(tt.make)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(impl.Name(), func(t *testing.T) {
			th, err := patterns.Infer(t.Context(), impl, tt.info, patterns.Options{
				CrossLength: 2, Checks: matching.Budget{Executions: 500, MinLength: 3, MaxLength: 3},
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range th.Spec.Patterns {
				_, labels, err := history.ParseDrawing(p.Drawing)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, history.DrawLine(&p.History, labels), p.Reading)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// keyed is the scheme of a store with get, or consume, of what was put under a
// key; the operations of setters bring a key in.
func keyed(setters, put, readOnly string, more ...string) reference.Info {
	return reference.Info{
		Language: []reference.Rule{once(setters)},
		Target: slices.Concat([]string{
			"method(y) = " + put + " & arg(y) = arg(x) & arg(y, 2) = ret(x)",
			"method(y) = " + put + " & outcome(x) = nil & arg(y) = arg(x)",
		}, more, []string{"x = y & (outcome(x) = nil | " + setters + ")"}),
		ReadOnly: readOnly,
	}
}

// once is the rule that no value is the first argument of two such operations.
func once(setters string) reference.Rule {
	return reference.Rule{Name: "once", Formula: "forall x:Op, y:Op. (" + setters + ") & (" +
		strings.ReplaceAll(setters, "(x)", "(y)") + ") & arg(x) = arg(y) -> x = y"}
}

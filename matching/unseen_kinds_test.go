package matching_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
)

// ring is a queue with as many places as its array.
type ring struct {
	vs       []int
	capacity int
}

func (r *ring) Put(v int) bool {
	if len(r.vs) == r.capacity {
		return false
	}
	r.vs = append(r.vs, v)
	return true
}

func (r *ring) Get() (int, bool) {
	if len(r.vs) == 0 {
		return 0, false
	}
	v := r.vs[0]
	r.vs = r.vs[1:]
	return v, true
}

// An answer that comes only after more calls than synthesis looks at is a reason
// to refuse, in words: nothing would be said about it.
func TestSynthesizeUnseenKinds(t *testing.T) {
	for _, capacity := range []int{4, 5, 6} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			_, err := synthesize(t, func() *ring { return &ring{capacity: capacity} }, matching.Options{})
			var none *matching.None
			if !errors.As(err, &none) {
				t.Fatalf("error is %v, want a *synthesis.None", err)
			}
			want := []history.Kind{{Method: "put", Outcome: "false"}}
			if diff := cmp.Diff(want, none.Failure.Unseen); diff != "" {
				t.Errorf("kinds that are unseen (-want +got):\n%s", diff)
			}
			const text = "synthesis: no matching scheme can be found: in executions of up to 4 operations, there is no put => false\n" +
				"if it takes a full object to see that, infer from one with a smaller capacity; or give the matching scheme"
			if diff := cmp.Diff(text, err.Error()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

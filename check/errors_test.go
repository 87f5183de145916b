package check_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// failingType is a random type whose methods return errors: by its state, each method goes to
// another and returns one of a few errors, or none.
type failingType struct {
	next   [3][2]int
	err    [3][2]int // 0: none
	errors []error   // from 1
}

type failingObject struct {
	t     *failingType
	state int
}

func (o *failingObject) call(method int) error {
	i := o.t.err[o.state][method]
	o.state = o.t.next[o.state][method]
	if i == 0 {
		return nil
	}
	return o.t.errors[i-1]
}

var (
	errFull   = errors.New("store: full")
	errClosed = errors.New("closed")
)

func randomFailing(r *rand.Rand) *failingType {
	t := &failingType{errors: []error{
		errFull, fmt.Errorf("put: %w", errClosed), errors.New("not yet"), errors.New("already done"),
	}}
	for s := range t.next {
		for m := range t.next[s] {
			t.next[s][m], t.err[s][m] = r.IntN(3), r.IntN(len(t.errors)+1)
		}
	}
	return t
}

func (t *failingType) spec() reference.Spec {
	op := func(m int) any { return func(o *failingObject) error { return o.call(m) } }
	return reference.Spec{
		Name: "failing", New: func() *failingObject { return &failingObject{t: t} },
		Operations: []reference.Operation{{Name: "put", Func: op(0)}, {Name: "end", Func: op(1)}},
		Errors:     map[string]error{"ErrFull": errFull, "ErrClosed": errClosed},
	}
}

// failingCall is a call with the number of the error that the log has: -1 is one that nobody knows.
type failingCall struct{ method, call, ret, err int }

// log is random calls that overlap, answered in some order, one of them perhaps wrongly.
func (t *failingType) log(r *rand.Rand) (all []failingCall, text string) {
	o := &failingObject{t: t}
	var b strings.Builder
	open, at := []int{}, 0
	for len(all) < 5 || len(open) > 0 {
		if len(all) < 5 && len(open) < 2 && r.IntN(2) == 0 {
			m := r.IntN(2)
			fmt.Fprintf(&b, "[%d] call %s\n", len(all), [...]string{"put", "end"}[m])
			open, all = append(open, len(all)), append(all, failingCall{method: m, call: at})
			at++
			continue
		}
		if len(open) == 0 {
			continue
		}
		k := r.IntN(len(open))
		i := open[k]
		open = append(open[:k], open[k+1:]...)
		e := 0
		if err := o.call(all[i].method); err != nil {
			e = 1
			for t.errors[e-1] != err {
				e++
			}
		}
		if r.IntN(5) == 0 {
			e = r.IntN(len(t.errors)+2) - 1
		}
		all[i].ret, all[i].err = at, e
		at++
		switch {
		case e == 0:
			fmt.Fprintf(&b, "[%d] return\n", i)
		case e < 0:
			fmt.Fprintf(&b, "[%d] return error: something else\n", i)
		default:
			fmt.Fprintf(&b, "[%d] return error: %v\n", i, t.errors[e-1])
		}
	}
	return all, b.String()
}

// fits reports whether calls can take effect in some order; an error that nobody knows is any.
func (t *failingType) fits(all []failingCall, done int, state int) bool {
	if done == 1<<len(all)-1 {
		return true
	}
	for i, c := range all {
		if done&(1<<i) != 0 {
			continue
		}
		first := true
		for j, d := range all {
			first = first && (done&(1<<j) != 0 || d.ret > c.call)
		}
		if e := t.err[state][c.method]; first && (e == c.err || c.err < 0 && e > 0) && t.fits(all, done|1<<i, t.next[state][c.method]) {
			return true
		}
	}
	return false
}

// TestErrorsWithNames compares the reference's verdict with all orders of the calls, where
// errors have names: that of a variable, also wrapped, or of a text. An error that is none of
// them leaves the verdict open, unless the log is wrong whichever it is.
func TestErrorsWithNames(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 4))
	count := map[check.Verdict]int{}
	for range testsize.Samples(40) {
		typ := randomFailing(r)
		impl, err := reference.New(typ.spec())
		if err != nil {
			t.Fatal(err)
		}
		for range 25 {
			c, err := check.New(nil, check.Options{Reference: impl})
			if err != nil {
				t.Fatal(err)
			}
			all, text := typ.log(r)
			unknown := strings.Contains(text, "something else")
			res, err := c.CheckLog(t.Context(), strings.NewReader(text), "log")
			if err != nil && strings.Contains(err.Error(), "cannot return") { // the type has no error that the log has
				continue
			}
			if err != nil {
				t.Fatal(err, text)
			}
			fits := typ.fits(all, 0, 0)
			switch {
			case res.Verdict == check.Violation && fits:
				t.Fatalf("a violation, but it is linearizable: %+v\n%s", typ, text)
			case res.Verdict == check.Linearizable && (!fits || unknown):
				t.Fatalf("linearizable: fits %v, unknown error %v: %+v\n%s", fits, unknown, typ, text)
			case res.Verdict == check.Inconclusive && fits && !unknown:
				t.Fatalf("inconclusive: %s: %+v\n%s", res.Detail, typ, text)
			}
			count[res.Verdict]++
		}
		impl.Close()
	}
	if count[check.Violation] == 0 || count[check.Linearizable] == 0 || count[check.Inconclusive] == 0 {
		t.Errorf("not every verdict came: %v", count)
	}
	t.Log(count)
}

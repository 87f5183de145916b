package reference

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
)

// acceptor is the Acceptor of a nondeterministic reference.
type acceptor struct{ *client }

// Replay returns an error: an acceptor has no answers of its own.
func (*acceptor) Replay(context.Context, [][]Call) ([][]Answer, error) {
	return nil, errors.New("reference: an acceptor cannot be replayed: it judges answers and has none of its own")
}

// Accepts asks the reference; see Acceptor.
func (a *acceptor) Accepts(ctx context.Context, seqs [][]history.Label) ([]int, error) {
	codes := make([][]byte, len(seqs))
	for i, labels := range seqs {
		b := driver.AppendNumber(nil, len(labels))
		for _, l := range labels {
			var err error
			if b, err = a.encode(b, l); err != nil {
				return nil, err
			}
		}
		codes[i] = b
	}
	counts := make([]int, len(seqs))
	err := a.exchange(ctx, len(seqs),
		func(b []byte, i int) []byte { return append(b, codes[i]...) },
		func(in *driver.Reader, i int) { counts[i] = in.Number() },
		func(i, at int) string { return history.Sequential(seqs[i][:at+1]...).String() })
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// encode appends a label: method, outcome, arguments, results.
func (a *acceptor) encode(b []byte, l history.Label) ([]byte, error) {
	for i, m := range a.methods {
		if m.Name != l.Method {
			continue
		}
		for j, o := range m.Outcomes {
			if o.Outcome != l.Outcome {
				continue
			}
			if len(l.Args) != len(m.Args) || len(l.Rets) != o.Rets {
				return nil, fmt.Errorf("reference: %s: %s takes %d values and returns %d", l, l.Kind, len(m.Args), o.Rets)
			}
			b = driver.AppendNumber(driver.AppendNumber(b, i), j)
			return encodeValues(encodeValues(b, l.Args), l.Rets), nil
		}
		return nil, fmt.Errorf("reference: %s: method %s has no outcome %q", l, m.Name, l.Outcome)
	}
	return nil, fmt.Errorf("reference: %s: there is no method %q", l, l.Method)
}

// encodeValues appends values: numbers as they are, others, "(0)" or "0", by
// their Go text.
func encodeValues(b []byte, vs []history.Value) []byte {
	for _, v := range vs {
		if k, err := strconv.Atoi(string(v)); err == nil && k > 0 {
			b = driver.AppendValue(b, k, "")
			continue
		}
		text := string(v)
		if IsForeign(v) {
			text = strings.TrimSuffix(text[1:], ")")
		}
		b = driver.AppendValue(b, 0, text)
	}
	return b
}

// acceptFunc checks that accept is a func(T, Claim) bool for the T that the
// constructor returns, and makes it callable with any object.
func acceptFunc(construct, accept any) (func(any, driver.Claim) bool, error) {
	fn := reflect.ValueOf(accept)
	t := fn.Type()
	if t.Kind() != reflect.Func || t.NumIn() != 2 || t.NumOut() != 1 ||
		t.In(1) != reflect.TypeFor[Claim]() || t.Out(0).Kind() != reflect.Bool {
		return nil, fmt.Errorf("field Accept must be func(T, reference.Claim) bool, not %s", t)
	}
	if c := reflect.TypeOf(construct); c == nil || c.Kind() != reflect.Func || c.NumOut() == 0 ||
		!c.Out(0).AssignableTo(t.In(0)) {
		return nil, fmt.Errorf("field Accept takes a %s, but New is %v", t.In(0), c)
	}
	return func(object any, c driver.Claim) bool {
		claim := Claim{Method: c.Method, Outcome: c.Outcome, Args: c.Args, Rets: c.Rets}
		return fn.Call([]reflect.Value{reflect.ValueOf(object), reflect.ValueOf(claim)})[0].Bool()
	}, nil
}

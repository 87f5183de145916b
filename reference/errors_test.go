package reference_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/reference"
)

var (
	errOdd = errors.New("odd")
	errBig = errors.New("too big: 100")
	errIn  = fmt.Errorf("inner: %w", errOdd)
)

type detail struct{ n int }

func (d *detail) Error() string { return "detail" }

type failing struct{ n int }

func (f *failing) Sentinel(x int) error {
	switch f.n++; {
	case f.n%3 == 0:
		return errOdd
	case f.n%3 == 1:
		return fmt.Errorf("sentinel: %w", errBig)
	}
	return nil
}

func (f *failing) Text(x int) error {
	switch f.n++; {
	case f.n%4 == 0:
		return errors.New("not yet")
	case f.n%4 == 1:
		return errors.New("already done")
	case f.n%4 == 2:
		return fmt.Errorf("no item %d", x)
	}
	return nil
}

func (f *failing) Alike(s string) error { return fmt.Errorf("user %s is unknown", s) }

func (f *failing) Many(x int) error {
	f.n++
	return errors.New(strings.Repeat("very ", f.n%12) + "bad")
}

func (f *failing) Strange() error {
	if f.n++; f.n%3 == 0 {
		return &detail{f.n}
	}
	return errors.New("two\nlines")
}

func (f *failing) Both() error {
	switch f.n++; {
	case f.n%3 == 0:
		return errors.Join(errOdd, errBig)
	case f.n%3 == 1:
		return fmt.Errorf("%w and %w", errOdd, errBig)
	}
	return nil
}

func (f *failing) Inner() error {
	if f.n++; f.n%2 == 0 {
		return fmt.Errorf("%w: detail", errIn)
	}
	return nil
}

func (f *failing) Below(x int) error {
	switch {
	case x < 0:
		return errors.New("negative")
	case x > 500:
		return errors.New("too far")
	}
	return nil
}

func (f *failing) Never(x int) (int, error) { return x, nil }

// TestNamesOfErrors says which errors of a method are outcomes of their own.
func TestNamesOfErrors(t *testing.T) {
	spec := reference.Spec{
		New:    func() *failing { return new(failing) },
		Errors: map[string]error{"errOdd": errOdd, "ErrBig": errBig, "ErrIn": errIn, "Err404": errors.New("no name"), "none": nil},
	}
	outcomes := func(spec reference.Spec) map[string]string {
		impl, err := reference.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		defer impl.Close()
		all := map[string]string{}
		for _, m := range impl.Methods() {
			var names []string
			for _, o := range m.Outcomes {
				if !o.Unseen {
					names = append(names, strings.TrimSpace(string(o.Outcome)+" "+o.Error))
				}
			}
			all[m.Name] = strings.Join(names, "; ")
		}
		return all
	}
	for name, want := range map[string]string{
		"sentinel": "none; ErrBig too big: 100; errOdd odd",
		"text":     "none; error; errNotYet not yet; errAlreadyDone already done",
		"alike":    "none; error",
		"many":     "none; error",
		"strange":  "none; error; errDetail detail",
		"both":     "none; error",
		"inner":    "none; ErrIn inner: odd",
		"below":    "none; errTooFar too far; errNegative negative",
		"never":    "value; error",
	} {
		if got := outcomes(spec)[name]; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	spec.AnyError = true
	if got, want := outcomes(spec)["sentinel"], "none; error"; got != want {
		t.Errorf("any error: %s, want %s", got, want)
	}
}

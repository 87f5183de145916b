// Package errors is what errors is to the explorer.
package errors

var ErrUnsupported = New("unsupported operation")

type errorString struct{ s string }

func New(text string) error { return &errorString{text} }

func (e *errorString) Error() string { return e.s }

func Unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return nil
}

// comparable reports whether values of the dynamic type can be compared.
func comparable(v any) bool

func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	return is(err, target, comparable(target))
}

func is(err, target error, comparable bool) bool {
	if comparable && err == target {
		return true
	}
	if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
		return true
	}
	for _, err := range wrapped(err) {
		if is(err, target, comparable) {
			return true
		}
	}
	return false
}

// wrapped lists what an error wraps.
func wrapped(err error) []error {
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		if err = x.Unwrap(); err != nil {
			return []error{err}
		}
	case interface{ Unwrap() []error }:
		return x.Unwrap()
	}
	return nil
}

// As is as, with a function that assigns to target if it can.
func As(err error, target any) bool

func as(err error, target any, assign func(err error) bool) bool {
	if err == nil {
		return false
	}
	if assign(err) {
		return true
	}
	if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
		return true
	}
	for _, err := range wrapped(err) {
		if err != nil && as(err, target, assign) {
			return true
		}
	}
	return false
}

func AsType[E error](err error) (E, bool) {
	if e, ok := err.(E); ok {
		return e, true
	}
	if x, ok := err.(interface{ As(any) bool }); ok {
		if e := new(E); x.As(e) {
			return *e, true
		}
	}
	for _, err := range wrapped(err) {
		if e, ok := AsType[E](err); ok {
			return e, true
		}
	}
	var zero E
	return zero, false
}

func Join(errs ...error) error {
	var all []error
	for _, err := range errs {
		if err != nil {
			all = append(all, err)
		}
	}
	if all == nil {
		return nil
	}
	return &joinError{all}
}

type joinError struct{ errs []error }

func (e *joinError) Error() string {
	text := e.errs[0].Error()
	for _, err := range e.errs[1:] {
		text += "\n" + err.Error()
	}
	return text
}

func (e *joinError) Unwrap() []error { return e.errs }

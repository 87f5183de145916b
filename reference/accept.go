package reference

import (
	"fmt"
	"reflect"

	"github.com/adtinfer/adtinfer/internal/driver"
)

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

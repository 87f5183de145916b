package record

import (
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Value is an argument, a result, or the contents of a variable, in two words
// and without a pointer. Values of one recorder are equal (==) exactly if they
// have the same type and contents. Int, Uint, Bool and Handle.Text make them; the
// zero Value is no value.
type Value tape.Value

// Int is an integer as a Value.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](v T) Value {
	return Value{uint64(int64(v)), binlog.IntValue}
}

// Uint is an unsigned integer as a Value.
func Uint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](v T) Value {
	return Value{uint64(v), binlog.UintValue}
}

// Bool is a truth value as a Value.
func Bool[T ~bool](v T) Value {
	if v {
		return Value{1, binlog.BoolValue}
	}
	return Value{0, binlog.BoolValue}
}

// Int is the integer in v, which Int or Uint made; 0 or 1 for a Bool.
func (v Value) Int() int64 { return int64(v.Bits) }

// Method is a method's name, as Recorder.Method numbers it.
type Method uint16

// Outcome is an outcome class. The classes that have no constant here come
// from Recorder.Outcome.
type Outcome uint16

// The predeclared outcomes, in the order of history's: what theories and logs
// call none, value, nil, true, false and error.
const (
	None Outcome = iota
	Some         // "value", with the values that are returned
	Nil
	True
	False
	Error
)

// Variable is the name of a variable or an array of them, or of a lock or an
// array of them, as Recorder.Variable numbers it.
type Variable uint16

// Write is an update of a variable: what Handle.WriteBlock takes several of.
type Write struct {
	Variable Variable
	Index    int64
	Value    Value
}

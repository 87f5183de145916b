package record

import (
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

// Value is an argument, a result, or the contents of a variable, in two words
// and without a pointer. Values of one recorder are equal (==) exactly if they
// have the same type and contents. The zero Value is no value.
type Value struct {
	bits uint64
	typ  valueType
}

type valueType uint8

const (
	noValue   valueType = binlog.NoValue
	intValue  valueType = binlog.IntValue
	uintValue valueType = binlog.UintValue
	boolValue valueType = binlog.BoolValue
	textValue valueType = binlog.TextValue // bits is an index into the texts of the recorder
)

// Int is an integer as a Value.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](v T) Value {
	return Value{uint64(int64(v)), intValue}
}

// Uint is an unsigned integer as a Value.
func Uint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](v T) Value {
	return Value{uint64(v), uintValue}
}

// Bool is a truth value as a Value.
func Bool[T ~bool](v T) Value {
	if v {
		return Value{1, boolValue}
	}
	return Value{0, boolValue}
}

// IsZero tells whether v is the zero Value.
func (v Value) IsZero() bool { return v.typ == noValue }

// Int is the integer in v, which Int or Uint made; 0 or 1 for a Bool.
func (v Value) Int() int64 { return int64(v.bits) }

// Bool tells whether v is Bool(true).
func (v Value) Bool() bool { return v == Value{1, boolValue} }

// text is the value as logs write it.
func (v Value) text(n *names) history.Value {
	switch v.typ {
	case intValue:
		return history.Value(strconv.FormatInt(int64(v.bits), 10))
	case uintValue:
		return history.Value(strconv.FormatUint(v.bits, 10))
	case boolValue:
		return history.Value(strconv.FormatBool(v.bits != 0))
	case textValue:
		return history.Value(n.text(v.bits))
	}
	return ""
}

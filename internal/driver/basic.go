//go:build go1.21

package driver

import "github.com/adtinfer/adtinfer/internal/driver/values"

// Basic is what a type says of its values.
type Basic = values.Basic

// Kinds of types that have few words.
const (
	KindInt    = values.KindInt
	KindUint   = values.KindUint
	KindString = values.KindString
	KindBool   = values.KindBool
	KindAny    = values.KindAny
)

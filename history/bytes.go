package history

import (
	"encoding/base64"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// encoding is how a log has bytes, as far as that was seen. A string by itself is the bytes.
// Package encoding/json writes them in base64, however, and within what has parts they are
// read so. A string that may be either is refused where there is a sign that it is the other.
type encoding struct {
	within, alone int // lines with bytes of each kind; 0: none
}

// see takes note of the arguments of a call, or of what it returned, if bytes are among them.
func (c *encoding) see(e *event, sig *MethodSig, has bool) error {
	if !has {
		return nil
	}
	types, vs := sig.Params, e.values
	if !e.call {
		if types = sig.Results; len(vs) > 0 {
			if _, named := sig.named(vs[0]); named {
				vs = vs[1:]
			}
		}
		if len(sig.Structs) > 0 && len(vs) < len(types) {
			types = sig.Structs
		}
	}
	for i := range vs[:min(len(vs), len(types))] {
		switch b, v := &types[i], &vs[i]; {
		case b.InBase64(v.text):
			c.within = e.pos.Line
		case b.Kind == values.KindBytes && v.inJSON && isBase64(v.text):
			if v.text[len(v.text)-1] == '=' {
				return errorAt(e.at(e.valuesAt), "the string %q may be these bytes, or what encoding/json writes for others: write {\"base64\": %q} for those, and %s for these", v.text, v.text, jsonValue(*v))
			}
			c.alone = e.pos.Line
		}
		if c.within > 0 && c.alone > 0 {
			return errorAt(e.at(e.valuesAt), "lines %d and %d have bytes in two ways: in base64, as encoding/json writes them, and as a string that may be base64, too; write that as {\"base64\": ...}", min(c.within, c.alone), max(c.within, c.alone))
		}
	}
	return nil
}

// isBase64 reports whether a text may be what package encoding/json makes of some bytes.
func isBase64(s string) bool {
	if s == "" || len(s)%4 != 0 {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(s)
	return err == nil
}

package clauses

import (
	"encoding/binary"

	"github.com/adtinfer/adtinfer/history"
)

// keyOf is the values at some places as one text.
func KeyOf(places []Place, args, rets []history.Value) string {
	if len(places) == 1 {
		return string(places[0].value(args, rets))
	}
	var b []byte
	for _, p := range places {
		v := p.value(args, rets)
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	return string(b)
}

package logs

import (
	"encoding/binary"

	"github.com/adtinfer/adtinfer/history"
)

// AppendKey appends a text that differs from that of every other label, whatever bytes
// values have. So do the texts of lists of labels.
func AppendKey(b []byte, l *history.Label) []byte {
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	text(l.Method)
	text(string(l.Outcome))
	for _, vs := range [][]history.Value{l.Args, l.Rets} {
		b = binary.AppendUvarint(b, uint64(len(vs)))
		for _, v := range vs {
			text(string(v))
		}
	}
	return b
}

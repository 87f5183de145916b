package trace

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// FuzzParse reads replay strings of any bytes, with the right checksum: Parse refuses them, or
// they are a record that is written and read again as it is.
func FuzzParse(f *testing.F) {
	for _, r := range []Record{{}, {Bounds: [3]int{2, 2, 1}, Written: []uint64{7, 1 << 40}, Kind: 3, Lost: 1, Cycle: 1,
		Moves: []machine.Move{{Thread: 1, Call: 4}, {Call: -1, Choices: []int32{0, 300}}}}} {
		b, err := base64.RawURLEncoding.DecodeString(r.String()[len(version):])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:len(b)-4])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
		r, err := Parse(version + base64.RawURLEncoding.EncodeToString(b))
		if err != nil {
			return
		}
		again, err := Parse(r.String())
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%+v was read again as %+v, %v", r, again, err)
		}
	})
}

package trace

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// version is that of records: of their form, and of what a step is. Another explorer
// would do something else with the same moves.
const version = "x1-"

// Record is what repeats a run: its program by its hash, what was explored, and the moves.
type Record struct {
	Program Hash
	Bounds  [3]int // goroutines, operations of each, values
	// Written are words that the run takes for written while they are shared, as
	// Shared has them.
	Written []uint64
	// Kind is what the run shows, as package search has it. The last Cycle moves are
	// a livelock's, which is lost after Lost.
	Kind        uint8
	Lost, Cycle int
	Moves       []machine.Move
}

// String is the record in letters, digits, - and _.
func (r *Record) String() string {
	b := bytes.Clone(r.Program[:])
	for _, n := range r.Bounds {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(r.Written)))
	for _, w := range r.Written {
		b = binary.AppendUvarint(b, w)
	}
	b = append(b, r.Kind)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Lost)), uint64(r.Cycle))
	for _, m := range r.Moves {
		b = appendMove(b, m)
	}
	return version + sealed(b)
}

func appendMove(b []byte, m machine.Move) []byte {
	head := uint64(m.Thread) << 2
	if m.Call >= 0 {
		head |= 1
	}
	if len(m.Choices) > 0 {
		head |= 2
	}
	b = binary.AppendUvarint(b, head)
	if m.Call >= 0 {
		b = binary.AppendUvarint(b, uint64(m.Call))
	}
	if len(m.Choices) > 0 {
		b = binary.AppendUvarint(b, uint64(len(m.Choices)))
		for _, c := range m.Choices {
			b = binary.AppendUvarint(b, uint64(c))
		}
	}
	return b
}

// sealed is bytes with their checksum as text.
func sealed(b []byte) string {
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// Parse reads a record.
func Parse(s string) (*Record, error) {
	b, err := unsealed(s, version)
	if err != nil {
		return nil, err
	}
	d := &decoder{rest: b[len(Hash{}):]}
	r := &Record{Program: Hash(b)}
	for i := range r.Bounds {
		r.Bounds[i] = int(d.next(maxBound))
	}
	for range d.next(uint64(len(d.rest))) {
		r.Written = append(r.Written, d.next(^uint64(0)))
	}
	r.Kind, r.Lost, r.Cycle = uint8(d.next(127)), int(d.next(maxBound)), int(d.next(maxBound))
	for len(d.rest) > 0 && !d.bad {
		r.Moves = append(r.Moves, d.move())
	}
	if d.bad || r.Cycle > len(r.Moves) {
		return nil, errDamaged
	}
	return r, nil
}

// unsealed are the bytes of a replay string of a version, which begin with a hash.
func unsealed(s, version string) ([]byte, error) {
	before, rest, ok := strings.Cut(s, "-")
	switch {
	case !ok || !strings.HasPrefix(s, version[:1]):
		return nil, fmt.Errorf("%q is no replay string: those begin with %s", short(s), version)
	case before+"-" != version:
		return nil, fmt.Errorf("the replay string is of another version of the explorer, %s, and this one is %s: explore again to get a new one", before, strings.TrimSuffix(version, "-"))
	}
	b, err := base64.RawURLEncoding.DecodeString(rest)
	if err != nil || len(b) < len(Hash{})+4 {
		return nil, errDamaged
	}
	sum := len(b) - 4
	if binary.BigEndian.Uint32(b[sum:]) != crc32.ChecksumIEEE(b[:sum]) {
		return nil, errDamaged
	}
	return b[:sum], nil
}

var errDamaged = errors.New("the replay string is damaged: copy all of it")

// maxBound is more than any bound, thread or call.
const maxBound = 1 << 24

func short(s string) string {
	const most = 20
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// decoder reads numbers, up to something that cannot be.
type decoder struct {
	rest []byte
	bad  bool
}

// next is the next number, which is at most most.
func (d *decoder) next(most uint64) uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || v > most {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) move() machine.Move {
	head := d.next(maxBound)
	m := machine.Move{Thread: int(head >> 2), Call: -1}
	if head&1 != 0 {
		m.Call = int32(d.next(maxBound))
	}
	if head&2 != 0 {
		for range d.next(uint64(len(d.rest))) {
			m.Choices = append(m.Choices, int32(d.next(maxBound)))
		}
	}
	return m
}

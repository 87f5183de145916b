package binlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// block is a block before it has its checksums.
type block struct {
	kind     byte
	contents string
}

var some = []block{{ObjectBlock, "queue"}, {NameBlock, "add"}, {ProcessBlock, "p"}, {TextBlock, "word"}, {EventBlock, "\x00\x00\x00"}}

// made is a log of these blocks, and where they end.
func made(t *testing.T, blocks []block) (log []byte, ends []int) {
	t.Helper()
	var a Appender
	log = a.Begin(nil)
	for _, b := range blocks {
		var err error
		if log, err = a.Block(log, b.kind, []byte(b.contents)); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(log))
	}
	return a.End(log, false, 3), ends
}

// read reads a log to the end, which is not among the blocks. The error is nil
// if it was closed. From memory and as a stream it is the same.
func read(log []byte) (all []block, err error) {
	all, err = readFrom(InMemory(log, io.EOF, "x.bin"))
	again, errAgain := readFrom(NewBlocks(bytes.NewReader(log), "x.bin"))
	if !slices.Equal(all, again) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
		return all, fmt.Errorf("from memory %v, %w, as a stream %v, %w", all, err, again, errAgain)
	}
	return all, err
}

func readFrom(b *Blocks) (all []block, err error) {
	for {
		kind, contents, err := b.Next()
		switch {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return all, err
		case kind == EndBlock:
			dropped, missing, err := b.End(contents)
			if err != nil || dropped || missing != 3 {
				return all, errors.Join(err, errors.New("another end"))
			}
		default:
			all = append(all, block{kind, string(contents)})
		}
	}
}

func TestBlocks(t *testing.T) {
	log, ends := made(t, some)
	if got, err := read(log); err != nil || !slices.Equal(got, some) {
		t.Fatalf("%v, %v", got, err)
	}
	for n := len(Magic); n < len(log); n++ {
		got, err := read(log[:n])
		whole, _ := slices.BinarySearch(ends, n+1)
		if err != io.ErrUnexpectedEOF || !slices.Equal(got, some[:whole]) {
			t.Fatalf("cut to %d bytes: %v, %v", n, got, err)
		}
	}
	for i := range 8 * len(log) {
		bad := bytes.Clone(log)
		bad[i/8] ^= 1 << (i % 8)
		if got, err := read(bad); err == nil || err == io.ErrUnexpectedEOF {
			t.Errorf("bit %d: %v, %v", i, got, err)
		}
	}
}

// A block that is lost, repeated, or in another's place is an error, although it
// is whole.
func TestBlocksInOrder(t *testing.T) {
	log, ends := made(t, some)
	from := append([]int{len(Magic)}, ends...)
	part := func(i int) []byte { return log[from[i]:from[i+1]] }
	for i := range some {
		for j := range some {
			parts := [][]byte{part(0), part(1), part(2), part(3), part(4), log[ends[4]:]}
			how := "lost"
			switch {
			case i == j:
				parts[i] = nil
			case i < j:
				how = "exchanged"
				parts[i], parts[j] = parts[j], parts[i]
			default:
				how = "repeated"
				parts[i] = slices.Concat(parts[i], parts[j])
			}
			if got, err := read(slices.Concat(log[:len(Magic)], slices.Concat(parts...))); err == nil || err == io.ErrUnexpectedEOF {
				t.Errorf("%d, %d %s: %v, %v", i, j, how, got, err)
			}
		}
	}
}

func TestTables(t *testing.T) {
	var tables Tables
	b := NewBlocks(strings.NewReader(""), "x.bin")
	for _, x := range some[:4] {
		if err := tables.Take(b, x.kind, []byte(x.contents)); err != nil {
			t.Fatal(err)
		}
	}
	if tables.Object != "queue" || tables.Names[0] != "add" || tables.Processes[0] != "p" || tables.Texts[0] != "word" {
		t.Errorf("%+v", tables)
	}
	var damaged *Damaged
	for _, err := range []error{tables.Take(b, '?', nil), b.CheckEntries([]byte{1})} {
		if !errors.As(err, &damaged) || !strings.HasPrefix(err.Error(), "x.bin: byte 0: ") {
			t.Errorf("%v", err)
		}
	}
}

func TestEntry(t *testing.T) {
	e := Entry{Seq: 1 << 40, Proc: 7, ID: 9, Kind: CallEntry | 2<<4 | MoreFlag, Types: IntValue | TextValue<<4, Vals: [2]uint64{5, 6}}
	var b [EntrySize]byte
	e.Encode(b[:])
	var back Entry
	if back.Decode(b[:]); back != e {
		t.Errorf("%+v", back)
	}
	if e.What() != CallEntry || e.Count() != 2 || !e.More() || e.Type(0) != IntValue || e.Type(1) != TextValue {
		t.Errorf("%+v", e)
	}
	if !e.Sound(8) || e.Sound(7) || (&Entry{Kind: CallEntry | 3<<4}).Sound(1) || (&Entry{}).Sound(1) {
		t.Error("what makes sense does not, or the other way round")
	}
}

func TestMissing(t *testing.T) {
	for want, got := range map[string]string{
		"":                               Missing(false, 0),
		"the recorder dropped what came": Missing(true, 0),
		"at least 3 of its entries":      Missing(false, 3),
		"not closed: its tail":           (&Blocks{}).Tail(),
		"missing, or damaged":            (&Blocks{version1: true}).Tail(),
	} {
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTooLong(t *testing.T) {
	var a Appender
	log, err := a.Block(nil, TextBlock, make([]byte, MaxBlock+1))
	if err == nil || len(log) > 0 || !strings.Contains(err.Error(), "a text of 67108865 bytes does not fit") {
		t.Errorf("%d bytes, %v", len(log), err)
	}
}

func TestReadFails(t *testing.T) {
	log, ends := made(t, some)
	broken := errors.New("broken")
	for n := range log {
		got, err := readFrom(InMemory(log[:n], broken, "x.bin"))
		whole, _ := slices.BinarySearch(ends, n+1)
		if !errors.Is(err, broken) || !slices.Equal(got, some[:whole]) {
			t.Fatalf("broken after %d bytes: %v, %v", n, got, err)
		}
	}
}

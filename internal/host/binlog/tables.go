package binlog

import (
	"encoding/binary"
	"fmt"
)

// Tables are what the blocks without events say.
type Tables struct {
	Object    string
	Names     []string // of methods, outcomes and variables
	Texts     []string // values
	Processes []string
}

// Take takes a block that b read last; its kind is none of EntryBlock, EventBlock
// and EndBlock.
func (t *Tables) Take(b *Blocks, kind byte, contents []byte) error {
	switch kind {
	case ObjectBlock:
		t.Object = string(contents)
	case NameBlock:
		t.Names = append(t.Names, string(contents))
	case TextBlock:
		t.Texts = append(t.Texts, string(contents))
	case ProcessBlock:
		t.Processes = append(t.Processes, string(contents))
	default:
		return b.Damage("a block of the unknown kind %q", kind)
	}
	return nil
}

// CheckEntries checks the length of an EntryBlock.
func (b *Blocks) CheckEntries(contents []byte) error {
	if len(contents)%EntrySize != 0 {
		return b.Damage("%d bytes of entries, which have %d each", len(contents), EntrySize)
	}
	return nil
}

// End reads an EndBlock: whether the recorder dropped what came after the end, and
// how many entries are known to be missing.
func (b *Blocks) End(contents []byte) (dropped bool, missing uint64, err error) {
	if len(contents) != 9 {
		return false, 0, b.Damage("an end of %d bytes", len(contents))
	}
	return contents[0] != 0, binary.LittleEndian.Uint64(contents[1:]), nil
}

// Missing says in a clause what that means, or nothing.
func Missing(dropped bool, missing uint64) string {
	switch {
	case dropped:
		return "the recorder dropped what came after the end of the log"
	case missing > 0:
		return fmt.Sprintf("the log's tail is missing, at least %d of its entries", missing)
	}
	return ""
}

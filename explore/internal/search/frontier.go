package search

import "encoding/binary"

// blockStates is how many states make a block, which one worker expands.
const blockStates = 32

// chunkBytes is the size of a piece of a frontier.
const chunkBytes = 1 << 16

// frontier is states that wait to be expanded, packed in the order of their numbers, in blocks.
type frontier struct {
	pool   *pool
	pieces [][]byte // nil: all its states have been expanded
	blocks []place
	n      int
	freed  int // pieces that were given back
}

// place is where a block begins, and how many states it has.
type place struct {
	piece, at int32
	n         int32
}

// pool keeps pieces for the next frontier.
type pool struct {
	free  [][]byte
	bytes int64 // of all pieces
}

func (p *pool) get(size int) []byte {
	if n := len(p.free); n > 0 && size <= chunkBytes {
		piece := p.free[n-1]
		p.free = p.free[:n-1]
		return piece
	}
	size = max(size, chunkBytes)
	p.bytes += int64(size)
	return make([]byte, 0, size)
}

func (p *pool) put(piece []byte) {
	if cap(piece) == chunkBytes {
		p.free = append(p.free, piece[:0])
	} else {
		p.bytes -= int64(cap(piece))
	}
}

// add appends a state. The states of a piece are whole.
func (f *frontier) add(set int32, state []byte) {
	const head = 2 * binary.MaxVarintLen32
	last := len(f.pieces) - 1
	if last < 0 || cap(f.pieces[last])-len(f.pieces[last]) < head+len(state) {
		f.pieces = append(f.pieces, f.pool.get(head+len(state)))
		last++
	}
	b := f.pieces[last]
	if f.n%blockStates == 0 {
		f.blocks = append(f.blocks, place{piece: int32(last), at: int32(len(b))})
	}
	f.blocks[len(f.blocks)-1].n++
	f.n++
	b = binary.AppendUvarint(b, uint64(uint32(set)))
	b = binary.AppendUvarint(b, uint64(len(state)))
	f.pieces[last] = append(b, state...)
}

// each calls f with the states of a block, until it returns false.
func (f *frontier) each(block int, yield func(set int32, state []byte) bool) {
	p := f.blocks[block]
	rest := f.pieces[p.piece][p.at:]
	for range p.n {
		if len(rest) == 0 {
			p.piece++
			rest = f.pieces[p.piece]
		}
		set, n := binary.Uvarint(rest)
		size, m := binary.Uvarint(rest[n:])
		rest = rest[n+m:]
		if !yield(int32(set), rest[:size:size]) {
			return
		}
		rest = rest[size:]
	}
}

// done gives back what only blocks before this one need.
func (f *frontier) done(block int) {
	keep := len(f.pieces)
	if block < len(f.blocks) {
		keep = int(f.blocks[block].piece)
	}
	for ; f.freed < keep; f.freed++ {
		f.pool.put(f.pieces[f.freed])
		f.pieces[f.freed] = nil
	}
}

// clear makes it empty.
func (f *frontier) clear() {
	f.done(len(f.blocks))
	f.pieces, f.blocks, f.n, f.freed = f.pieces[:0], f.blocks[:0], 0, 0
}

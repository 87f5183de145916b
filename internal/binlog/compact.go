package binlog

import (
	"encoding/binary"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// The compact form of an event, in variable-length integers:
//
//	head      bit 0: a return; bit 1: a process follows; above: of a call the
//	          number of the method's name, of a return how many operations were
//	          called since its own
//	process   its number, if it follows
//	id        of a call: 0 is the number after that of the call before; an even
//	          number is how much further it is, zigzag, times two; an odd one is
//	          1 + twice the length of a text
//	count     of the values
//	value     bits 0 and 1 are the type: a number (the rest is the number,
//	          zigzag), or a text: in quotes, without, or the name of an outcome
//	          (the rest is its length)
const (
	returnFlag  = 1
	processFlag = 2

	numberType = 0
	quotedType = 1
	bareType   = 2
	namedType  = 3
)

// compact is what must be known between compact events.
type compact struct {
	calls   int // so far
	last    int // the number of the identifier of the last call
	running map[int]runningOp
}

// runningOp is an operation by its place among the calls.
type runningOp struct{ id, process string }

// read reads a block of compact events.
func (c *compact) read(r *Reader, contents []byte) error {
	if c.running == nil {
		c.running = map[int]runningOp{}
	}
	d := &decoder{block: contents}
	for d.left() > 0 {
		ev, msg := c.event(r, d)
		if d.bad {
			msg = "is cut off"
		}
		if msg != "" {
			return r.blocks.Damage("event %d %s", r.events+1, msg)
		}
		r.emit(ev)
	}
	return nil
}

// event reads an event. The message is what is wrong with it.
func (c *compact) event(r *Reader, d *decoder) (ev history.Event, msg string) {
	head := d.number()
	if head&processFlag != 0 {
		p := d.number()
		if p >= uint64(len(r.procs)) {
			return ev, "has an unknown process"
		}
		ev.Process = r.procs[p]
	}
	if head&returnFlag != 0 {
		at := c.calls - 1 - int(min(head>>2, uint64(c.calls)))
		op, ok := c.running[at]
		if !ok {
			return ev, "returns from an operation that does not run"
		}
		delete(c.running, at)
		ev.Op = op.id
		if head&processFlag == 0 {
			ev.Process = op.process
		}
		ev.Rets = d.values()
		return ev, ""
	}
	if head>>2 >= uint64(len(r.names)) {
		return ev, "has an unknown method"
	}
	ev.Call, ev.Method = true, r.names[head>>2]
	if ev.Op = c.id(d); ev.Op == "" {
		return ev, "has no identifier"
	}
	ev.Args = d.values()
	c.running[c.calls] = runningOp{ev.Op, ev.Process}
	c.calls++
	return ev, ""
}

func (c *compact) id(d *decoder) string {
	n := d.number()
	if n&1 != 0 {
		return d.text(n >> 1)
	}
	c.last += 1 + int(unzigzag(n>>1))
	return strconv.Itoa(c.last)
}

// decoder takes a block apart.
type decoder struct {
	block []byte
	at    int
	bad   bool // there was less than expected
}

func (d *decoder) left() int { return len(d.block) - d.at }

func (d *decoder) number() uint64 {
	if d.at < len(d.block) && d.block[d.at] < 0x80 {
		d.at++
		return uint64(d.block[d.at-1])
	}
	n, size := binary.Uvarint(d.block[d.at:])
	if size <= 0 {
		d.bad, d.at = true, len(d.block)
		return 0
	}
	d.at += size
	return n
}

func (d *decoder) text(n uint64) string {
	if n > uint64(d.left()) {
		d.bad, d.at = true, len(d.block)
		return ""
	}
	d.at += int(n)
	return string(d.block[d.at-int(n) : d.at])
}

func (d *decoder) values() []history.Raw {
	n := d.number()
	if n == 0 || n > uint64(d.left()) {
		d.bad = d.bad || n != 0
		return nil
	}
	vs := make([]history.Raw, n)
	for i := range vs {
		head := d.number()
		if head&3 == numberType {
			vs[i].Text = strconv.FormatInt(unzigzag(head>>2), 10)
			continue
		}
		vs[i] = history.Raw{Text: d.text(head >> 2), Quoted: head&3 == quotedType, Outcome: head&3 == namedType}
	}
	return vs
}

func zigzag(n int64) uint64   { return uint64(n)<<1 ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

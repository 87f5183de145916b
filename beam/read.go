package logbeam

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/adtinfer/adtinfer/history"
)

func init() {
	register.DoFn6x1[context.Context, Block, []byte, func(string, Line), func(string, Half), func(string, Summary), error](&readFn{})
	register.Emitter2[string, Line]()
	register.Emitter2[string, Half]()
	register.Emitter2[string, Summary]()
}

// Place is where an event is among those of its object in its file.
type Place struct {
	Time   int64 // if Timed
	Timed  bool
	Return bool
	Block  int64 // where it begins
	Index  int64 // of the event among those of its object in the block, from 0
	Line   int64 // in the block, from 1
}

// compare orders the events of an object: by time, calls first, if they have times, else
// as the file does.
func (a Place) compare(b Place) int {
	if a.Timed && b.Timed {
		if c := cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.class(), b.class())); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Index, b.Index))
}

// class is 0 for calls and 1 for returns.
func (a Place) class() int {
	if a.Return {
		return 1
	}
	return 0
}

// Line is an event: a line of a log as it stands there.
type Line struct {
	At   Place
	Text string
}

// Half is a call or a return whose other half is not in its block.
type Half struct {
	Event Line
	Part  string // of a call: the part of the log that the operation belongs to
}

// Summary is what a block holds, and what is wrong with it.
type Summary struct {
	Block       int64
	Lines       int64 // those of the file's head belong to the first block
	Timed       bool
	First, Last int64 // times
	Objects     []Count
	Tail        string // what is missing at the end of the file; empty if nothing
	Wrong       string // empty if nothing is
	Line, Col   int64  // in the block, where it is wrong; 0 if that is unknown
}

// Count is how many events of an object a block has.
type Count struct {
	Object        string
	Events        int64
	First, Last   int64 // times
	CallsAtFirst  int64
	ReturnsAtLast int64

	// Of operations that are called in the block: how many run at once, and pairs of them
	// that overlap.
	Width, Overlaps int64
}

// part names the operations that are checked together.
type part struct{ File, Object, Key, Head string }

// String is a text for it, which is the same for the same part alone.
func (p part) String() string {
	var b strings.Builder
	for _, s := range [...]string{p.File, p.Object, p.Head, p.Key} {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(' ')
		b.WriteString(s)
	}
	return b.String()
}

// partOf is the part of a text that String made.
func partOf(text string) (p part) {
	for _, s := range [...]*string{&p.File, &p.Object, &p.Head, &p.Key} {
		size, rest, _ := strings.Cut(text, " ")
		n, _ := strconv.Atoi(size)
		*s, text = rest[:n], rest[n:]
	}
	return p
}

// Events reads blocks: the events of each part of a log, and what each file's blocks
// hold, by file. The theory is a text.
func Events(s beam.Scope, theory, blocks beam.PCollection, o Options) (events, summaries beam.PCollection) {
	s = s.Scope("logbeam.Events")
	events, halves, summaries := beam.ParDo3(s, &readFn{Options: o}, blocks, beam.SideInput{Input: theory})
	joined, wrong := beam.ParDo2(s, &joinFn{}, beam.GroupByKey(s, halves))
	return beam.Flatten(s, events, joined), beam.Flatten(s, summaries, wrong)
}

// readFn reads blocks.
type readFn struct {
	Options Options
}

var (
	filesRead  = beam.NewCounter("adtinfer", "files")
	eventsRead = beam.NewCounter("adtinfer", "events")
)

func (f *readFn) ProcessElement(ctx context.Context, b Block, yaml []byte, event func(string, Line), half func(string, Half), summary func(string, Summary)) error {
	p, err := prepare(yaml, f.Options)
	if err != nil {
		return err
	}
	if b.Start == 0 {
		filesRead.Inc(ctx, 1)
	}
	r := &reading{prepared: p, block: b, event: event, half: half}
	switch {
	case b.Bad != "":
		err = errors.New(b.Bad)
	case b.Whole:
		err = r.whole(ctx, f.Options.block(), summary)
	default:
		var head, lines string
		if head, lines, err = b.text(ctx, p); err == nil {
			err = r.lines(ctx, head, lines)
			if b.Start == 0 {
				r.Lines += int64(strings.Count(head, "\n"))
			}
			r.wrong(err, r.heads)
			err = nil
		}
	}
	r.wrong(err, 0)
	summary(b.File, r.Summary)
	return nil
}

// reading is of one block.
type reading struct {
	*prepared
	Summary
	block     Block
	heads     int  // lines of the head
	isForeign bool // lines are not those of the file
	event     func(string, Line)
	half      func(string, Half)
}

// wrong notes an error, with its place in the block after so many lines that are not
// the block's.
func (r *reading) wrong(err error, before int) {
	var at *history.ParseError
	switch {
	case err == nil:
	case errors.As(err, &at):
		r.Wrong, r.Line, r.Col = at.Msg, int64(at.Pos.Line-before), int64(at.Pos.Col)
	default:
		r.Wrong = err.Error()
	}
}

// whole reads a file that does not split, as if it had blocks.
func (r *reading) whole(ctx context.Context, size int64, summary func(string, Summary)) error {
	lines, isForeign, tail, done, err := r.block.whole(ctx, r.prepared)
	if err != nil {
		return err
	}
	defer done()
	r.isForeign = isForeign
	head := ""
	if isForeign {
		head, err = readLine(lines)
	} else if begin, _ := lines.Peek(headSize); len(begin) > 0 {
		head = r.head(string(begin))
		_, err = lines.Discard(len(head))
	}
	first := int64(strings.Count(head, "\n")) // lines of the head
	for err == nil {
		var some strings.Builder
		for line := "."; line != "" && int64(some.Len()) < size && err == nil; {
			line, err = readLine(lines)
			some.WriteString(line)
		}
		if err != nil || some.Len() == 0 {
			break
		}
		bad := r.lines(ctx, head, some.String())
		r.wrong(bad, r.heads)
		r.Lines, first = r.Lines+first, 0
		if isForeign {
			r.Lines, r.Line = 0, 0
		}
		summary(r.block.File, r.Summary)
		r.Summary = Summary{Block: r.Block + int64(some.Len())}
		if bad != nil {
			return nil
		}
	}
	r.Tail = tail()
	return err
}

// lines reads the lines of a block, whose log has a head.
func (r *reading) lines(ctx context.Context, head, text string) error {
	r.heads = strings.Count(head, "\n")
	r.Lines = int64(strings.Count(text, "\n"))
	r.Block = max(r.Block, r.block.Start)
	all := strings.Split(head+text, "\n")
	form := formOf(head)
	objects := map[string]*Count{}
	open := map[[2]string]Half{}
	running := map[*Count]int64{}
	n := 0
	for e, err := range history.NewReader(strings.NewReader(head+text), r.block.File).Events(r.methods) {
		if err != nil {
			return err
		}
		if n++; n > 1 && r.Timed != e.Timed {
			return &history.ParseError{Pos: e.Pos, Msg: "some events have times, and some have none"}
		}
		r.Timed = e.Timed
		c := objects[e.Object]
		if c == nil {
			c = &Count{Object: strings.Clone(e.Object), First: e.Time}
			objects[c.Object] = c
		}
		at := Place{e.Time, e.Timed, !e.Call, r.Block, c.Events, int64(e.Pos.Line - r.heads)}
		if r.isForeign {
			at.Line = 0
		}
		c.add(at)
		line := Line{at, strings.TrimSuffix(all[e.Pos.Line-1], "\r")}
		id := [2]string{e.Object, e.Op}
		before, runs := open[id]
		switch {
		case e.Call && runs:
			return &history.ParseError{Pos: e.Pos, Msg: fmt.Sprintf("operation %s is called twice", e.Op)}
		case e.Call:
			x := part{File: r.block.File, Object: e.Object, Head: form}
			if r.key != nil {
				x.Key = string(r.key(&history.Label{Kind: history.Kind{Method: e.Method}, Args: e.Values}))
			}
			h := Half{line, x.String()}
			r.event(h.Part, line)
			c.Overlaps += running[c]
			running[c]++
			c.Width = max(c.Width, running[c])
			open[[2]string{c.Object, strings.Clone(e.Op)}] = h
		case runs:
			r.event(before.Part, line)
			running[c]--
			delete(open, id)
		default:
			r.half(part{File: r.block.File, Object: e.Object, Key: e.Op}.String(), Half{Event: line})
		}
	}
	for id, h := range open {
		r.half(part{File: r.block.File, Object: id[0], Key: id[1]}.String(), h)
	}
	eventsRead.Inc(ctx, int64(n))
	for i, name := range slices.Sorted(maps.Keys(objects)) {
		c := objects[name]
		if r.Objects = append(r.Objects, *c); i == 0 {
			r.First, r.Last = c.First, c.Last
		}
		r.First, r.Last = min(r.First, c.First), max(r.Last, c.Last)
	}
	return nil
}

// add counts an event.
func (c *Count) add(at Place) {
	if c.Events++; c.Events == 1 || at.Time != c.Last {
		c.Last, c.ReturnsAtLast = at.Time, 0
	}
	if at.Return {
		c.ReturnsAtLast++
	} else if at.Time == c.First {
		c.CallsAtFirst++
	}
}

// formOf is a head for some events of a log that has one: its format. Objects are those
// that the events name.
func formOf(head string) string {
	for line := range strings.Lines(head) {
		var f struct{ Format int }
		if json.Unmarshal([]byte(line), &f) == nil && f.Format > 0 {
			return fmt.Sprintf("{\"format\": %d}\n", f.Format)
		}
	}
	return ""
}

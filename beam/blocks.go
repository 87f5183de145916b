package logbeam

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // other file systems are the program's choice
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string, int64), error](&listFn{})
	register.DoFn4x1[context.Context, string, func(*int64) bool, func(Block), error](&blocksFn{})
	register.Emitter2[string, int64]()
	register.Emitter1[Block]()
	register.Iter1[int64]()
}

// Block is a part of a file: the lines that begin in it.
type Block struct {
	File       string
	Start, End int64  // bytes; Whole: of no account
	Whole      bool   // one worker reads the file: it is compressed, binary, or another tool's
	Bad        string // why the file cannot be read; empty if it can
}

// Blocks lays out the blocks of the files that patterns name: paths, and globs of the
// file systems that Beam knows, such as gs://bucket/*.jsonl. A file that several name
// is there once. A pattern that names nothing gives a Block that says so.
func Blocks(s beam.Scope, patterns []string, o Options) beam.PCollection {
	s = s.Scope("logbeam.Blocks")
	files := beam.ParDo(s, &listFn{}, beam.CreateList(s, patterns))
	return beam.Reshuffle(s, beam.ParDo(s, &blocksFn{o.block()}, beam.GroupByKey(s, files)))
}

// listFn lists the files that a pattern names, with their sizes; -1 if there are none.
type listFn struct{}

func (*listFn) ProcessElement(ctx context.Context, pattern string, emit func(string, int64)) error {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return err
	}
	defer fs.Close()
	names, err := fs.List(ctx, pattern)
	if err != nil || len(names) == 0 {
		emit(pattern, -1)
		return nil
	}
	for _, name := range names {
		size, err := fs.Size(ctx, name)
		if err != nil {
			return err
		}
		emit(name, size)
	}
	return nil
}

// blocksFn lays out the blocks of a file.
type blocksFn struct{ Size int64 }

func (f *blocksFn) ProcessElement(ctx context.Context, file string, sizes func(*int64) bool, emit func(Block)) error {
	var size int64
	sizes(&size)
	if size < 0 {
		emit(Block{File: file, Bad: "no file is called so; a directory's logs are named by a pattern, such as logs/*.log"})
		return nil
	}
	in, err := open(ctx, file)
	if err != nil {
		emit(Block{File: file, Bad: err.Error()})
		return nil
	}
	defer in.Close()
	head, err := io.ReadAll(io.LimitReader(in, headSize))
	switch {
	case err != nil:
		emit(Block{File: file, Bad: err.Error()})
	case !splits(head):
		emit(Block{File: file, Whole: true})
	default:
		for start := int64(0); start == 0 || start < size; start += f.Size {
			emit(Block{File: file, Start: start, End: min(start+f.Size, size)})
		}
	}
	return nil
}

// headSize is how much of a file tells what it is; its head must be in there.
const headSize = 64 << 10

// splits reports whether a file that begins so is text or JSON Lines of our own, which can
// be read from any line on.
func splits(head []byte) bool {
	packed := bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd})
	return !packed && !strings.HasPrefix(string(head), binlog.Prefix) && foreign.Recognize(string(head)) == ""
}

// open opens a file of any file system.
func open(ctx context.Context, file string) (io.ReadCloser, error) {
	fs, err := filesystem.New(ctx, file)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return fs.OpenRead(ctx, file)
}

// text is a block's lines, and the head of its file: the lines before the first event,
// which say what the log is. Lines of the head are not among those of the block.
func (b *Block) text(ctx context.Context, p *prepared) (head, lines string, err error) {
	in, err := open(ctx, b.File)
	if err != nil {
		return "", "", err
	}
	defer in.Close()
	r := bufio.NewReaderSize(in, headSize)
	first, err := r.Peek(headSize)
	if err != nil && err != io.EOF {
		return "", "", err
	}
	head = p.head(string(first))
	at := int64(len(head))
	inside := b.Start > at
	if inside {
		at = b.Start - 1 // a line begins at Start if this is the end of one
	}
	if _, err := io.CopyN(io.Discard, r, at); err != nil && err != io.EOF {
		return head, "", err
	}
	if inside {
		rest, err := readLine(r)
		if err != nil {
			return head, "", err
		}
		at += int64(len(rest))
	}
	if at >= b.End {
		return head, "", nil
	}
	var all strings.Builder
	if _, err := io.CopyN(&all, r, b.End-at); err != nil && err != io.EOF {
		return head, "", err
	}
	if !strings.HasSuffix(all.String(), "\n") {
		rest, err := readLine(r)
		if err != nil {
			return head, "", err
		}
		all.WriteString(rest)
	}
	return head, all.String(), nil
}

// maxLine is the length in bytes of the lines that are too long.
const maxLine = 16 << 20

// readLine reads the rest of a line.
func readLine(r *bufio.Reader) (string, error) {
	var all strings.Builder
	for {
		part, err := r.ReadSlice('\n')
		all.Write(part)
		switch {
		case err == nil || err == io.EOF:
			return all.String(), nil
		case err != bufio.ErrBufferFull:
			return "", err
		case all.Len() > maxLine:
			return "", fmt.Errorf("a line is longer than %d bytes", maxLine)
		}
	}
}

// whole reads a file that does not split: its lines, if it is packed and would split
// otherwise, or else as JSON Lines (foreign), whose lines are not the file's. At the end
// tail says what is missing there.
func (b *Block) whole(ctx context.Context, p *prepared) (lines *bufio.Reader, isForeign bool, tail func() string, done func(), err error) {
	in, err := open(ctx, b.File)
	if err != nil {
		return nil, false, nil, nil, err
	}
	plain := sources.Unpack(in, b.File, 0)
	file := func() {
		plain.Close()
		in.Close()
	}
	lines = bufio.NewReaderSize(plain, headSize)
	begin, err := lines.Peek(headSize)
	if err != nil && err != io.EOF {
		file()
		return nil, false, nil, nil, err
	}
	if splits(begin) {
		return lines, false, func() string { return "" }, file, nil
	}
	log := foreign.New(lines, b.File, foreign.Options{ByKey: p.options.ByKey, FailedIsFalse: p.options.FailedIsFalse, NilIsUnset: p.options.NilIsUnset}, p.methods)
	out, w := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.CloseWithError(log.Convert(ctx, w, history.JSON))
	}()
	return bufio.NewReaderSize(out, headSize), true, log.Tail, func() {
		out.Close()
		<-ended
		file()
	}, nil
}

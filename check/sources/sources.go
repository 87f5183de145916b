package sources

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/host/files"
)

// Options say what to read.
type Options struct {
	Args  []string    // files, directories, archives, or - for standard input
	From  string      // a file with a name a line, or separated by NUL; - is standard input; empty: none
	Shard check.Shard // of the logs' names, with slashes: those that are wanted; the zero Shard: all
	Stdin io.Reader   // ends with the context
	Held  int64       // how many bytes of an entry of a tar archive are held in memory; 0: 1 GB

	// Wait is how long it may take to unpack an entry of a tar archive; 0: as long as it does. It is then Inconclusive.
	Wait time.Duration

	// Unpacked is how many bytes a log may have that was compressed, so that a bomb is refused. 0: 16 GB,
	// and at most maxRatio times as many as it had before.
	Unpacked int64
}

// List is the logs that a user names. They are found as they are asked for.
type List struct {
	ctx   context.Context
	o     Options
	named []item
	names *names // of Options.From
}

// item is a log, or an archive with some.
type item struct {
	path  string
	stdin bool
}

// All finds out what the arguments name. Errors are about these; a file that cannot be
// read fails when it is opened.
func All(ctx context.Context, o Options) (*List, error) {
	l := &List{ctx: ctx, o: o}
	stdin := o.From == "-"
	for i, arg := range o.Args {
		switch {
		case arg == "":
			return nil, fmt.Errorf("argument %d, the name of a log, is empty", i+1)
		case arg == "-" && stdin && o.From == "-":
			return nil, fmt.Errorf("standard input is the list of names (--files-from -), so it cannot also be a log; leave out one -")
		case arg == "-" && stdin:
			return nil, fmt.Errorf("standard input can be read only once, but - is given twice")
		case arg == "-":
			stdin = true
			l.named = append(l.named, item{path: "standard input", stdin: true})
			continue
		}
		found, err := l.find(arg)
		if err != nil {
			return nil, err
		}
		l.named = append(l.named, found...)
	}
	switch {
	case o.From == "-":
		l.names = newNames("standard input", o.Stdin)
	case o.From != "":
		f, err := files.Open(ctx, o.From)
		if err != nil {
			return nil, err
		}
		l.names = newNames(o.From, f)
	}
	return l, nil
}

// find is the logs that an argument names: many if it is a directory.
func (l *List) find(path string) ([]item, error) {
	if !files.IsDir(path) {
		return []item{{path: path}}, nil
	}
	found, err := below(path)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no .log, .jsonl, .json, .bin, .edn or .hist file in %s", path)
	}
	return found, err
}

// below lists the logs in a directory and its subdirectories, in lexical order. Of a directory that Jepsen stored a test in, that
// is the history: the results beside it, logs of nodes, and histories of single keys below it are none, or the same again.
func below(dir string) ([]item, error) {
	if to, err := filepath.EvalSymlinks(dir); err == nil && to != dir {
		dir = dir + string(filepath.Separator) // such as store/latest
	}
	var found []item
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			if IsLog(path) {
				found = append(found, item{path: path})
			}
			return nil
		}
		if history := storedHistory(path); history != "" {
			found = append(found, item{path: history})
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// storedHistory is the history of a test that Jepsen stored in a directory; empty if it is no such directory.
func storedHistory(dir string) string {
	name := storedName(func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.Mode().IsRegular()
	})
	if name == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// storedName is which of the files of a directory is the history of a test, if Jepsen stored one there.
func storedName(has func(name string) bool) string {
	beside := slices.ContainsFunc([]string{"jepsen.log", "results.edn", "test.fressian", "test.jepsen", "timeline.html"}, has)
	for _, name := range []string{"history.edn", "history.txt", "jepsen.log"} {
		for _, packed := range []string{"", ".gz", ".zst"} {
			if has(name+packed) && (beside || name == "history.txt" && packed == "") {
				return name + packed
			}
		}
	}
	return ""
}

// IsLog reports whether a file is called as logs are. The results of a Jepsen test are not.
func IsLog(path string) bool {
	for _, packed := range []string{".gz", ".zst"} {
		path = strings.TrimSuffix(path, packed)
	}
	return filepath.Base(path) != "results.edn" && slices.Contains([]string{".log", ".jsonl", ".json", ".bin", ".edn", ".hist"}, filepath.Ext(path))
}

// Each hands over the logs, one after the other. A name of a list that leads nowhere is
// one that fails. The logs of a list, and standard input, are there only once.
func (l *List) Each(yield func(check.Source) bool) {
	for _, i := range l.named {
		if !l.expand(i, yield) {
			return
		}
	}
	if l.names == nil {
		return
	}
	defer l.names.close()
	for l.ctx.Err() == nil {
		name, where, err := l.names.next()
		if err == io.EOF {
			return
		}
		if err != nil {
			yield(failing(where, err))
			return
		}
		found, err := l.find(name)
		if err != nil && !yield(failing(name, err)) {
			return
		}
		for _, i := range found {
			if !l.expand(i, yield) {
				return
			}
		}
	}
}

// Twice reports whether the logs can be asked for again.
func (l *List) Twice() bool {
	return l.names == nil && !slices.ContainsFunc(l.named, func(i item) bool { return i.stdin })
}

// Single is the name of the only log, if there is one that can be no more.
func (l *List) Single() (name string, ok bool) {
	if l.Len() != 1 {
		return "", false
	}
	return l.named[0].path, true
}

// Len is how many logs there are, or 0 if that turns out as they come.
func (l *List) Len() int {
	if l.names != nil || l.o.Shard.N > 1 || slices.ContainsFunc(l.named, func(i item) bool { return archive(i.path) != "" }) {
		return 0
	}
	return len(l.named)
}

// wants reports whether a log is in the shard.
func (l *List) wants(name string) bool { return l.o.Shard.Has(filepath.ToSlash(name)) }

// expand hands over the logs in a file. It is false if no more are wanted.
func (l *List) expand(i item, yield func(check.Source) bool) bool {
	switch kind := archive(i.path); {
	case i.stdin:
		return !l.wants(i.path) || yield(l.source(i.path, func() (io.ReadCloser, error) { return io.NopCloser(l.o.Stdin), nil }))
	case kind == "tar":
		return l.tar(i.path, yield)
	case kind == "zip":
		return l.zip(i.path, yield)
	}
	if !l.wants(i.path) {
		return true
	}
	return yield(l.source(i.path, func() (io.ReadCloser, error) { return open(l.ctx, i.path) }))
}

func open(ctx context.Context, path string) (io.ReadCloser, error) {
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Open opens a file that may be packed.
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	return unpacking(path, 0, func() (io.ReadCloser, error) { return open(ctx, path) })
}

// source is a log that may be packed.
func (l *List) source(name string, open func() (io.ReadCloser, error)) check.Source {
	return check.Source{Name: name, Open: func() (io.ReadCloser, error) { return unpacking(name, l.o.Unpacked, open) }}
}

func unpacking(name string, most int64, open func() (io.ReadCloser, error)) (io.ReadCloser, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	if s, ok := f.(io.ReadSeeker); ok && !isPacked(s) {
		return f, nil // whose size its reader can see
	}
	return &both{Unpack(f, name, most), f}, nil
}

// isPacked reports whether a file begins as one that is compressed, or cannot be read twice.
func isPacked(f io.ReadSeeker) bool {
	var head [4]byte
	if _, err := f.Seek(0, io.SeekCurrent); err != nil {
		return true
	}
	n, _ := io.ReadFull(f, head[:])
	_, err := f.Seek(0, io.SeekStart)
	return err != nil || slices.ContainsFunc([][]byte{gzipMagic, zstdMagic, zipMagic}, func(m []byte) bool { return bytes.HasPrefix(head[:n], m) })
}

// both is a reader of a file.
type both struct {
	io.ReadCloser
	file io.Closer
}

func (b *both) Close() error {
	b.ReadCloser.Close()
	return b.file.Close()
}

// failing is a log that cannot be read.
func failing(name string, err error) check.Source {
	return check.Source{Name: name, Open: func() (io.ReadCloser, error) { return nil, err }}
}

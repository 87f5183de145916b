package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/diff"
)

// File is a generated file: a name in the output directory, and contents.
type File struct {
	Name string
	Data []byte
}

// WriteAll writes all files or, as far as the file system allows, none.
func WriteAll(ctx context.Context, dir string, files []File) error {
	var outs []*output
	defer func() {
		for _, o := range outs {
			o.discard()
		}
	}()
	for _, f := range files {
		o, err := create(ctx, filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		outs = append(outs, o)
		if _, err := o.Write(f.Data); err != nil {
			return err
		}
		if err := o.finish(); err != nil {
			return err
		}
	}
	for _, o := range outs {
		if err := o.place(); err != nil {
			return err
		}
	}
	return nil
}

// Write writes one file, or none if that fails. What write says is returned.
func Write(ctx context.Context, path string, write func(io.Writer) error) error {
	o, err := create(ctx, path)
	if err != nil {
		return err
	}
	defer o.discard()
	if err := write(o); err != nil {
		return err
	}
	if err := o.finish(); err != nil {
		return err
	}
	return o.place()
}

// Probe says why a file could not be written, before there is anything to write. It leaves devices and pipes alone.
func Probe(ctx context.Context, path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	o, err := create(ctx, path)
	if err == nil {
		o.discard()
	}
	return err
}

// Append writes behind what a file has, which is made if need be. What write says is returned.
func Append(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err == nil {
		_, err = f.Write(b.Bytes())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return errorf("cannot write %s: %w", path, Cause(err))
	}
	return nil
}

// output is a file that is being written. One that is regular, or new, is written
// under another name in its directory, and put in place when it is complete: it
// is never there in part. Anything else, such as a device or a pipe, is written
// to at once.
type output struct {
	f    *os.File
	path string      // as the user said
	dest string      // without links; empty if the file itself is written to
	old  fs.FileInfo // of the file that was there; nil if there was none
}

// create opens what a path names, which may be there or not.
func create(ctx context.Context, path string) (*output, error) {
	o := &output{path: path}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, errorf("cannot write %s: a directory is in the way", path)
	case err == nil && isStdout(info):
		o.f = os.Stdout
		return o, nil
	case err == nil && !info.Mode().IsRegular():
		o.f, err = openPipe(ctx, path, os.O_WRONLY)
	case err == nil || errors.Is(err, fs.ErrNotExist):
		o.old = info
		err = o.createTemp()
	}
	if err != nil {
		return nil, o.failed(err)
	}
	return o, nil
}

// isStdout reports whether a file is what standard output goes to: what was
// written there must stay.
func isStdout(info fs.FileInfo) bool {
	to, err := os.Stdout.Stat()
	return err == nil && os.SameFile(info, to)
}

// openPipe opens a file that may keep us waiting for who is at its other end, now
// or later: both end with the context.
func openPipe(ctx context.Context, path string, flag int) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	c := make(chan opened, 1)
	go func() {
		f, err := os.OpenFile(path, flag, 0)
		c <- opened{f, err}
	}()
	select {
	case o := <-c:
		if o.err == nil {
			context.AfterFunc(ctx, func() { o.f.SetDeadline(time.Now()) })
		}
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// createTemp opens a file beside the one that is written. Nobody else can read it
// who could not read that one.
func (o *output) createTemp() (err error) {
	if o.dest, err = resolve(o.path); err != nil {
		return err
	}
	mode := fs.FileMode(0o666) // less what the umask says
	if o.old != nil {
		old, err := os.OpenFile(o.dest, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		old.Close()
		mode = o.old.Mode() & 0o600
	}
	for {
		name := filepath.Join(filepath.Dir(o.dest), fmt.Sprintf(".%s.%08x", filepath.Base(o.dest), rand.Uint32()))
		o.f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// resolve follows the links of a path, also where they lead to no file.
func resolve(path string) (string, error) {
	for {
		to, err := filepath.EvalSymlinks(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return to, err
		}
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
}

// Write writes to the file.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.f.Write(p)
	if err != nil {
		err = o.failed(err)
	}
	return n, err
}

// finish ends writing.
func (o *output) finish() error {
	if o.f == os.Stdout {
		return nil
	}
	var err error
	if o.old != nil && o.dest != "" {
		err = o.f.Chmod(o.old.Mode().Perm())
	}
	if err := errors.Join(err, o.f.Close()); err != nil {
		return o.failed(err)
	}
	return nil
}

// place puts a finished file in place.
func (o *output) place() error {
	if o.dest == "" {
		return nil
	}
	if err := os.Rename(o.f.Name(), o.dest); err != nil {
		return o.failed(err)
	}
	o.dest = ""
	return nil
}

// discard removes what was not put in place.
func (o *output) discard() {
	if o.f != os.Stdout {
		o.f.Close()
	}
	if o.dest != "" {
		os.Remove(o.f.Name())
	}
}

func (o *output) failed(err error) error {
	return errorf("cannot write %s: %w", o.path, Cause(err))
}

// Error is about a file that a user named.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

func errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Cause is an error without the temporary file's name, which says nothing to
// the user.
func Cause(err error) error {
	var (
		path *os.PathError
		link *os.LinkError
	)
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Stale compares generated files with those in the directory and returns a
// diff; it is empty if they are up to date.
func Stale(dir string, files []File) ([]byte, error) {
	var d bytes.Buffer
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		old, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return nil, errorf("cannot read %s: %w", path, Cause(err))
		}
		if err != nil {
			fmt.Fprintf(&d, "%s is missing\n", path)
			continue
		}
		old = bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")) // as git may have made it
		d.Write(diff.Diff(path, old, path+" (regenerated)", f.Data))
	}
	return d.Bytes(), nil
}

// Open opens a file for reading, up to the end of the context: a pipe that nobody
// writes to holds up neither this nor the reading.
func Open(ctx context.Context, path string) (*Reader, error) {
	var f *os.File
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		f, err = openPipe(ctx, path, os.O_RDONLY)
	} else {
		f, err = os.Open(path)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &Error{err}
	}
	return &Reader{ctx, f}, nil
}

// Reader is a file that is read up to the end of a context.
type Reader struct {
	ctx context.Context
	*os.File
}

// Read reads up to the end of the context.
func (p *Reader) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.File.Read(b)
	if err != nil && p.ctx.Err() != nil { // a deadline that passed
		err = p.ctx.Err()
	}
	return n, err
}

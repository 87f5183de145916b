package sources

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/host/memory"
)

// archive is tar or zip for a name that says so, else empty.
func archive(name string) string {
	for _, end := range []string{".tar", ".tar.gz", ".tgz", ".tar.zst"} {
		if strings.HasSuffix(name, end) {
			return "tar"
		}
	}
	if strings.HasSuffix(name, ".zip") {
		return "zip"
	}
	return ""
}

// maxEntry is Options.Held unless that says so.
const maxEntry = 1 << 30

// tar hands over the logs in a tar archive. They come one after the other, and are held
// in memory from when they are asked for.
func (l *List) tar(file string, yield func(check.Source) bool) bool {
	f, err := files.Open(l.ctx, file)
	if err != nil {
		return yield(failing(file, err))
	}
	defer f.Close()
	most := int64(0)
	if l.o.Unpacked > 0 {
		most = 1 << 60 // each entry has its limit
	}
	packed := Unpack(f, file, most)
	defer packed.Close()
	return l.members(file, &zeros{Reader: packed}, yield)
}

// members hands over the logs in what is an archive once it is unpacked.
func (l *List) members(file string, end *zeros, yield func(check.Source) bool) bool {
	in, found := tar.NewReader(end), false
	for {
		h, err := in.Next()
		switch {
		case err == io.EOF && end.n < 512: // a block of zeros is what ends an archive
			return yield(failing(file, l.damaged(file, io.ErrUnexpectedEOF)))
		case err == io.EOF:
			return found || yield(failing(file, errorf("%s: no .log, .jsonl, .json, .bin, .edn or .hist file in the archive", file)))
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return yield(failing(file, l.damaged(file, err)))
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		name := file + "/" + strings.TrimPrefix(h.Name, "./")
		bad := unsafe(file, h.Name)
		if bad == nil && !IsLog(h.Name) {
			continue
		}
		if found = true; !l.wants(name) {
			continue
		}
		s, broken := failing(name, bad), false
		if bad == nil {
			s, broken = l.entry(file, name, h.Size, in)
		}
		if more := yield(s); !more || broken {
			return more
		}
	}
}

// zeros counts those that what was read ends with.
type zeros struct {
	io.Reader
	n int
}

func (z *zeros) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	if rest := bytes.TrimRight(p[:n], "\x00"); len(rest) > 0 {
		z.n = n - len(rest)
	} else {
		z.n += n
	}
	return n, err
}

// late is why the time of an entry is over.
type late struct{}

func (late) Error() string        { return "the time limit was reached while it was unpacked" }
func (late) Is(target error) bool { return target == context.DeadlineExceeded }

// entry reads an entry of a tar archive. Broken says that there is nothing after it.
func (l *List) entry(file, name string, size int64, in io.Reader) (s check.Source, broken bool) {
	most := cmp.Or(l.o.Held, l.o.Unpacked, maxEntry)
	if l.o.Unpacked > 0 {
		most = min(most, l.o.Unpacked)
	}
	if size > most {
		return failing(name, errorf("%s: has %d bytes, but an entry of a tar archive may have at most %s, because it is held in memory; allow more with --unpack and --memory, or unpack the archive (%w)",
			name, size, memory.Size(most), &memory.Exceeded{Limit: most})), false
	}
	ctx, cancel := l.ctx, context.CancelFunc(func() {})
	if l.o.Wait > 0 {
		ctx, cancel = context.WithTimeout(ctx, l.o.Wait)
	}
	defer cancel()
	var b bytes.Buffer // grows with what is there, whatever the header promises
	_, err := io.Copy(&b, &memory.Reader{Reader: in, Ctx: ctx})
	switch {
	case l.ctx.Err() == nil && ctx.Err() != nil:
		return failing(name, &Error{late{}}), false
	case err != nil:
		return failing(name, l.damaged(name, err)), true
	}
	data := b.Bytes()
	return l.source(name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }), false
}

// damaged says that an archive cannot be read; errors of reading the file, and of
// unpacking it, say so themselves.
func (l *List) damaged(name string, err error) error {
	var file *files.Error
	switch {
	case l.ctx.Err() != nil:
		return l.ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errorf("%s: the archive is truncated; fetch it again", name)
	case errors.As(err, &file), errors.As(err, new(*Error)):
		return err
	case errors.Is(err, tar.ErrHeader), errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrAlgorithm), errors.Is(err, zip.ErrChecksum):
		return errorf("%s: the archive cannot be read (%w)", name, err)
	}
	return err
}

// zip hands over the logs in a zip archive.
func (l *List) zip(file string, yield func(check.Source) bool) bool {
	z, size, err := l.openZip(file)
	if err != nil {
		return yield(failing(file, l.damaged(file, err)))
	}
	found, stored := false, storedIn(z)
	for _, e := range z.File {
		if e.FileInfo().IsDir() {
			continue
		}
		name := file + "/" + strings.TrimPrefix(e.Name, "./")
		s := l.zipped(name, e, size)
		if err := unsafe(file, e.Name); err != nil {
			s = failing(name, err)
		} else if is, within := stored(e.Name); within && !is || !within && !IsLog(e.Name) {
			continue
		}
		if found = true; l.wants(name) && !yield(s) {
			return false
		}
	}
	return found || yield(failing(file, errorf("%s: no .log, .jsonl, .json, .bin, .edn or .hist file in the archive", file)))
}

// storedIn tells of the entries of an archive whether they are within a directory that Jepsen stored a test in, and whether they are
// its history.
func storedIn(z *zip.Reader) func(entry string) (is, within bool) {
	names := map[string]bool{}
	for _, e := range z.File {
		names[path.Clean(e.Name)] = true
	}
	return func(entry string) (is, within bool) {
		entry = path.Clean(entry)
		for dir := path.Dir(entry); ; dir = path.Dir(dir) {
			if name := storedName(func(name string) bool { return names[path.Join(dir, name)] }); name != "" {
				is, within = entry == path.Join(dir, name), true // of the outermost one
			}
			if dir == "." || dir == "/" {
				return is, within
			}
		}
	}
}

// openZip reads the directory of an archive. The file is closed when nobody refers to it.
func (l *List) openZip(file string) (z *zip.Reader, size int64, err error) {
	f, err := files.Open(l.ctx, file)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errorf("%s: a zip archive has its directory at the end, so it cannot be read from a pipe", file)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	z, err = zip.NewReader(f.File, info.Size())
	if errors.Is(err, zip.ErrInsecurePath) {
		err = nil
	}
	return z, info.Size(), err
}

// zipped is an entry of a zip archive of that size.
func (l *List) zipped(name string, e *zip.File, size int64) check.Source {
	return l.source(name, func() (io.ReadCloser, error) {
		if e.Flags&1 != 0 {
			return nil, errorf("%s: is encrypted; unpack the archive", name)
		}
		r, err := e.Open()
		if err != nil {
			return nil, l.damaged(name, err)
		}
		packed := int64(min(e.CompressedSize64, uint64(size))) // whatever the entry promises
		return &entry{r, l, name, &unpacked{name: name, most: l.o.Unpacked, begun: true, how: "zip", plain: r, packed: &counted{n: packed}}}, nil
	})
}

// entry reads an entry of a zip archive within the limits.
type entry struct {
	io.ReadCloser
	l    *List
	name string
	u    *unpacked
}

func (e *entry) Read(p []byte) (int, error) {
	if err := e.l.ctx.Err(); err != nil {
		return 0, err
	}
	return e.u.Read(p)
}

// unsafe refuses names that lead out of the archive.
func unsafe(file, name string) error {
	slashed := strings.ReplaceAll(name, `\`, "/")
	clean := path.Clean(slashed)
	switch {
	case name == "":
		return errorf("%s: an entry has no name", file)
	case path.IsAbs(slashed), len(slashed) > 1 && slashed[1] == ':':
		return errorf("%s: the entry %q is not read, because its name is absolute", file, name)
	case clean == "..", strings.HasPrefix(clean, "../"), strings.Contains("/"+slashed+"/", "/../"):
		return errorf("%s: the entry %q is not read, because its name leads out of the archive", file, name)
	}
	return nil
}

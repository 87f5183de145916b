package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/check"
)

// maxName is how long a name may be.
const maxName = 1 << 16

// names reads a list of names: one a line, or separated by NUL, as find -print0 writes
// them, if there is one before the first line ends. Empty lines are left out.
type names struct {
	file  string
	in    *bufio.Reader
	from  io.Reader
	begun bool
	end   byte // of a name
	line  int
}

func newNames(file string, r io.Reader) *names {
	return &names{file: file, in: bufio.NewReaderSize(r, maxName), from: r, end: '\n'}
}

func (n *names) close() {
	if c, ok := n.from.(io.Closer); ok {
		c.Close()
	}
}

// next is the next name, and where it is; io.EOF after the last one.
func (n *names) next() (name, where string, err error) {
	for {
		line, err := n.in.ReadSlice(n.end)
		if !n.begun {
			n.begun = true
			if i := bytes.IndexByte(line, 0); i >= 0 {
				rest := bytes.NewReader(bytes.Clone(line[i+1:]))
				n.end, line, err = 0, bytes.Clone(line[:i+1]), nil
				n.in = bufio.NewReaderSize(io.MultiReader(rest, n.in), maxName)
			}
		}
		n.line++
		where = fmt.Sprintf("%s:%d", n.file, n.line)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return "", where, fmt.Errorf("%s: the name is longer than %d bytes; is this a list of files, one per line?", where, maxName)
		case err != nil && err != io.EOF:
			return "", where, fmt.Errorf("%s: %w", where, err)
		case len(line) == 0 && err == io.EOF:
			return "", where, io.EOF
		}
		name = strings.TrimSuffix(string(line), string(n.end))
		if n.end == '\n' {
			name = strings.TrimSuffix(name, "\r")
		}
		switch {
		case strings.ContainsRune(name, 0):
			return "", where, fmt.Errorf("%s: the name contains a NUL; end all names with newlines, or all with NULs", where)
		case name != "":
			return name, where, nil
		}
	}
}

// ParseShard reads I/N; the empty text is everything.
func ParseShard(text string) (check.Shard, error) {
	if text == "" {
		return check.Shard{}, nil
	}
	a, b, _ := strings.Cut(text, "/")
	i, bad := strconv.Atoi(a)
	n, worse := strconv.Atoi(b)
	if bad != nil || worse != nil || i < 1 || n < i {
		return check.Shard{}, fmt.Errorf("needs I/N with 1 <= I <= N, such as 1/4, not %q", text)
	}
	return check.Shard{I: i, N: n}, nil
}

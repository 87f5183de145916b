// Package cache keeps in files, from run to run, what takes long to compute. What it
// cannot keep or read is computed again: nothing here is an error for users.
//
//	c := cache.Open() // ADTINFER_CACHE, or the user's cache directory
//	if data, ok := c.Get(key); ok { ... }
//	c.Put(key, data)
//
//	Files  entries in a directory; nil keeps nothing
//	Self   which adtinfer is running, for keys
package cache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Variable is the environment variable that names another directory, or is "off".
const Variable = "ADTINFER_CACHE"

// Bounds of a cache: beyond them its oldest entries go.
const (
	maxBytes = 64 << 20
	maxEntry = 8 << 20
	staleTmp = time.Hour // after which a file that somebody began to write is removed
)

// Files are entries, each a file of its own, written under another name first, with a
// checksum. The oldest are removed when there are too many. Nil keeps nothing.
type Files struct {
	dir      string
	maxBytes int64
}

// Open is the cache that the environment asks for: none if it is off, or there is no
// place for it. The directory is made when it is needed.
func Open() *Files {
	switch dir := os.Getenv(Variable); {
	case dir == "off":
		return nil
	case filepath.IsAbs(dir):
		return at(dir)
	case dir != "":
		return nil // tests run in other directories than their users
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return at(filepath.Join(dir, "adtinfer"))
}

// at is the cache in a directory.
func at(dir string) *Files { return &Files{dir, maxBytes} }

const (
	suffix    = ".entry"
	tmpSuffix = ".tmp"
)

func (c *Files) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:])+suffix)
}

// checksum is of an entry's key and data.
func checksum(key string, data []byte) []byte {
	h := sha256.New()
	io.WriteString(h, key+"\x00")
	h.Write(data)
	return append(hex.AppendEncode(nil, h.Sum(nil)), '\n')
}

// Get is the entry of a key; false if there is none, or it is damaged.
func (c *Files) Get(key string) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	name := c.file(key)
	f, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxEntry+1))
	if err != nil {
		return nil, false
	}
	sum, data, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.Equal(append(sum, '\n'), checksum(key, slices.Clone(data))) {
		return nil, false
	}
	now := time.Now()
	os.Chtimes(name, now, now) // so that it is not the oldest; in vain where nothing may be written
	return data, true
}

// Put keeps an entry, in place of another one of the key. The error is for tests and
// the curious: what was not kept is computed again.
func (c *Files) Put(key string, data []byte) error {
	switch {
	case c == nil:
		return nil
	case len(data)+sha256.Size*2+1 > maxEntry:
		return errors.New("cache: the entry is too large")
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(c.dir, "*"+tmpSuffix)
	if err != nil {
		return err
	}
	_, err = tmp.Write(slices.Concat(checksum(key, data), data))
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), c.file(key))
	}
	if err != nil {
		os.Remove(tmp.Name())
		return err
	}
	c.trim()
	return nil
}

// trim removes the oldest entries until the rest fit, and what was left half written.
func (c *Files) trim() {
	type entry struct {
		name string
		size int64
		used time.Time
	}
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var all []entry
	sum := int64(0)
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		e := entry{filepath.Join(c.dir, f.Name()), info.Size(), info.ModTime()}
		switch {
		case strings.HasSuffix(e.name, suffix):
			all, sum = append(all, e), sum+e.size
		case strings.HasSuffix(e.name, tmpSuffix) && time.Since(e.used) > staleTmp:
			os.Remove(e.name)
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.name, b.name))
	})
	for _, e := range all {
		if sum <= c.maxBytes {
			return
		}
		if os.Remove(e.name) == nil {
			sum -= e.size
		}
	}
}

// Self says which adtinfer is running: its version, or the hash of the program that
// it is built into, where it has none; "" if that cannot be told.
var Self = sync.OnceValue(func() string {
	const path = "github.com/adtinfer/adtinfer"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == path && m.Replace == nil && m.Sum != "" {
			return m.Version + " " + m.Sum
		}
	}
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(exe)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

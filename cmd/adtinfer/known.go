package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	goio "io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/host/cache"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/theory"
)

// known is where the theory of a reference is kept from one run of infer to the next: by its
// source, by this adtinfer, and by all flags on which the theory depends. Nil keeps nothing.
type known struct {
	cache *cache.Files
	key   string
	src   *origin.Source
}

// knownTheory is what is kept.
type knownTheory struct {
	Theory string `json:"theory"` // as a file
	Notes  string `json:"notes"`  // that were printed beside
}

// notAbout are flags on which the theory does not depend, and --ref: what it leads to counts.
var notAbout = []string{"out", "format", "check", "timeout", "verbose", "cpuprofile", "memprofile", "help", "ref"}

// known is nil if nobody wants it, or if it cannot be told on what the theory depends.
func (o *inferOptions) known(ctx context.Context) *known {
	dir, name := o.ref, ""
	if i := strings.LastIndexByte(dir, '#'); i >= 0 && !files.IsDir(dir) {
		dir, name = dir[:i], dir[i:]
	}
	dir, err := filepath.EvalSymlinks(dir)
	k := &known{cache: cache.Open()}
	if err != nil || !files.IsDir(dir) || k.cache == nil || o.flags == nil || o.dump != "" || cache.Self() == "" {
		return nil
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil
	}
	if k.src, err = origin.Of(ctx, dir); err != nil {
		return nil
	}
	o.before = k.src
	here, err := os.Getwd() // notes may have paths
	if err != nil {
		return nil
	}
	key := []string{"infer 1", cache.Self(), runtime.GOOS, runtime.GOARCH, here, k.src.Dir, name, k.src.Package, k.src.Module, k.src.Hash, k.src.Go, k.src.Build}
	o.flags.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(notAbout, f.Name) {
			key = append(key, f.Name+"="+f.Value.String())
		}
	})
	texts, err := contents(o.scheme, o.predicates)
	if err != nil {
		return nil
	}
	k.key = fmt.Sprintf("%q", append(key, texts...))
	return k
}

// contents are those of files; a file without a name has none.
func contents(names ...string) (texts []string, err error) {
	for _, name := range names {
		text := []byte{}
		if name != "" {
			if text, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}

// recall is the theory that was kept, if there is one; its notes are printed again.
func (k *known) recall(io streams) (*theory.Theory, bool) {
	if k == nil {
		return nil, false
	}
	data, ok := k.cache.Get(k.key)
	var was knownTheory
	if !ok || json.Unmarshal(data, &was) != nil {
		return nil, false
	}
	t, err := theory.Read(strings.NewReader(was.Theory), "the theory that was kept")
	if err != nil {
		return nil, false
	}
	io.log.Info("known", "source", k.src.Hash)
	goio.WriteString(io.err, was.Notes)
	return t, true
}

// keep keeps a theory, if the source is still the one by which it is kept, and gives it back
// as it will be recalled: as its file has it. One that would be another one to people stays.
func (k *known) keep(t *theory.Theory, notes string) *theory.Theory {
	var file bytes.Buffer
	if theory.Write(&file, t) != nil {
		return t
	}
	text := file.String()
	again, err := theory.Read(&file, "theory")
	if err != nil || !printedAlike(t, again) {
		return t
	}
	if k != nil && k.src.Unchanged() {
		if data, err := json.Marshal(knownTheory{text, notes}); err == nil {
			k.cache.Put(k.key, data) // what is not kept is inferred again
		}
	}
	return again
}

// printedAlike reports whether two theories are printed alike for people, and in files.
func printedAlike(a, b *theory.Theory) bool {
	for _, format := range []string{"text", "markdown", "theory"} {
		var of [2]bytes.Buffer
		for i, t := range []*theory.Theory{a, b} {
			if printers[format](&of[i], t, out.Plain) != nil {
				return false
			}
		}
		if !bytes.Equal(of[0].Bytes(), of[1].Bytes()) {
			return false
		}
	}
	return true
}

package adttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/internal/cache"
	"github.com/adtinfer/adtinfer/internal/origin"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// keyOf is the name of what was inferred from a reference in the cache: its source,
// adtinfer itself and what else it depends on; "" if that cannot be told, and nothing
// is kept.
func keyOf(ctx context.Context, c *cache.Cache, spec reference.Spec) string {
	self := cache.Self()
	if c == nil || self == "" {
		return ""
	}
	funcs := []any{spec.New, spec.Accept}
	for _, o := range spec.Operations {
		funcs = append(funcs, o.Func)
	}
	code, err := origin.OfFuncs(ctx, funcs...)
	if err != nil {
		return ""
	}
	rest, err := json.Marshal(struct {
		Info    reference.Info
		Skip    []string
		Timeout string
		Names   []string
	}{spec.Info(), spec.Skip, spec.Timeout.String(), names(spec.Operations)})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("adttest 1\n%s\n%s\n%s", self, rest, code)
}

func names(operations []reference.Operation) (all []string) {
	for _, o := range operations {
		all = append(all, fmt.Sprintf("%s %T", o.Name, o.Func))
	}
	return all
}

// entry is what the cache has of an inference.
type entry struct {
	Theory string `json:"theory,omitempty"` // as a file
	None   string `json:"none,omitempty"`   // why there is none
}

// memory is the entry of an inference.
func (in *inferred) memory() []byte {
	var e entry
	if in.none != nil {
		e.None = in.none.Error()
	} else {
		var b bytes.Buffer
		if theory.Write(&b, in.theory) != nil {
			return nil
		}
		e.Theory = b.String()
	}
	data, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	return data
}

// recall takes an entry for what was inferred.
func (in *inferred) recall(data []byte) bool {
	var e entry
	if json.Unmarshal(data, &e) != nil || (e.Theory == "") == (e.None == "") {
		return false
	}
	if e.None != "" {
		in.none = errors.New(e.None)
		return true
	}
	t, err := theory.Read(bytes.NewReader([]byte(e.Theory)), "cached theory")
	if err == nil {
		in.theory = t
	}
	return err == nil
}

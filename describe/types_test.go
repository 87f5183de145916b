package describe

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

type rate struct {
	Per time.Duration
	N   float64 `json:"n"`
}

type rates struct{ m map[string]rate }

func (s *rates) Put(r rate, k string)          { s.m[k] = r }
func (s *rates) Get(k string) (r rate, b bool) { r, b = s.m[k]; return r, b }
func (s *rates) Len() int                      { return len(s.m) }

type names struct{ m map[string]int }

func (s *names) Put(k string, n int)          { s.m[k] = n }
func (s *names) Get(k string) (n int, b bool) { n, b = s.m[k]; return n, b }

// TestWithTypes: all methods have types, also in the part of a product, or none if all are
// integers and strings.
func TestWithTypes(t *testing.T) {
	const of = "{struct: [{name: Per, type: duration}, {name: \"N\", type: float64, json: \"n\"}]}"
	texts := func(methods []history.MethodSig) (all string) {
		for _, m := range methods {
			all += m.Name + ":"
			for _, types := range [][]values.Basic{m.Params, m.Results} {
				for _, b := range types {
					all += " " + typename.Of(b)
				}
				all += ";"
			}
			all += " "
		}
		return all
	}
	for _, tt := range []struct {
		construct   any
		whole, part string
	}{
		{func() *rates { return &rates{map[string]rate{}} }, "put: " + of + " string;; get: string; " + of + "; len:; int; ", "put: " + of + ";; get:; " + of + "; len:; int; "},
		{func() *names { return &names{map[string]int{}} }, "put:;; get:;; ", "put:;; get:;; "},
	} {
		impl, err := reference.Of(tt.construct)
		if err != nil {
			t.Fatal(err)
		}
		defer impl.Close()
		th, err := patterns.Declare(impl, reference.Info{})
		if err != nil {
			t.Fatal(err)
		}
		th.Spec.Product = &theory.Product{}
		for i, m := range th.Spec.Methods {
			k := theory.Key{Method: m.Name, Role: theory.SumOfAll}
			if m.Args > 0 {
				k.Role = theory.ByKey
				if m.Name == "put" && m.Args == 2 && impl.Methods()[i].Args[1] == "string" {
					k.Arg = 1
				}
				m.Args--
			}
			th.Spec.Product.Keys = append(th.Spec.Product.Keys, k)
			th.Spec.Product.Part.Methods = append(th.Spec.Product.Part.Methods, m)
		}
		withTypes(&th.Spec, impl)
		if got := texts(th.Spec.Methods); got != tt.whole {
			t.Errorf("%s, want %s", got, tt.whole)
		}
		if got := texts(th.Spec.Product.Part.Methods); got != tt.part {
			t.Errorf("of the part: %s, want %s", got, tt.part)
		}
	}
}

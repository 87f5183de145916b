package reference

import (
	"encoding/json"
	"io"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
)

// Info is the declarative part of a Spec: all of it but the functions.
type Info struct {
	Name       string              `json:"name"`
	Language   []Rule              `json:"language,omitempty"`
	Predicates []Predicate         `json:"predicates,omitempty"`
	Target     []string            `json:"target,omitempty"`
	ReadOnly   string              `json:"readOnly,omitempty"`
	Aliases    map[string][]string `json:"aliases,omitempty"`
}

// Info returns the Spec's declarative part.
func (s Spec) Info() Info {
	return Info{
		Name:       s.Name,
		Language:   s.Language,
		Predicates: s.Predicates,
		Target:     s.Target,
		ReadOnly:   s.ReadOnly,
		Aliases:    s.Aliases,
	}
}

// Serve answers the loader's questions about the Spec, read from in, on out; it
// returns when in ends. The program that Load generates calls it.
func (s Spec) Serve(in io.Reader, out io.Writer) error {
	return driver.Serve(s.object(), in, out)
}

// object is the Spec as the driver wants it.
func (s Spec) object() driver.Object {
	o := driver.Object{Name: s.Name, New: s.New, Skip: s.Skip}
	for _, op := range s.Operations {
		o.Operations = append(o.Operations, driver.Operation{Name: op.Name, Func: op.Func})
	}
	o.Info, o.Err = json.Marshal(s.Info())
	if s.Accept != nil && o.Err == nil {
		o.Accept, o.Err = acceptFunc(s.New, s.Accept)
	}
	return o
}

// methodsOf translates the driver's description.
func methodsOf(ds []driver.Method) []Method {
	var ms []Method
	for _, d := range ds {
		m := Method{Name: d.Name, GoName: d.GoName, Args: d.Args, Rets: d.Rets, Params: d.Params, Results: d.Results, ArgDomain: d.Domain}
		for _, o := range d.Outcomes {
			m.Outcomes = append(m.Outcomes, OutcomeArity{history.Outcome(o.Name), o.Rets})
		}
		ms = append(ms, m)
	}
	return ms
}

package product

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// A role is how a method may be a part of a product; arg is -1 but for ByKey, and ret
// as in theory.Key.
type role struct {
	theory.KeyRole
	arg, ret int
}

// A choice is a role for each method.
type choice []role

func (c choice) keyed() (n int) {
	for _, r := range c {
		if r.KeyRole == theory.ByKey {
			n++
		}
	}
	return n
}

func (c choice) keys(methods []reference.Method) (keys []theory.Key) {
	for m, r := range c {
		keys = append(keys, theory.Key{Method: methods[m].Name, Role: r.KeyRole, Arg: max(r.arg, 0), Ret: r.ret})
	}
	return keys
}

// keyTypes are the Go types of arguments, in the order in which they come.
func keyTypes(methods []reference.Method) (types []string) {
	for _, m := range methods {
		for p, t := range m.Args {
			if m.ArgDomain[p] != 1 && !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	return types
}

// search enumerates the choices with keys of one type, those with the most methods of
// role ByKey first, and within these the first arguments first.
type search struct {
	roles    [][]role // by method, the best first
	shows    []bool   // by method
	excluded []choice // with gaps: methods that do not matter
	wanted   int      // methods of role ByKey
	steps    int      // taken by extend
}

// mostSteps bounds the search for a choice that is not excluded.
const mostSteps = 2_000_000

func newSearch(methods []reference.Method, shows []bool, typ string) *search {
	s := &search{shows: shows}
	for i, m := range methods {
		var roles []role
		for p, t := range m.Args {
			if t != typ {
				continue
			}
			roles = append(roles, role{theory.ByKey, p, 0})
			for k, t := range m.Rets {
				if t == typ {
					roles = append(roles, role{theory.ByKey, p, k + 1})
				}
			}
		}
		if len(roles) > 0 {
			s.wanted++
		}
		roles = append(roles, role{theory.InAll, -1, 0})
		if !shows[i] && len(m.Args) == 0 && len(m.Outcomes) == 1 && len(m.Results) == 1 && m.Outcomes[0].Rets == 1 &&
			(m.Results[0].Kind == values.KindInt || m.Results[0].Kind == values.KindUint) {
			roles = append(roles, role{theory.SumOfAll, -1, 0})
		}
		s.roles = append(s.roles, roles)
	}
	return s
}

// next is a choice that is not excluded; nil if there is no other.
func (s *search) next() choice {
	for ; s.wanted > 0; s.wanted-- {
		if c := s.extend(nil, s.wanted, false); c != nil {
			return c
		}
	}
	return nil
}

// exclude excludes a choice, and all with the same roles for the methods of a word
// that refutes it.
func (s *search) exclude(c choice, w word) {
	e := make(choice, len(c))
	for _, call := range w {
		e[call.Method] = c[call.Method]
	}
	s.excluded = append(s.excluded, e)
}

// extend completes a choice: keyed more methods get role ByKey, and one of those that
// have it matters to later answers.
func (s *search) extend(c choice, keyed int, matters bool) choice {
	m := len(c)
	s.steps++
	switch {
	case s.steps > mostSteps || keyed < 0 || keyed > len(s.roles)-m || s.isExcluded(c):
		return nil
	case m == len(s.roles) && !matters:
		return nil
	case m == len(s.roles):
		return c
	}
	for _, r := range s.roles[m] {
		rest, now := keyed, matters
		if r.KeyRole == theory.ByKey {
			rest, now = keyed-1, matters || s.shows[m]
		}
		if full := s.extend(append(c[:m:m], r), rest, now); full != nil {
			return full
		}
	}
	return nil
}

// isExcluded reports whether all that begin as c does are excluded.
func (s *search) isExcluded(c choice) bool {
	return slices.ContainsFunc(s.excluded, func(e choice) bool {
		for m, r := range e {
			if r.KeyRole != "" && (m >= len(c) || c[m] != r) {
				return false
			}
		}
		return true
	})
}

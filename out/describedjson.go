package out

import (
	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/theory"
)

// jsonDescribed is a theory without patterns as JSON.
type jsonDescribed struct {
	Name     string             `json:"name"`
	New      string             `json:"new,omitempty"`
	Headline theory.Description `json:"headline"`
	jsonBeside
	LongRuns   *theory.LongRuns `json:"longRuns,omitempty"`
	Mutants    *theory.Mutants  `json:"mutants,omitempty"`
	NotCovered []string         `json:"notCovered"`
}

// jsonBeside is what describes a data type beside patterns, or instead of them.
type jsonBeside struct {
	Control   *jsonControl   `json:"control,omitempty"`
	Product   *jsonProduct   `json:"product,omitempty"`
	Automaton *jsonAutomaton `json:"automaton,omitempty"`
	Model     *origin.Model  `json:"model,omitempty"`
	Tried     []string       `json:"tried,omitempty"`
}

type jsonControl struct {
	Hidden   []string `json:"hidden"`
	Complete bool     `json:"complete"`
	Guards   bool     `json:"guards,omitempty"`
	jsonAutomaton
}

type jsonAutomaton struct {
	Extent *theory.Extent `json:"extent,omitempty"`
	automata.Table
}

type jsonProduct struct {
	Keys   []jsonKey             `json:"keys"`
	Status *theory.ProductStatus `json:"status,omitempty"`
	Part   jsonPart              `json:"part"`
}

type jsonKey struct {
	Method string         `json:"method"`
	Role   theory.KeyRole `json:"role"`
	Arg    *int           `json:"arg,omitempty"` // from 1
	Ret    int            `json:"ret,omitempty"` // from 1
}

type jsonPart struct {
	Headline theory.Description `json:"headline"`
	Patterns []jsonPattern      `json:"patterns,omitempty"`
	Language []string           `json:"language,omitempty"`
	jsonBeside
}

func besideOf(s *theory.Spec, st *theory.Status) jsonBeside {
	j := jsonBeside{Model: s.Model, Tried: st.Tried}
	if c := s.Control; c != nil {
		j.Control = &jsonControl{append([]string{}, kindTexts(c.Hidden)...), c.Complete, c.Guards, jsonAutomaton{st.Control, c.Automaton.Table()}}
	}
	if s.Automaton != nil {
		j.Automaton = &jsonAutomaton{st.Automaton, s.Automaton.Table()}
	}
	if p := s.Product; p != nil {
		own := &theory.Status{}
		if st.Product != nil {
			own = &st.Product.Part
		}
		j.Product = &jsonProduct{Status: st.Product, Part: jsonPart{
			Headline: p.Part.Headline(), Patterns: jsonPatterns(&p.Part), Language: readings(p.Part.Language), jsonBeside: besideOf(&p.Part, own),
		}}
		for _, k := range p.Keys {
			key := jsonKey{Method: k.Method, Role: k.Role, Ret: k.Ret}
			if k.Role == theory.ByKey {
				key.Arg = ptr(k.Arg + 1)
			}
			j.Product.Keys = append(j.Product.Keys, key)
		}
	}
	return j
}

func jsonPatterns(s *theory.Spec) []jsonPattern {
	all := []jsonPattern{}
	for i := range s.Patterns {
		p := &s.Patterns[i]
		all = append(all, jsonPattern{p.Name, p.Weight, p.Group, p.Reading, jsonOperations(&p.History)})
	}
	return all
}

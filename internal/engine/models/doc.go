// Package models makes what runs a wgl.Model to search: the descriptions of a theory, and
// references.
//
// # Descriptions
//
// Of makes the descriptions of a theory that run, automata and products
// of them, models that package wgl can search.
//
//	m := Of(&t.Spec)
//	r, err := wgl.Check(ctx, m.For(execution), execution, wgl.Options{Partition: true})
//
//	Model    a description as a wgl.Model
//	Of       the one of a theory
//	Machine  the one of an automaton
//
// A state is a location with what registers and counters hold; of a product it is the
// states of parts, by key. Equal states have equal texts and numbers in them, so that
// whoever keeps many may number them.
//
// # References
//
// New makes a reference a model that package wgl can search: a state is
// the number that a states.Space has for it, a step asks the Space and compares its
// answer with the log's.
//
//	r, err := New(impl)
//	m, err := r.Model(ctx, execution)
//	defer m.Close()
//	res, err := wgl.Check(ctx, m, execution, wgl.Options{})
//
//	Reference    a reference whose states can be kept, for all logs
//	OfReference  the reference as a wgl.Model, for one log
//	Complete     the operations of a linearization, with the answers of pending ones
package models

import (
	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/theory"
)

// Model is a description as a model that can be searched. It is safe for concurrent
// use. A product each of whose operations belongs to one key is wgl.Keyed, too.
type Model interface {
	wgl.Brancher
	wgl.Reader
	wgl.Refusing

	// Answers lists what a call may answer in a state: one label, unless values of the
	// answer are free; none if it waits. Of free values, those of For and one that is
	// none of them are listed.
	Answers(s wgl.State, call *history.Label) []history.Label

	// AnyValues reports whether no value is refused.
	AnyValues() bool

	// Free reports whether calls of a method may answer any value.
	Free(method string) bool

	// Text is a state in words.
	Text(s wgl.State) string

	// For is the model for an execution: it knows the values that calls which have not
	// returned may have answered.
	For(e *history.Execution) Model
}

// Of is the product of a theory, or of a part of one, or its automaton. It is nil if
// there is neither, or if the parts have none.
func Of(s *theory.Spec) Model {
	if s.Product != nil {
		if m := ofProduct(s); m != nil {
			return m
		}
	}
	if s.Automaton != nil {
		return Machine(s.Automaton)
	}
	return nil
}

// Machine is an automaton as a model. It is nil if it compares by size what calls may
// answer freely: of such a call that has not returned nothing is known.
func Machine(a *automata.Automaton) Model {
	m := compile(a)
	if m.unclear {
		return nil
	}
	if keys, ok := m.keyArguments(); ok {
		return local{m, keys}
	}
	return m
}

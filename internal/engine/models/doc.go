// Package models makes references models that package wgl can search, and completes what is found.
//
// New makes a reference a model: a state is the number that a states.Space has for it, a step asks
// the Space and compares its answer with the log's.
//
//	r, err := New(impl)
//	m, err := r.Model(ctx, execution)
//	defer m.Close()
//	res, err := wgl.Check(ctx, m, execution, wgl.Options{})
//
//	Reference    a reference whose states can be kept, for all logs
//	OfReference  the reference as a wgl.Model, for one log
//	Plain        any model as one that says what a call may answer
//	Complete     the operations of a linearization, with the answers of pending ones
//
// The descriptions of a theory are such models as they are: configurations.Searched.
package models

// Package instance says what the patterns of a theory mean for the operations of
// an execution, as facts. It is what a derivation rests on, and imports no engine.
//
//	l, err := instance.New(t, execution.Prefix(18))
//	needs, err := l.Needs("add-add-remove2", []string{"1", "2", "4"})
//
// Needs are the facts under which the operations show the pattern. Every
// linearization that shows no pattern has the opposite of one of them: if all but
// one are known the opposite of that one follows, and if all are, a
// contradiction. The operations must
//
//   - have the kinds of the pattern's, and match as drawn: a formula of the
//     matching holds of operation and target, and of no other target that an
//     earlier formula, or the same one, prefers;
//   - have nothing else in their matches, read-only operations and kinds that the
//     drawing has there apart;
//   - come in the drawing's order.
//
// What labels decide is computed here. Where a pending operation decides,
// because it plays a part, or could take effect so that it joins a match or
// becomes another target, that is a need like the order. A pending operation
// could answer any outcome of its method, with values of the operations it is
// compared with, or others. Answers that an axiom about one label refuses do not
// count. What pending operations could do that breaks a rule of the language
// counts, so that a derivation never rests on the language, unless the theory says
// what else is there whenever the rule is broken, and it is not.
//
// The formulas of the matching are evaluated by formula.Eval, on two or three
// operations at a time. For each operation that is named, those of the
// execution are looked at that share a value with it, and the pending ones; where
// a matching does not compare values, all are. That is done once for each, so
// that the time is about linear in the execution for few operations, and linear
// in the needs asked for.
//
// Theories are looked at as theory.Read gives them: a pattern is its drawing. Of
// axioms only those about one label mean anything here.
//
// None of that means anything where the theory does not speak of the execution:
// Outside says so.
//
//	Log  a theory's patterns and the operations of an execution
package instance

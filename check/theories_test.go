package check_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// source is a theory as a person would write it down.
type source struct {
	name     string
	methods  []history.MethodSig
	language []string
	beyond   []string
	target   []string
	readOnly string
	axioms   []string
	patterns []string
}

func method(name string, args int, outcomes ...history.Outcome) history.MethodSig {
	m := history.MethodSig{Name: name, Args: args}
	for _, o := range outcomes {
		rets := 0
		if o == history.Some {
			rets = 1
		}
		m.Outcomes = append(m.Outcomes, history.OutcomeSig{Outcome: o, Rets: rets})
	}
	return m
}

func also(m history.MethodSig, aliases ...string) history.MethodSig {
	m.Aliases = aliases
	return m
}

// container is the part that queue and stack share.
func container(name string, patterns ...string) source {
	return source{
		name: name,
		methods: []history.MethodSig{
			also(method("add", 1, history.None), "push", "enqueue"),
			also(method("remove", 0, history.Some, history.Nil), "pop", "dequeue"),
		},
		language: []string{"forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y"},
		target:   []string{"method(y) = add & arg(y) = ret(x)", "y = x & (method(x) = add | outcome(x) = nil)"},
		readOnly: "outcome(x) = nil",
		patterns: append([]string{
			"[1:X] remove => v1",
			"[1:2] remove => v2; [2:2] add(v2)",
			"[1:1] add(v1); [2:2] remove => - (RO)",
			"[1:1] add(v1); [2:2] remove => - (RO); [3:1] remove => v1",
			"[1:1] add(v1); [2:1] remove => v1; [3:1] remove => v1",
		}, patterns...),
	}
}

var (
	queue = container("queue",
		"[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2",
		"[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2; [4:1] remove => v1")
	stack = container("stack",
		"[1:1] add(v1); [2:2] add(v2); [3:1] remove => v1",
		"[1:1] add(v1); [2:2] add(v2); [3:1] remove => v1; [4:2] remove => v2")
	register = source{
		name:     "register",
		methods:  []history.MethodSig{method("write", 1, history.None), method("read", 0, history.Some, history.Nil)},
		language: []string{"forall x:Op, y:Op. method(x) = write & method(y) = write & arg(x) = arg(y) -> x = y"},
		target:   []string{"method(y) = write & arg(y) = ret(x)", "y = x & (method(x) = write | outcome(x) = nil)"},
		readOnly: "method(x) = read",
		patterns: []string{
			"[1:X] read => v1 (RO)",
			"[1:2] read => v2 (RO); [2:2] write(v2)",
			"[1:1] write(v1); [2:2] read => - (RO)",
			"[1:1] write(v1); [2:2] write(v2); [3:1] read => v1 (RO)",
		},
	}
	set = source{
		name: "set",
		methods: []history.MethodSig{method("insert", 1, history.Nil, history.Some),
			method("remove", 1, history.Nil, history.Some), method("contains", 1, history.Nil, history.Some)},
		language: []string{"forall x:Op, y:Op. method(x) = insert & outcome(x) = nil & method(y) = insert & outcome(y) = nil & arg(x) = arg(y) -> x = y"},
		beyond: []string{"forall x:Op, y:Op. method(x) = insert & outcome(x) = nil & method(y) = insert & outcome(y) = nil & arg(x) = arg(y)" +
			" & x != y -> exists z:Op. method(z) = remove & outcome(z) = value & arg(z) = arg(x)"},
		target:   []string{"method(y) = insert & outcome(y) = nil & arg(y) = arg(x)", "y = x & outcome(x) = nil"},
		readOnly: "method(x) = contains | method(x) = insert & outcome(x) = value | method(x) = remove & outcome(x) = nil",
		axioms:   []string{"forall x:Op. outcome(x) = value -> arg(x) = ret(x)"},
		patterns: []string{
			"[1:X] insert(v1) => v1 (RO)",
			"[1:X] remove(v1) => v1",
			"[1:X] contains(v1) => v1 (RO)",
			"[1:2] remove(v2) => v2; [2:2] insert(v2) => -",
			"[1:2] insert(v2) => v2 (RO); [2:2] insert(v2) => -",
			"[1:1] insert(v1) => -; [2:1] remove(v1) => - (RO)",
			"[1:2] contains(v2) => v2 (RO); [2:2] insert(v2) => -",
			"[1:1] insert(v1) => -; [2:1] contains(v1) => - (RO)",
			"[1:2] insert(v2) => v2 (RO); [2:2] insert(v2) => -; [3:2] remove(v2) => v2",
			"[1:1] insert(v1) => -; [2:1] remove(v1) => v1; [3:1] insert(v1) => v1 (RO)",
			"[1:1] insert(v1) => -; [2:1] remove(v1) => - (RO); [3:1] remove(v1) => v1",
			"[1:2] contains(v2) => v2 (RO); [2:2] insert(v2) => -; [3:2] remove(v2) => v2",
			"[1:1] insert(v1) => -; [2:1] remove(v1) => v1; [3:1] contains(v1) => v1 (RO)",
			"[1:1] insert(v1) => -; [2:1] contains(v1) => - (RO); [3:1] remove(v1) => v1",
			"[1:1] insert(v1) => -; [2:1] remove(v1) => v1; [3:1] remove(v1) => v1",
		},
	}
	lock = source{
		name:     "lock",
		methods:  []history.MethodSig{method("lock", 1, history.Nil, history.Some), method("unlock", 0, history.Some, history.Nil)},
		language: []string{"forall x:Op, y:Op. method(x) = lock & method(y) = lock & arg(x) = arg(y) -> x = y"},
		target:   []string{"method(y) = lock & outcome(y) = nil & arg(y) = ret(x)", "y = x & outcome(x) = nil"},
		readOnly: "method(x) = lock & outcome(x) = value | method(x) = unlock & outcome(x) = nil",
		patterns: []string{
			"[1:X] lock(v1) => v1 (RO)",
			"[1:X] unlock => v1",
			"[1:2] unlock => v2; [2:2] lock(v2) => -",
			"[1:2] lock(v1) => v2 (RO); [2:2] lock(v2) => -",
			"[1:2] lock(v1) => v2 (RO); [2:2] lock(v2) => -; [3:2] unlock => v2",
			"[1:1] lock(v1) => -; [2:1] unlock => v1; [3:1] lock(v3) => v1 (RO)",
			"[1:1] lock(v1) => -; [2:2] unlock => - (RO)",
			"[1:1] lock(v1) => -; [2:2] unlock => - (RO); [3:1] unlock => v1",
			"[1:1] lock(v1) => -; [2:2] lock(v2) => -",
			"[1:1] lock(v1) => -; [2:2] lock(v2) => -; [3:1] unlock => v1",
			"[1:1] lock(v1) => -; [2:2] lock(v2) => -; [3:2] unlock => v2",
			"[1:1] lock(v1) => -; [2:1] unlock => v1; [3:1] unlock => v1",
			"[1:1] lock(v1) => -; [2:2] lock(v2) => -; [3:1] unlock => v1; [4:2] unlock => v2",
			"[1:1] lock(v1) => -; [2:2] lock(v2) => -; [3:2] unlock => v2; [4:1] unlock => v1",
		},
	}
)

// build parses a source.
func build(tb testing.TB, s source) *theory.Theory {
	tb.Helper()
	t := &theory.Theory{Name: s.name}
	t.Spec.Methods = s.methods
	parse := func(src string, free ...string) formula.Formula {
		f, err := formula.Parse(src, t.Vocabulary(), free...)
		if err != nil {
			tb.Fatalf("%s: %s: %v", s.name, src, err)
		}
		return f
	}
	for i, src := range s.language {
		t.Spec.Language = append(t.Spec.Language, theory.Rule{Name: fmt.Sprintf("rule-%d", i+1), Formula: parse(src)})
	}
	for i, src := range s.beyond {
		t.Spec.Beyond = append(t.Spec.Beyond, theory.Rule{Name: fmt.Sprintf("beyond-%d", i+1), Formula: parse(src)})
	}
	for i, src := range s.axioms {
		t.Spec.Axioms = append(t.Spec.Axioms, theory.Rule{Name: fmt.Sprintf("axiom-%d", i+1), Formula: parse(src)})
	}
	t.Spec.Matching.Past = false
	for _, src := range s.target {
		t.Spec.Matching.Target = append(t.Spec.Matching.Target, parse(src, "x", "y"))
	}
	t.Spec.Matching.ReadOnly = parse(s.readOnly, "x")
	for _, src := range s.patterns {
		h, _, err := history.ParseDrawing(src)
		if err != nil {
			tb.Fatalf("%s: %s: %v", s.name, src, err)
		}
		t.Spec.Patterns = append(t.Spec.Patterns, theory.Pattern{Name: src, History: *h, Formula: formula.Embed(h)})
	}
	return t
}

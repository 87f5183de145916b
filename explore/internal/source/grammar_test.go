package source

import (
	"fmt"
	"strings"
	"testing"
)

// String writes a statement in one way.
func (s Statement) String() string {
	var b strings.Builder
	if s.State.Text != "" {
		b.WriteString("in " + s.State.Text + " ")
	}
	if s.Cond.Text != "" {
		b.WriteString("if " + s.Cond.Text + " ")
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	for i, a := range s.Acts {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(a.String())
	}
	return b.String()
}

// String writes an act in one way.
func (a Act) String() string {
	join := func(list []Piece) string {
		var texts []string
		for _, p := range list {
			texts = append(texts, p.Text)
		}
		return strings.Join(texts, ", ")
	}
	switch a.Kind {
	case Broadcast:
		return fmt.Sprintf("broadcast %s(%s)", a.Name.Text, join(a.Args))
	case Goto:
		return "goto " + a.Name.Text
	case Guess:
		return "guess " + a.Name.Text
	case Own:
		return "own " + a.Expr.Text
	case Assume:
		switch {
		case a.Not:
			return "assume !" + a.Name.Text
		case a.Expr.Text == "":
			return "assume " + a.Name.Text
		}
		return "assume " + a.Name.Text + " == " + a.Expr.Text
	}
	s := fmt.Sprintf("%s(%s)", a.Name.Text, join(a.Args))
	if len(a.Results) > 0 {
		s += " = " + join(a.Results)
	}
	if a.Owner.Text != "" {
		s += " for " + a.Owner.Text
	}
	return s
}

// String writes a rule in one way.
func (r Receive) String() string {
	when := "before"
	if r.After {
		when = "after"
	}
	var params []string
	for _, p := range r.Params {
		params = append(params, p.Name.Text+" "+p.Type.Text)
	}
	s := r.Statement.String()
	if r.State.Text+r.Cond.Text == "" {
		s = ": " + s
	}
	return fmt.Sprintf("%s %s(%s) %s", when, r.Message.Text, strings.Join(params, ", "), s)
}

// TestStatements reads directives of bodies: what comes out, or what is wrong and where.
func TestStatements(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"add(e) = true", "add(e) = true"},
		{" add ( e )=true ;broadcast added( e,1 )", "add(e) = true; broadcast added(e, 1)"},
		{"push(v)", "push(v)"},
		{"pop() = 0, false // empty", "pop() = 0, false"},
		{"in start: contains(e) = false; goto helped", "in start : contains(e) = false; goto helped"},
		{"if c.val == e && !gone: contains(e) = true", "if c.val == e && !gone : contains(e) = true"},
		{"in start if f(a[1:2]) == (b): g()", "in start if f(a[1:2]) == (b) : g()"},
		{"if func() bool { x := 1; return x > 0 }(): g()", "if func() bool { x := 1; return x > 0 }() : g()"},
		{"push(p.v, T{a: 1}) for p; pop() = p.v, true", "push(p.v, T{a: 1}) for p; pop() = p.v, true"},
		{"pop() = p.v, true for q.p", "pop() = p.v, true for q.p"},
		{"own d", "own d"},
		{"own(d)", "own (d)"},
		{"own &d.x", "own &d.x"},
		{"own(d) = true", "own(d) = true"},
		{"in(d) = true", "in(d) = true"},
		{"guess wins", "guess wins"},
		{"guess(1) = 2", "guess(1) = 2"},
		{"assume wins", "assume wins"},
		{"assume !wins", "assume !wins"},
		{"assume wins == (a && b)", "assume wins == (a && b)"},
		{"assume wins == a == b", "7: assume GUESS == EXPRESSION is meant"},
		{`put("a;b:c=d", ':') = nil`, `put("a;b:c=d", ':') = nil`},
		{"broadcast(x) = 3", "broadcast(x) = 3"},

		{"", "0: there is no act"},
		{"   ", "there is no act"},
		{"add", "0: OPERATION(ARGUMENTS) = RESULTS, broadcast"},
		{"add(e", "0: OPERATION(ARGUMENTS) = RESULTS, broadcast"},
		{"add(e] = 1", "0: OPERATION(ARGUMENTS) = RESULTS, broadcast"},
		{"add(e)) = 1", "6: = RESULTS, for POINTER or a semicolon"},
		{"add(e) == true", "7: = RESULTS, for POINTER or a semicolon"},
		{"add(e) =", "8: results are missing"},
		{"add(e) = true,", "14: a result is missing"},
		{"add(e,) = true", "6: an argument is missing"},
		{"add(e +) = true", "7: expected operand"},
		{"add(e) = true for", "17: the pointer whose owner is meant is missing"},
		{"add(e) = true;", "14: an act is missing"},
		{"; add(e) = true", "0: an act is missing"},
		{"in start contains(e) = false", "0: a colon must end the guard"},
		{"in : f()", "0: a state follows in"},
		{"in start and if x: f()", "9: only if EXPRESSION or a colon"},
		{"if: f()", "2: the condition is missing"},
		{"if x y: f()", "5: expected 'EOF'"},
		{"if x:", "5: there is no act"},
		{"broadcast m", "10: broadcast MESSAGE(ARGUMENTS) is meant"},
		{"add() = 1; broadcast m(1) = 2", "26: nothing can follow broadcast"},
		{"goto", "4: goto STATE is meant"},
		{"goto a b", "5: goto STATE is meant"},
		{"own", "3: a pointer is missing"},
		{"guess", "5: guess NAME is meant"},
		{"guess a, b", "6: guess NAME is meant"},
		{"guess _", "0: a guess needs a name"},
		{"assume", "6: GUESS == EXPRESSION is missing"},
		{"assume wins == a && b", "7: assume GUESS == EXPRESSION is meant"},
		{"assume x.y", "7: assume GUESS == EXPRESSION is meant"},
		{`put("a`, "4: string literal not terminated"},
	} {
		const before = "//lin:"
		s, wrong := ParseStatement(before+c.in, len(before))
		got := s.String()
		if wrong != nil {
			got = fmt.Sprintf("%d: %s", wrong.Off-len(before), wrong.What)
		}
		if wrong == nil && got != c.want || wrong != nil && (!strings.Contains(got, c.want) || c.want == c.in) {
			t.Errorf("%q is %q, want %q", c.in, got, c.want)
		}
	}
}

// TestReceives reads rules.
func TestReceives(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"before added(v int) in start if v == e: contains(e) = false; goto helped", "before added(v int) in start if v == e : contains(e) = false; goto helped"},
		{"after m(): f()", "after m() : f()"},
		{"after m(a, b []T, c map[string]int) if a == nil: f() for p", "after m(a []T, b []T, c map[string]int) if a == nil : f() for p"},

		{"added(v int): f()", "0: before or after is meant"},
		{"", "0: before or after is meant"},
		{"before", "6: MESSAGE(NAME TYPE, ...) is meant"},
		{"before m", "7: MESSAGE(NAME TYPE, ...) is meant"},
		{"before a.m(): f()", "7: the name of a message is one word"},
		{"before m(int): f()", "9: a message's parameter has a name and a type"},
		{"before m(v ...int): f()", "11: a message has no ... parameter"},
		{"before m(v int,,): f()", "15: expected ')'"},
		{"before m(v int) f()", "16: in STATE, if EXPRESSION or a colon must follow"},
		{"before m(v int):", "16: there is no act"},
		{"before m(v int): f(); broadcast m(1)", "22: who receives a message does not broadcast another"},
	} {
		r, wrong := ParseReceive(c.in, 0)
		got := r.String()
		if wrong != nil {
			got = fmt.Sprintf("%d: %s", wrong.Off, wrong.What)
		}
		if wrong == nil && got != c.want || wrong != nil && (!strings.Contains(got, c.want) || c.want == c.in) {
			t.Errorf("%q is %q, want %q", c.in, got, c.want)
		}
	}
}

// FuzzDirective reads any text: what is read is where it says, and is read again from its own text.
func FuzzDirective(f *testing.F) {
	for _, s := range []string{
		"add(e) = true; broadcast added(e)", "in start if v == e: contains(e) = false; goto helped", "push(v) for p; pop() = v, true; own d", "guess a", "assume a == (b)",
		"before m(a, b []T) in s if x: f() = 1", "after m(): f()", "f((", "if x[", "f(/*", "f() = \"", "before m(func(a int) int", "f(\x00)", "f() = a for for", "before m(a int /*) : f()",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if strings.ContainsAny(in, "\r\n") {
			return // no line comment has them
		}
		text := "//lin:" + in
		check := func(p Piece) {
			if p.Text != "" && text[p.Off:p.Off+len(p.Text)] != p.Text {
				t.Errorf("%q is not at %d of %q", p.Text, p.Off, text)
			}
		}
		checkAll := func(s Statement) {
			check(s.State)
			check(s.Cond)
			for _, a := range s.Acts {
				for _, p := range append(append([]Piece{a.Name, a.Owner, a.Expr}, a.Args...), a.Results...) {
					check(p)
				}
			}
		}
		s, wrong := ParseStatement(text, 6)
		if wrong != nil {
			if wrong.Off < 0 || wrong.Off > len(text) || wrong.What == "" {
				t.Errorf("%q: %+v", in, wrong)
			}
		} else {
			checkAll(s)
			if again, wrong := ParseStatement(s.String(), 0); wrong != nil || again.String() != s.String() {
				t.Errorf("%q is %q, and that %q, %v", in, s, again, wrong)
			}
		}
		r, wrong := ParseReceive(text, 6)
		if wrong != nil {
			if wrong.Off < 0 || wrong.Off > len(text) || wrong.What == "" {
				t.Errorf("%q: %+v", in, wrong)
			}
			return
		}
		checkAll(r.Statement)
		for _, p := range r.Params {
			check(p.Name)
			check(p.Type)
		}
		if again, wrong := ParseReceive(r.String(), 0); wrong != nil || again.String() != r.String() {
			t.Errorf("%q is %q, and that %q, %v", in, r, again, wrong)
		}
	})
}

package out

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/theory"
)

// TestLaws: laws in words.
func TestLaws(t *testing.T) {
	row := values.Basic{Kind: values.KindList, Elem: &values.Basic{Kind: values.KindStruct, Fields: []values.Field{
		{GoName: "Player", Basic: values.Basic{Kind: values.KindString}}, {GoName: "Score", Basic: values.Basic{Kind: values.KindInt, Bits: 64}},
	}}}
	th := &theory.Theory{Name: "board", Spec: theory.Spec{
		Methods: []history.MethodSig{{Name: "top", Results: []values.Basic{row}}},
		Model:   &origin.Model{},
		Laws: &equations.Document{Closed: true, States: 1, Calls: 2, Replayed: 3_000,
			Methods: []equations.MethodText{
				{Name: "submit", Params: []string{"player text", "score int"}, Answers: []string{"answer submit word"}},
				{Name: "clear", Answers: []string{"answer clear word"}},
				{Name: "top", Answers: []string{"answer top [{text int}]"}, Pure: true},
				{Name: "size", Answers: []string{"answer size int"}, Pure: true},
			},
			Observers: []equations.ObserverText{
				{Name: "submit", Params: []string{"player text", "score int"}, Sort: "word", Method: "submit",
					Is: `ErrScore if score < 0; ErrScore if 101 <= score; false if with1(top(), player) != [] and score <= field2(first(with1(top(), player))); true otherwise`},
				{Name: "clear", Sort: "word", Method: "clear", Is: "ok"},
				{Name: "top", Sort: "[{text int}]", Method: "top", Start: "[]", After: []equations.AfterText{
					{Method: "submit", Law: "top() if answer == false; insertDown2then1(without1(top(), player), record2(player, score)) if answer == true; top() otherwise"},
					{Method: "clear", Law: "[]"},
				}},
				{Name: "size", Sort: "int", Method: "size", Start: "0", After: []equations.AfterText{
					{Method: "submit", Law: "size()"}, {Method: "clear", Law: "?"},
				}},
			}},
	}}
	p := lawsOf(th)
	if p == nil {
		t.Fatal("no laws")
	}
	const want = `top
  at first: empty
  after submit(player, score), if it answers true: top = (top without those with this player) with {player, score} put in by score, the largest first, ties by player in ascending order
  after clear: top = empty
  nothing else changes it
size
  at first: 0
  submit(player, score) does not change it
submit(player, score)
  fails with ErrScore if score < 0 or score >= 101
  false if there are some with this player in top and score <= the score of the first of those with this player in top
  otherwise true
What stands here determines every answer: 3,000 answers followed from it alone, all right; it was tested on 1 state of runs of up to 2 calls.
A call fails if it answers an error, and succeeds otherwise. Of several cases the first that fits counts; a comparison with what is not there does not hold. What stands to the right of =, and behind if, was so before the call; the answer is what the call answered; what is not named stays. top and size change nothing.
what size is after clear`
	if diff := cmp.Diff(want, groupsOf(p)+strings.Join(slices.Concat(p.lead, p.legend, p.unknown), "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// groupsOf is the laws of a page as text.
func groupsOf(p *lawPage) string {
	var b strings.Builder
	for _, g := range append(p.seen, p.answers...) {
		b.WriteString(g.heading(func(s string) string { return s }) + "\n")
		for _, l := range g.lines {
			b.WriteString("  " + l.text + "\n")
			for _, e := range l.examples {
				b.WriteString("    " + e + "\n")
			}
		}
	}
	return b.String()
}

// loans is a type with numbers of its own, failures, answers with parts, and a list.
func loans() *theory.Theory {
	return &theory.Theory{Name: "loans", Spec: theory.Spec{Model: &origin.Model{}, Laws: &equations.Document{Closed: true,
		Methods: []equations.MethodText{
			{Name: "lend", Params: []string{"who text", "n int"}, Answers: []string{"answer lend int"}},
			{Name: "back", Params: []string{"id int"}, Answers: []string{"outcome back_outcome word", "answer1 back_answer1 text", "answer2 back_answer2 int"}},
			{Name: "left", Answers: []string{"answer left int"}, Pure: true},
			{Name: "log", Answers: []string{"answer log [text]"}, Pure: true},
		},
		Observers: []equations.ObserverText{
			{Name: "lend", Params: []string{"who text", "n int"}, Sort: "int", Method: "lend", Is: "ErrN if n < 1; calls_of_lend() + 1 if n <= left(); ErrOut otherwise"},
			{Name: "back_outcome", Params: []string{"id int"}, Sort: "word", Method: "back", Is: "ok if given(back_answer1(id)); ErrNone otherwise"},
			{Name: "back_answer1", Params: []string{"id int"}, Sort: "text", Method: "back", Part: 1, Start: "ErrNone", After: []equations.AfterText{
				{Method: "lend", Law: "who if answer == id; back_answer1(id) otherwise"}, {Method: "back", Law: "ErrNone if id == id'; back_answer1(id') otherwise"},
			}},
			{Name: "back_answer2", Params: []string{"id int"}, Sort: "int", Method: "back", Part: 2, Start: "ErrNone", After: []equations.AfterText{
				{Method: "lend", Law: "n if answer == id; back_answer2(id) otherwise"}, {Method: "back", Law: "ErrNone if id == id'; back_answer2(id') otherwise"},
			}},
			{Name: "left", Sort: "int", Method: "left", Start: "5", After: []equations.AfterText{
				{Method: "lend", Law: "left() - n if given(answer); left() otherwise"}, {Method: "back", Law: "left() + answer2 if outcome == ok; left() otherwise"},
			}},
			{Name: "log", Sort: "[text]", Method: "log", Start: "[]", After: []equations.AfterText{
				{Method: "lend", Law: "append(log(), who) if given(answer); log() otherwise"}, {Method: "back", Law: "log()"},
			}},
			{Name: "calls_of_lend", Sort: "int", Start: "0", After: []equations.AfterText{
				{Method: "lend", Law: "calls_of_lend() + 1 if given(answer); calls_of_lend() otherwise"}, {Method: "back", Law: "calls_of_lend()"},
			}},
		},
	}}}
}

// TestLawExamples: laws have examples, parts of answers are named by what is put there, and
// failures stand together.
func TestLawExamples(t *testing.T) {
	p := lawsOf(loans())
	const want = `back(id): who and n, which back would answer
  at first: ErrNone
  after lend(who, n): back(answer) would answer who, n
    lend(a, 1) => 1; back(1) => a, 1
  after back(id): back(id) would answer ErrNone
    lend(a, 1) => 1; back(1) => a, 1; back(1) => ErrNone
  nothing else changes it
left
  at first: 5
  after lend(who, n), if it succeeds: left falls by n
    lend(a, 1) => 1; left => 4
  after back(id), if it succeeds: left rises by answer2
    lend(a, 1) => 1; back(1) => a, 1; left => 5
  nothing else changes it
log
  at first: empty
  after lend(who, n), if it succeeds: log = log with who at the end
    lend(a, 1) => 1; log => [a]
  nothing else changes it
lend(who, n)
  fails with ErrN if n < 1, with ErrOut if left < n
    lend(a, 0) => ErrN
    lend(a, 1) => 1; lend(b, 5) => ErrOut
  otherwise its number among the calls that succeed, from 1 on
    lend(a, 1) => 1
back(id)
  fails with ErrNone if back(id).who is ErrNone
    back(1) => ErrNone
  otherwise back(id).who and back(id).n, see above
    lend(a, 1) => 1; back(1) => a, 1
`
	if diff := cmp.Diff(want, groupsOf(p)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := "back(id) is what was put there last, until it is taken away; log is all that came, in order of arrival"; p.title != want {
		t.Errorf("it is %q, want %q", p.title, want)
	}
}

// TestLawFirst: what a method would answer if another came first is named, explained and shown.
func TestLawFirst(t *testing.T) {
	p := lawsOf(&theory.Theory{Name: "flags", Spec: theory.Spec{Model: &origin.Model{}, Laws: &equations.Document{Closed: true,
		Methods: []equations.MethodText{
			{Name: "set", Params: []string{"on word"}, Answers: []string{"answer set word"}},
			{Name: "override", Params: []string{"user text", "on word"}, Answers: []string{"answer override word"}},
			{Name: "enabled", Params: []string{"user text"}, Answers: []string{"answer enabled word"}, Pure: true},
		},
		Observers: []equations.ObserverText{
			{Name: "set", Params: []string{"on word"}, Sort: "word", Method: "set", Is: "ok"},
			{Name: "override", Params: []string{"user text", "on word"}, Sort: "word", Method: "override", Is: "ok"},
			{Name: "enabled", Params: []string{"user text"}, Sort: "word", Method: "enabled", Start: "false", After: []equations.AfterText{
				{Method: "set", Law: "enabled_if_set_true(user) if on == true; enabled_if_set_false(user) otherwise"},
				{Method: "override", Law: "on if user == user'; enabled(user') otherwise"},
			}},
			{Name: "enabled_if_set_true", Params: []string{"user text"}, Sort: "word", Method: "enabled", First: "set(true)", Start: "true", After: []equations.AfterText{
				{Method: "set", Law: "enabled_if_set_true(user)"},
				{Method: "override", Law: "on if user == user'; enabled_if_set_true(user') otherwise"},
			}},
			{Name: "enabled_if_set_false", Params: []string{"user text"}, Sort: "word", Method: "enabled", First: "set(false)", Start: "false", After: []equations.AfterText{
				{Method: "set", Law: "enabled_if_set_false(user)"},
				{Method: "override", Law: "on if user == user'; enabled_if_set_false(user') otherwise"},
			}},
		},
	}}})
	const want = `enabled(user)
  at first: false
  after set(on): enabled(user) = enabled_if_set_true(user) if on = true; otherwise enabled(user) = enabled_if_set_false(user)
    set(true); enabled(a) => true
    set(true); set(false); enabled(a) => false
  after override(user, on): enabled(user) = on
    override(a, true); enabled(a) => true
  nothing else changes it
enabled_if_set_true(user): what enabled(user) would answer if set(true) came first
  at first: true
  after override(user, on): enabled_if_set_true(user) = on
    override(c, false); set(true); enabled(c) => false
  nothing else changes it
enabled_if_set_false(user): what enabled(user) would answer if set(false) came first
  at first: false
  after override(user, on): enabled_if_set_false(user) = on
    override(a, true); set(false); enabled(a) => true
  nothing else changes it
`
	if diff := cmp.Diff(want, groupsOf(p)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLawsByIndex: a list that is read a place at a time, and what happens at its places.
func TestLawsByIndex(t *testing.T) {
	from := 1
	queue := &theory.Theory{Name: "queue", Spec: theory.Spec{Model: &origin.Model{}, Laws: &equations.Document{Closed: true,
		Methods: []equations.MethodText{
			{Name: "put", Params: []string{"n int", "who text"}, Answers: []string{"answer put word"}},
			{Name: "pass", Params: []string{"who text", "of text"}, Answers: []string{"answer pass word"}},
			{Name: "at", Params: []string{"n int"}, Answers: []string{"answer at text"}, Pure: true},
		},
		Observers: []equations.ObserverText{
			{Name: "put", Params: []string{"n int", "who text"}, Sort: "word", Method: "put", Is: "false if n < 1; false if len(all_at()) + 1 < n; true otherwise"},
			{Name: "pass", Params: []string{"who text", "of text"}, Sort: "word", Method: "pass", Is: "true if who in all_at() and of in all_at(); false otherwise"},
			{Name: "at", Params: []string{"n int"}, Sort: "text", Method: "at", Is: "nil if n < 1; nil if len(all_at()) < n; at(all_at(), n - 1) otherwise"},
			{Name: "all_at", Sort: "[text]", Method: "at", From: &from, Start: "[]", After: []equations.AfterText{
				{Method: "put", Law: "insertAt(all_at(), n - 1, who) if answer == true; all_at() otherwise"},
				{Method: "pass", Law: "insertAt(without(all_at(), who), index(all_at(), of), who) if answer == true; all_at() otherwise"},
			}},
		},
	}}}
	const want = `all_at: what at(1), at(2), ... answer, as long as they answer a value
  at first: empty
  after put(n, who), if it answers true: all_at = all_at with who put in at n, from 1
    put(1, a) => true; at(1) => a; at(2) => nil
  after pass(who, of), if it answers true: all_at = (all_at without who) with who put in where of was
    put(1, a) => true; put(2, b) => true; pass(b, a) => true; at(1) => b; at(2) => a; at(3) => nil
  nothing else changes it
put(n, who)
  false if n < 1 or ((the length of all_at) + 1) < n
    put(2, a) => false
  otherwise true
    put(1, a) => true
pass(who, of)
  true if who is in all_at and of is in all_at
    put(1, a) => true; pass(a, a) => true
  otherwise false
    pass(a, a) => false
at(n)
  nil if n < 1 or (the length of all_at) < n
    at(1) => nil
  otherwise all_at[n - 1]
    put(1, a) => true; at(1) => a
`
	if diff := cmp.Diff(want, groupsOf(lawsOf(queue))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLawsUpdated: a record of a list whose field changes is told by what is known of it.
func TestLawsUpdated(t *testing.T) {
	cart := &theory.Theory{Name: "cart", Spec: theory.Spec{Model: &origin.Model{}, Laws: &equations.Document{Closed: true,
		Methods: []equations.MethodText{
			{Name: "add", Params: []string{"sku text", "n int"}, Answers: []string{"answer add word"}},
			{Name: "take", Params: []string{"sku text", "n int"}, Answers: []string{"answer take word"}},
			{Name: "lines", Answers: []string{"answer lines [{text int}]"}, Pure: true},
		},
		Observers: []equations.ObserverText{
			{Name: "add", Params: []string{"sku text", "n int"}, Sort: "word", Method: "add", Is: "ok"},
			{Name: "take", Params: []string{"sku text", "n int"}, Sort: "word", Method: "take", Is: "true if first(with1(lines(), sku)) in lines(); false otherwise"},
			{Name: "lines", Sort: "[{text int}]", Method: "lines", Start: "[]", After: []equations.AfterText{
				{Method: "add", Law: "replace1(lines(), put2(first(with1(lines(), sku)), field2(first(with1(lines(), sku))) + n)) if with1(lines(), sku) != []; append(lines(), record2(sku, n)) otherwise"},
				{Method: "take", Law: "replace1(lines(), put2(first(with1(lines(), sku)), n)) if answer == true; lines() otherwise"},
			}},
		},
	}}}
	const want = `lines
  at first: empty
  after add(sku, n): lines = lines with the field 2 of the one with field 1 sku raised by n if there are some with field 1 sku in lines; otherwise lines = lines with {sku, n} at the end
    add(a, 1); add(a, 3); lines => [{a 4}]
    add(a, 1); lines => [{a 1}]
  after take(sku, n), if it answers true: lines = lines with the field 2 of the one with field 1 sku set to n
    add(a, 1); take(a, 3) => true; lines => [{a 3}]
  nothing else changes it
take(sku, n)
  true if there is one with field 1 sku in lines
    add(a, 1); take(a, 3) => true
  otherwise false
    take(a, 1) => false
`
	if diff := cmp.Diff(want, groupsOf(lawsOf(cart))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

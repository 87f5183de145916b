package out

import (
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
				{Name: "size", Sort: "int", Method: "size", Start: "0 - len(top())", After: []equations.AfterText{
					{Method: "submit", Law: "size()"}, {Method: "clear", Law: "?"},
				}},
			}},
	}}
	p := lawsOf(th)
	if p == nil {
		t.Fatal("no laws")
	}
	var b strings.Builder
	for _, g := range append(p.answers, p.effects...) {
		b.WriteString(g.title + "\n  " + strings.Join(g.lines, "\n  ") + "\n")
	}
	b.WriteString(strings.Join(append(append(p.lead, p.legend...), p.unknown...), "\n"))
	const want = `submit(player, score) answers
  ErrScore if score < 0 or 101 <= score
  false if (those of top whose player is player) is not empty and score <= score of (first(those of top whose player is player))
  true otherwise
top
  at first, top = empty
  after submit(player, score), unless it answers false: top = (top without those whose player is player) with {player, score} put in by score, the largest first, and then by player if it answers true
  after clear: top = empty
size
  at first, size = -len(top)
  submit(player, score) does not change it
These laws determine every answer: 3,000 answers followed from them alone, all right; they were tested on 1 state of runs of up to 2 calls.
What stands on the right is what was the case before the call. Of several cases the first that fits counts; nothing is compared with what is not there.
what size is after clear`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

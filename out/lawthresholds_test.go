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

// TestThresholdWords: what a threshold is is said in words, and no example shows it by a
// call that answers something else.
func TestThresholdWords(t *testing.T) {
	text, number, truth := values.Basic{Kind: values.KindString}, values.Basic{Kind: values.KindInt, Bits: 64}, values.Basic{Kind: values.KindBool}
	th := &theory.Theory{Name: "mutes", Spec: theory.Spec{
		Methods: []history.MethodSig{{Name: "mute", Params: []values.Basic{text, number}}, {Name: "fire", Params: []values.Basic{text, number}, Results: []values.Basic{truth}}},
		Model:   &origin.Model{},
		Laws: &equations.Document{Closed: true, States: 1, Calls: 2, Replayed: 3_000,
			Methods: []equations.MethodText{
				{Name: "mute", Params: []string{"alert text", "until int"}, Answers: []string{"answer mute word"}},
				{Name: "fire", Params: []string{"alert text", "now int"}, Answers: []string{"answer fire word"}, Pure: true},
			},
			Observers: []equations.ObserverText{
				{Name: "mute", Params: []string{"alert text", "until int"}, Sort: "word", Method: "mute", Is: "ok"},
				{Name: "fire", Params: []string{"alert text", "now int"}, Sort: "word", Method: "fire", Is: "false if now < until_fire(alert); true otherwise"},
				{Name: "until_fire", Params: []string{"alert text"}, Sort: "int", Method: "fire", Least: "now", Word: "true",
					Start: "always", After: []equations.AfterText{{Method: "mute", Law: "until if alert == alert' and absent(until_fire(alert)); max(until_fire(alert), until) if alert == alert'; until_fire(alert') otherwise"}}},
			}},
	}}
	p := lawsOf(th)
	if p == nil {
		t.Fatal("no laws")
	}
	var b strings.Builder
	for _, g := range append(p.seen, p.answers...) {
		b.WriteString(g.title + ": " + g.says + "\n")
		for _, l := range g.lines {
			b.WriteString("  " + l.text + "\n")
			for _, e := range l.examples {
				b.WriteString("    e.g. " + e + "\n")
			}
		}
	}
	const want = `until_fire(alert): the least now from which on fire(alert, now) answers true; always if it does for all, never if for none
  at first: always
  after mute(alert, until): until_fire(alert) = until if until_fire(alert) is always; otherwise until_fire(alert) = max(until_fire(alert), until)
  nothing else changes it
fire(alert, now): 
  false if now < until_fire(alert)
    e.g. mute(c, 2); fire(c, 1) => false
  otherwise true
    e.g. fire(a, 1) => true
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

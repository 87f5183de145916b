package spurious

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

var methods = []history.MethodSig{
	{Name: "offer", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.True}, {Outcome: history.False}}, Aliases: []string{"push"}},
	{Name: "poll", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
}

func TestParse(t *testing.T) {
	ks, err := Parse(methods, []string{"Offer=false", "push = false", "poll=nil"})
	if err != nil || cmp.Diff([]string{"offer=false", "poll=nil"}, ks.Texts()) != "" {
		t.Errorf("%v, %v", ks, err)
	}
	for text, want := range map[string]string{
		"offer":       `METHOD=OUTCOME, such as tryLock=false, not "offer"`,
		"=false":      "METHOD=OUTCOME",
		"ofer=false":  `unknown method "ofer"; did you mean "offer"?`,
		"x=false":     `unknown method "x"; its methods are offer, poll`,
		"offer=fales": `method offer has no outcome "fales"; did you mean "false"?`,
		"poll=none":   `method poll has no outcome "none"; its outcomes are value, nil`,
	} {
		if _, err := Parse(methods, []string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestWithout(t *testing.T) {
	label := func(method string, o history.Outcome) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: o}}
	}
	labels := []history.Label{label("offer", history.False), label("poll", history.Nil), label("offer", history.True)}
	e := history.Sequential(labels...)
	ks := Kinds{{Method: "offer", Outcome: history.False}}
	rest := ks.Without(e)
	if len(rest.Ops) != 2 || rest.Ops[0].Call != 2 || rest.Events != 6 || len(e.Ops) != 3 {
		t.Errorf("%+v", rest)
	}
	if ks.Without(rest) != rest || Kinds(nil).Without(e) != e {
		t.Error("copied without need")
	}
	if p := e.Prefix(1); ks.Without(p) != p || !ks.Running(e, 1) || ks.Running(e, 0) || ks.Running(e, 2) || ks.Running(e, 3) {
		t.Error("a running operation is no failure yet")
	}
	both := append(ks, history.Kind{Method: "poll", Outcome: history.Nil}, history.Kind{Method: "poll", Outcome: history.Some})
	if got := both.Methods(methods); len(got) != 1 || len(got[0].Outcomes) != 1 || len(methods[0].Outcomes) != 2 {
		t.Errorf("%v", got)
	}
	if got := ks.Relaxed(labels); cmp.Diff(labels[1:], got) != "" || len(ks.Relaxed(got)) != 2 {
		t.Errorf("%v", got)
	}
}

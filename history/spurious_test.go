package history

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var methods = []MethodSig{
	{Name: "offer", Args: 1, Outcomes: []OutcomeSig{{Outcome: True}, {Outcome: False}}, Aliases: []string{"push"}},
	{Name: "poll", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Nil}}},
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
	label := func(method string, o Outcome) Label {
		return Label{Kind: Kind{Method: method, Outcome: o}}
	}
	labels := []Label{label("offer", False), label("poll", Nil), label("offer", True)}
	e := Sequential(labels...)
	ks := Kinds{{Method: "offer", Outcome: False}}
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
	both := append(ks, Kind{Method: "poll", Outcome: Nil}, Kind{Method: "poll", Outcome: Some})
	if got := both.Methods(methods); len(got) != 1 || len(got[0].Outcomes) != 1 || len(methods[0].Outcomes) != 2 {
		t.Errorf("%v", got)
	}
	if got := ks.Relaxed(labels); cmp.Diff(labels[1:], got) != "" || len(ks.Relaxed(got)) != 2 {
		t.Errorf("%v", got)
	}
}

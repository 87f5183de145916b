package adttest

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/examples/wrong/nolock"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestImports sees that who tests with adttest does not link the explorer.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.HasPrefix(path, "golang.org/x/tools") || strings.Contains(path, "adtinfer/explore") {
			t.Errorf("adttest imports %s", path)
		}
	}
}

// explorer answers the same to all.
type explorer func(context.Context, engine.Question) (engine.Answer, error)

// TestExplorerAsked asks an explorer of the test, and none.
func TestExplorerAsked(t *testing.T) {
	testsize.NeedsLong(t)
	defer func(old explorer) { engine.Explorer = old }(engine.Explorer)
	var asked engine.Question
	answers := func(a engine.Answer, err error) explorer {
		return func(_ context.Context, q engine.Question) (engine.Answer, error) {
			asked = q
			return a, err
		}
	}
	const rate = `\nthe scenario, run again, failed in [\d,]+ of [\d,]+ rounds?\n`
	here := func() *nolock.Queue { return nolock.New() }
	for name, tt := range map[string]struct {
		explorer explorer
		new      any
		want     string
		made     string // what makes the object
	}{
		"none":  {nil, here, `let the test import _ "github.com/adtinfer/adtinfer/explore"` + rate, ""},
		"error": {answers(engine.Answer{}, errors.New("it is broken")), here, `there is no interleaving to show: it is broken` + rate, ""},
		"why":   {answers(engine.Answer{Why: "it cannot"}, nil), nolock.New, `there is no interleaving to show: it cannot` + rate, "New()"},
		"found": {answers(engine.Answer{Drawing: "1 (\n", Notes: []string{"a note"}, Command: []string{"adtinfer", "New()"}}, nil), nolock.New,
			`an interleaving with this history:\n\n    1 \(\n\na note\nexplore adtinfer 'New\(\)'\n`, "New()"},
		"its own": {answers(engine.Answer{Command: []string{"adtinfer"}}, nil), here, `\nthe object there is what the constructor of Queue makes: Config.New is a function of the test\nexplore`, ""},
	} {
		engine.Explorer = tt.explorer
		f := find(t, Config{New: tt.new, Theory: queueTheory, Budget: patience})
		if f == nil {
			t.Fatal("the defect was not found")
		}
		if !regexp.MustCompile(tt.want).MatchString(f.String()) {
			t.Errorf("%s: %s", name, f)
		}
		if all := regexp.MustCompile(`\nall     adtinfer explore --impl github.com/adtinfer/adtinfer/examples/wrong/nolock --(new 'New\(\)'|type Queue) --theory \S+ -n \d+ -k \d+ -d \d+ --timeout 1m   \(`); !all.MatchString(f.String()) {
			t.Errorf("%s: no command explores its bounds: %s", name, f)
		}
		if tt.explorer == nil {
			continue
		}
		if asked.Dir != "github.com/adtinfer/adtinfer/examples/wrong/nolock" || asked.Type != "Queue" || asked.New != tt.made || asked.Operations["remove"] != "Remove" {
			t.Errorf("%s: asked %+v", name, asked)
		}
		for _, o := range asked.Execution.Ops {
			if !slices.Contains(asked.Processes, o.Process) {
				t.Errorf("%s: %s is of %s, which is none of %v", name, o.Label, o.Process, asked.Processes)
			}
		}
	}
}

// TestExplorerOfTests says that types of tests cannot be explored.
func TestExplorerOfTests(t *testing.T) {
	defer func(old explorer) { engine.Explorer = old }(engine.Explorer)
	engine.Explorer = func(context.Context, engine.Question) (engine.Answer, error) {
		return engine.Answer{}, errors.New("it was asked")
	}
	f := find(t, Config{New: newMail, Theory: queueTheory, Aliases: map[string][]string{"add": {"put"}, "remove": {"get"}}, Budget: patience})
	if f == nil || !strings.Contains(f.String(), "mail[int] is declared in a _test.go file, which the explorer does not read") || strings.Contains(f.String(), "adtinfer explore") {
		t.Errorf("%v", f)
	}
}

func newMail() *mail[int] { return &mail[int]{loses: true} }

// TestExplorerShrinks: what explains a violation is a failure of its own if the explorer has it, and only then.
func TestExplorerShrinks(t *testing.T) {
	defer func(old explorer) { engine.Explorer = old }(engine.Explorer)
	r, err := newRun(t.Context(), Config{New: nolock.New, Theory: queueTheory}, environment{}, nobody("", ""))
	if err != nil {
		t.Fatal(err)
	}
	e, err := history.ReadLog(strings.NewReader(`[1@before] call add(1)
[1@before] return
[2@before] call add(2)
[2@before] return
[3@thread 1] call remove
[4@thread 2] call remove
[3@thread 1] return 1
[4@thread 2] return 1
[5@after] call remove
[5@after] return 2
[6@after] call remove
[6@after] return nil
`), "run.log", r.subject.sig)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := r.subject.scenarioOf(e, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for _, none := range []bool{false, true} {
		engine.Explorer = func(_ context.Context, q engine.Question) (a engine.Answer, err error) {
			if text := q.Execution.String(); none || !strings.HasPrefix(text, "add(1); ") || strings.Count(text, "remove => 1") < 2 {
				a.Why = "there is none"
			}
			return a, nil
		}
		want := Scenario{Before: []Call{Do("Add", 1)}, Threads: [][]Call{{Do("Remove")}, {Do("Remove")}}}
		if none {
			want = sc
		}
		f := r.inHistory(&Failure{Kind: Violation, Scenario: sc, Execution: e})
		if f.Scenario.String() != want.String() || (f.explored != nil) == none {
			t.Errorf("%v: %v, want %v", none, f.Scenario, want)
		}
	}
}

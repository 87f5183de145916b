package history

import "testing"

func TestErrorTexts(t *testing.T) {
	for _, test := range []struct {
		name      string
		answers   []string
		different bool
	}{
		{"two sentinels", []string{"error: closed", "error: voted twice"}, true},
		{"two of two words", []string{"error: account closed", "error: account locked"}, true},
		{"after others", []string{"error: closed", "error: closed", "error: too low"}, true},
		{"one", []string{"error: closed", "error: closed"}, false},
		{"no words", []string{"error", "error:", "error: closed"}, false},
		{"in quotes", []string{`error: "closed"`, "error: closed"}, false},
		{"numbers", []string{"error: index 9 out of range", "error: index 12 out of range"}, false},
		{"durations", []string{"error: late by 3ms", "error: late by 2.5s"}, false},
		{"texts", []string{`error: no key "ann"`, `error: no key "bob lee"`}, false},
		{"what follows a colon", []string{"error: no such key: ann", "error: no such key: bob lee"}, false},
		{"a name", []string{"error: user ann is unknown", "error: user bob is unknown"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var texts errorTexts
			for _, a := range test.answers {
				texts.add(0, "vote", a)
			}
			if got := texts.clause != ""; got != test.different {
				t.Errorf("%q: different = %v, want %v: %s", test.answers, got, test.different, texts.clause)
			}
		})
	}
}

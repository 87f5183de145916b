package wording

import "testing"

func TestEscape(t *testing.T) {
	for s, want := range map[string][2]string{
		"add(1) => ü":       {"add(1) => ü", "add(1) => ü"},
		"a\x1b[31mb\r":      {`a\x1b[31mb\r`, `a\x1b[31mb\r`},
		"two\n\tlines":      {`two\n\tlines`, "two\n\tlines"},
		"\xff\xfe":          {`\xff\xfe`, `\xff\xfe`},
		"\ufffd":            {"\ufffd", "\ufffd"},
		"a\u202eb\u2028":    {`a\u202eb\u2028`, `a\u202eb\u2028`},
		`back\slash "word"`: {`back\slash "word"`, `back\slash "word"`},
	} {
		if got := [2]string{Line(s), Text(s)}; got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 logs", 1: "1 log", 999: "999 logs", 1000: "1,000 logs", 1234567: "1,234,567 logs"} {
		if got := Count(n, "log"); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
	if got := Count(2, "history"); got != "2 histories" {
		t.Errorf("got %q", got)
	}
}

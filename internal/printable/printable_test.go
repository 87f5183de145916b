package printable

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

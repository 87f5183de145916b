package wording

import (
	"testing"
)

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"already voted":      "errAlreadyVoted",
		"queue: closed":      "errQueueClosed",
		"EOF":                "errEOF",
		"no key \"a\"":       "",
		"index 3":            "",
		"":                   "",
		"...":                "",
		"über die Grenze":    "errÜberDieGrenze",
		"don't":              "",
		"not-found (really)": "errNotFoundReally",
	} {
		got := ErrorOf(text)
		if got != want {
			t.Errorf("Of(%q) = %q, want %q", text, got, want)
		}
		if got != "" && (!IsOutcomeName(got) || !IsError(got)) {
			t.Errorf("%q is no name of an outcome that is an error", got)
		}
	}
	for name, want := range map[string]string{
		"ErrClosed": "ErrClosed", "errEmpty": "errEmpty", "EOF": "ErrEOF", "Err404": "", "_": "", "Error": "", "err": "",
	} {
		if got := ErrorOfVariable(name); got != want {
			t.Errorf("OfVariable(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	texts := []string{"closed", "queue: closed", "", "full"}
	for text, want := range map[string]int{
		"closed":              0,
		"send: closed":        0,
		"queue: closed":       1,
		"send: queue: closed": 1,
		"enclosed":            -1,
		"closed: full":        3,
		"closed: for good":    0,
		"queue: closed: now":  1,
		"closed for good":     -1,
		"closed\nfull":        -1,
		"a: full\nb: closed":  -1,
		"":                    -1,
		"empty":               -1,
	} {
		if got := FindError(text, texts); got != want {
			t.Errorf("Find(%q) = %d, want %d", text, got, want)
		}
	}
	if got := FindError("closed", []string{"closed", "closed"}); got != -1 {
		t.Errorf("two errors of one text: %d, want -1", got)
	}
}

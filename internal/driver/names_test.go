package driver

import "testing"

func TestLowerCamel(t *testing.T) {
	for in, want := range map[string]string{
		"Add":         "add",
		"PushFront":   "pushFront",
		"ID":          "id",
		"HTTPGet":     "httpGet",
		"GetID":       "getID",
		"X2":          "x2",
		"ABTest":      "abTest",
		"Ärger":       "ärger",
		"already":     "already",
		"UTF8Decode":  "utf8Decode",
		"CompareSwap": "compareSwap",
	} {
		if got := LowerCamel(in); got != want {
			t.Errorf("LowerCamel(%q) = %q, want %q", in, got, want)
		}
	}
}

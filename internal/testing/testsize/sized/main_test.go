package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSized(t *testing.T) {
	got, err := sized("testdata/some")
	slices.Sort(got)
	if d := cmp.Diff([]string{"TestByValue", "TestInner", "TestOne"}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if _, err := sized("testdata/outside"); err == nil || !strings.Contains(err.Error(), "outside.go asks") {
		t.Error(err)
	}
}

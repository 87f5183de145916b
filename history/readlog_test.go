package history_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/adtinfer/adtinfer/history"
)

func queueSignature(t *testing.T) history.Signature {
	t.Helper()
	sig, err := history.NewSignature(
		history.MethodSig{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		history.MethodSig{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Nil}, {Outcome: history.Some, Rets: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

const smallLog = "[1] call add(7)\n[2] call remove\n[1] return\n[2] return 7\n[3] call remove\n[3] return empty\n"

func binaryLog(t *testing.T, text string) []byte {
	t.Helper()
	return logOf(t, text, history.Binary)
}

// logOf is a text log in another format.
func logOf(t *testing.T, text string, format history.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := history.NewReader(strings.NewReader(text), "x.log").Convert(t.Context(), &b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// However a log comes, what is read is the same.
func TestReadLog(t *testing.T) {
	want, err := history.ReadLog(strings.NewReader(smallLog), "x", queueSignature(t))
	if err != nil {
		t.Fatal(err)
	}
	places := cmpopts.IgnoreFields(history.Operation{}, "CallPos", "ReturnPos")
	for name, data := range map[string][]byte{"text": []byte(smallLog), "JSON Lines": logOf(t, smallLog, history.JSON), "binary": binaryLog(t, smallLog)} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for how, r := range map[string]io.Reader{"file": file, "pipe": io.MultiReader(bytes.NewReader(data)), "byte by byte": iotest.OneByteReader(bytes.NewReader(data)), "with an end": iotest.DataErrReader(bytes.NewReader(data))} {
			got, err := history.ReadLog(r, "x", queueSignature(t))
			if err != nil || got.Tail != "" {
				t.Fatalf("%s, %s: %v, %v", name, how, err, got)
			}
			if d := cmp.Diff(want, got, places); d != "" {
				t.Errorf("%s, %s: %s", name, how, d)
			}
		}
	}
}

func TestReadLogErrors(t *testing.T) {
	broken := errors.New("the disk is on fire")
	binary := binaryLog(t, smallLog)
	for _, tt := range []struct {
		name string
		r    io.Reader
		want string
	}{
		{"cannot be read", iotest.ErrReader(broken), "the disk is on fire"},
		{"cannot be read on", io.MultiReader(strings.NewReader("#\n"), iotest.ErrReader(broken)), "the disk is on fire"},
		{"other version", strings.NewReader("adtinfer-record 3\n"), "x: this is no binary log of a version that is read here"},
		{"damaged", bytes.NewReader(append(bytes.Clone(binary[:len(binary)-1]), 0xff)), "the file is damaged there"},
		{"unknown method", bytes.NewReader(binaryLog(t, "[1] call add(1)\n[2] call ad(7)\n")), `x: event 2: unknown method "ad"; did you mean "add"?`},
		{"wrong result", bytes.NewReader(binaryLog(t, "[1] call add(7)\n[1] return 7\n")), "x: event 2: method add cannot return 7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := history.ReadLog(tt.r, "x", queueSignature(t))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	e, err := history.ReadLog(bytes.NewReader(binary[:len(binary)-5]), "x", queueSignature(t))
	if err != nil || !strings.Contains(e.Tail, "its tail is missing") {
		t.Errorf("cut off: %v, %v", err, e)
	}
}

package driver

import (
	"bytes"
	"testing"
)

// FuzzReader reads arbitrary bytes as every kind of message: no panic, and what
// is read is written as it was.
func FuzzReader(f *testing.F) {
	f.Add(AppendNumber(AppendValue(AppendValue(nil, 3, ""), 0, "(x)"), 300))
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		in := NewReader(b)
		var out []byte
		for in.Err == nil && len(in.b) > 0 {
			before := in.b
			k, text := in.Value()
			if in.Err == nil && (k > 0 || before[0]&1 == 1) {
				out = AppendValue(out[:0], k, text)
				again := NewReader(out)
				if k2, text2 := again.Value(); k2 != k || text2 != text || again.Err != nil {
					t.Errorf("%d, %q became %d, %q", k, text, k2, text2)
				}
			}
		}
		for _, o := range []Object{queueObject(), acceptorObject()} {
			m, err := NewMachine(o)
			if err != nil {
				t.Fatal(err)
			}
			newRunner(m).prepare(b) // an error is fine
		}
		ReadFrame(bytes.NewReader(b), nil)
	})
}

type cell struct{ v int }

func (c *cell) Set(v int) { c.v = v }
func (c *cell) Get() int  { return c.v }

func queueObject() Object { return Object{New: func() *cell { return new(cell) }} }

func acceptorObject() Object {
	o := queueObject()
	o.Operations = []Operation{{"set", (func(string))(nil)}, {"get", (func() (string, bool))(nil)}}
	o.Accept = func(interface{}, Claim) bool { return true }
	return o
}

func TestFrames(t *testing.T) {
	b := AppendFrame(nil, "nonce", FrameRun, []byte("payload"))
	b = AppendFrame(b, "", FrameBeat, nil)
	in := bytes.NewReader(b[len("nonce"):])
	for _, want := range []string{"Rpayload", "B"} {
		kind, payload, err := ReadFrame(in, nil)
		if err != nil || string(kind)+string(payload) != want {
			t.Errorf("%q %q %v, want %q", kind, payload, err, want)
		}
	}
	if _, _, err := ReadFrame(in, nil); err == nil {
		t.Error("no error at the end")
	}
}

// FuzzKeep answers arbitrary bytes as requests to a keeper: no panic, and its
// states stay as they are.
func FuzzKeep(f *testing.F) {
	set := AppendValue(AppendNumber(nil, 0), 0, "7")
	step := append(append([]byte{KeepStep, 0}, AppendNumber(nil, 2)...), append(append(set, 1), 9, 0, 0, 2, 1, 2, 0, 2, 1, 1, 0, 3)...)
	f.Add(step)
	f.Add([]byte{KeepAgain, 0, 1, 1, 1, 0, 0})
	f.Add([]byte{KeepText, 0, 0})
	f.Add([]byte{KeepClose, 0})
	f.Add([]byte{KeepOpen, 0, 1, 0, 0})
	m, err := NewMachine(queueObject())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		k := newKeeper(m, 0)
		k.kept = Kept{Copied: true, Interned: true}
		k.open()
		in := NewReader(b)
		for in.Err == nil && in.More() {
			op := in.Number()
			if op != KeepOpen {
				k.answer(op, in) // an error is fine
			}
		}
		for n := range k.states {
			if k.states[n].object == nil || int(k.states[n].parent) >= n {
				t.Errorf("state %d has no object or a late parent", n)
			}
		}
	})
}

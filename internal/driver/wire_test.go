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

package foreign

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// A file that is cut within a record, or anywhere in a vector, is refused; of one that is cut between records the
// records before are read.
func TestCutOff(t *testing.T) {
	records := []string{
		`{:process 0, :type :invoke, :f :write, :value "a b"}`, `{:process 1 :type :invoke :f :read :value nil :x #{1 [2]}}`,
		`#a.Op{:process 0, :type :ok, :f :write, :value "a b"}`, `{:process 1 :type :ok :f :read :value "a b"}`,
	}
	series := strings.Join(records, "\n")
	ends := map[int]bool{}
	for i := range records {
		ends[len(strings.Join(records[:i+1], "\n"))] = true
		ends[len(strings.Join(records[:i+1], "\n"))+1] = true
	}
	for n := 1; n < len(series); n++ {
		_, err := New(strings.NewReader(series[:n]), "f", Options{Format: Jepsen}, anyMethod(t)).Execution(anyMethod(t))
		if ends[n] != (err == nil) {
			t.Errorf("cut off after %q: %v", series[:n], err)
		}
	}
	elle := `[{"process": 0, "type": "invoke", "f": "write", "value": [1, "a"]}, {"process": 0, "type": "ok", "f": "write", "value": [1, "a"], "x": {"y": [null]}}]`
	for format, whole := range map[Format]string{Jepsen: "[" + series + "]", ElleCLI: elle} {
		for n := 1; n < len(whole); n++ {
			if got := refusedAt(t, format, whole[:n]); got == nil {
				t.Errorf("%s cut off after %q is read", format, whole[:n])
			}
		}
	}
}

// Bytes that are lost, doubled or swapped never bring the reader down, and what is refused has a place.
func TestDamaged(t *testing.T) {
	for format, write := range writers {
		for seed := range testsize.Samples(3000) {
			r := rand.New(rand.NewPCG(seed, 5))
			src := []byte(write(random(r, true)))
			for range 1 + r.IntN(3) {
				switch i, j := r.IntN(len(src)), r.IntN(len(src)); r.IntN(4) {
				case 0:
					src = src[:max(1, i)]
				case 1:
					src[i], src[j] = src[j], src[i]
				case 2:
					src = []byte(string(src[:i]) + string(src[min(i, j):]))
				default:
					src = []byte(string(src[:i]) + string(src[i:min(len(src), i+1)]) + string(src[i:]))
				}
				if len(src) == 0 {
					src = []byte{' '}
				}
			}
			refusedAt(t, format, string(src))
		}
	}
}

// refusedAt is the error of a reader, after checking that it has a place.
func refusedAt(t *testing.T, format Format, src string) error {
	t.Helper()
	_, err := New(strings.NewReader(src), "f", Options{Format: format}, anyMethod(t)).Execution(anyMethod(t))
	var wrong *history.ParseError
	if err == nil {
		return nil
	}
	lines := strings.Split(src, "\n")
	if !errors.As(err, &wrong) || wrong.Pos.Line < 1 || wrong.Pos.Line > len(lines) || wrong.Pos.Col < 1 || wrong.Pos.Col > len(lines[wrong.Pos.Line-1])+1 {
		t.Errorf("%s: no place: %v\n%s", format, err, src)
	}
	return err
}

// A keyed test that is read as one object would mix up the objects' values.
func TestLooksKeyed(t *testing.T) {
	const src = "{:process 0, :type :invoke, :f :read, :value [3 nil]}\n{:process 0, :type :ok, :f :read, :value [3 7]}"
	if got, want := text(src, Options{Format: Jepsen}, methods(t)), "f:1:1: all values here are pairs, as in a keyed test"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	const plain = "{:process 0, :type :invoke, :f :read, :value [3 7]}\n{:process 0, :type :ok, :f :read, :value [3 7]}"
	if got, want := text(plain, Options{Format: Jepsen, Pairs: true}, methods(t)), `[1] call read; [1] return "[3 7]"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

package trace

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func randomScenario(r *rand.Rand) *Scenario {
	values := func() (all []history.Value) {
		for range r.IntN(3) {
			all = append(all, history.Value([]string{"", "1", "-7", "a b", "{1 x}"}[r.IntN(5)]))
		}
		return all
	}
	rec := randomRecord(r)
	s := &Scenario{Program: rec.Program, NoFusion: r.IntN(2) == 0, Stuck: r.IntN(2) == 0, Written: rec.Written, Moves: rec.Moves}
	for range 1 + r.IntN(4) {
		s.Calls = append(s.Calls, ScenarioCall{Op: r.IntN(9), Method: []string{"", "push"}[r.IntN(2)], Args: values()})
	}
	for range 1 + r.IntN(3) {
		var plan []int
		for range r.IntN(3) {
			plan = append(plan, r.IntN(len(s.Calls)))
		}
		s.Plans = append(s.Plans, plan)
	}
	for range r.IntN(9) {
		s.Events = append(s.Events, r.IntN(2*len(s.Plans)))
	}
	for range r.IntN(4) {
		s.Answers = append(s.Answers, ScenarioAnswer{Outcome: history.Some, Rets: values()})
	}
	return s
}

// TestScenario writes scenarios, reads them back, and damages them.
func TestScenario(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	for range testsize.Samples(10_000) {
		want := randomScenario(r)
		text := want.String()
		got, err := ParseScenario(text)
		if err != nil || !reflect.DeepEqual(got, want) || !IsScenario(text) {
			t.Fatalf("seed %d: %+v, want %+v: %v", seed, got, want, err)
		}
		for _, bad := range []string{text[:len(text)-1-r.IntN(len(text)/2)], text + "AAAA", "s0" + text[2:], "x1" + text[2:], "s1"} {
			if got, err := ParseScenario(bad); err == nil {
				t.Fatalf("seed %d: %q is read as %+v", seed, bad, got)
			}
		}
	}
	if _, err := ParseScenario("s1-AAAA"); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

// FuzzParseScenario reads strings of any bytes, with the right checksum: they are refused, or are a scenario that
// is written and read again as it is.
func FuzzParseScenario(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		b, err := base64.RawURLEncoding.DecodeString(randomScenario(r).String()[len(scenarioVersion):])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:len(b)-4])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
		s, err := ParseScenario(scenarioVersion + base64.RawURLEncoding.EncodeToString(b))
		if err != nil {
			return
		}
		again, err := ParseScenario(s.String())
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%+v was read again as %+v, %v", s, again, err)
		}
	})
}

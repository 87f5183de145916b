package out

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

func TestSVG(t *testing.T) {
	kv := readTheory(t, "store").Spec.Product.Part.Automaton
	counter := readTheory(t, "limited").Spec.Control.Automaton
	for name, a := range map[string]*automata.Automaton{"store": kv, "limited": counter} {
		var b bytes.Buffer
		if err := SVG(&b, a); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, b.Bytes())
		file := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
}

// random is an automaton of n locations, whose values tempt XML.
func random(rng *rand.Rand, n int) *automata.Automaton {
	a := &automata.Automaton{Methods: []history.MethodSig{{Name: "m", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}}}}
	for i := range n {
		a.Locations = append(a.Locations, automata.Location{Name: fmt.Sprint("l", i)})
		for k := range 1 + rng.IntN(3) {
			a.Locations[i].Transitions = append(a.Locations[i].Transitions, automata.Transition{
				Method: "m", Outcome: history.Some, To: rng.IntN(n),
				Rets: []automata.Term{{Kind: automata.Constant, Value: history.Value(fmt.Sprintf("<&'\"%d", k))}},
			})
		}
	}
	return a
}

// TestSVGRoom: no text stands on another, and arrows of one lane do not meet.
func TestSVGRoom(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		a := random(rng, 1+rng.IntN(mostLocations))
		var b bytes.Buffer
		if err := SVG(&b, a); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, b.Bytes())
		if n := strings.Count(b.String(), "&lt;&amp;"); n != strings.Count(a.String(), "<&") {
			t.Fatalf("seed %d: %d lines are shown", seed, n)
		}
		d := newDiagram(a)
		d.lanes(d.down)
		d.lanes(d.up)
		d.place()
		for i := range d.boxes[1:] {
			if d.boxes[i].top+d.boxes[i].height >= d.boxes[i+1].top {
				t.Fatalf("seed %d: boxes %d and %d overlap", seed, i, i+1)
			}
		}
		for _, side := range [][]*arrow{d.down, d.up} {
			for i, x := range side {
				from, to := d.span(x)
				if to-from < (len(x.lines)-1)*lineHeight {
					t.Fatalf("seed %d: arrow %d to %d has no room for its text", seed, x.from, x.to)
				}
				for _, y := range side[:i] {
					if f, g := d.span(y); x.lane == y.lane && f <= to && from <= g {
						t.Fatalf("seed %d: arrows %d to %d and %d to %d meet", seed, x.from, x.to, y.from, y.to)
					}
				}
			}
		}
	}
	if err := SVG(io.Discard, random(rand.New(rand.NewPCG(1, 1)), mostLocations+1)); err == nil || err.Error() != "out: a diagram has at most 40 locations, and this automaton has 41" {
		t.Errorf("got %v", err)
	}
}

// span is where an arrow runs along its lane.
func (d *diagram) span(a *arrow) (from, to int) {
	from, to = d.boxes[a.from].top+a.fromY, d.boxes[a.to].top+a.toY
	return min(from, to), max(from, to)
}

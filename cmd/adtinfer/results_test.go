package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/describe"
)

// jsonLines are results as Sorted has them.
func jsonLines(s *resultSet) (all []string) {
	for _, r := range s.Sorted() {
		all = append(all, r.Line)
	}
	return all
}

func read(t *testing.T, groups ...[]string) *resultSet {
	var s resultSet
	for i, g := range groups {
		if err := s.Read(strings.NewReader(strings.Join(g, "\n")), fmt.Sprintf("%d.json", i)); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

// In whatever groups and order results are merged, the result is the same, also if
// logs are there twice.
func TestMergeGroups(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		var all []string
		for range r.IntN(12) {
			name := fmt.Sprintf("%d.log", r.IntN(6))
			switch v := []string{"violation", "linearizable", "inconclusive", "no violation found", ""}[r.IntN(5)]; v {
			case "":
				all = append(all, fmt.Sprintf(`{"file":%q,"error":"it is broken %d"}`, name, r.IntN(3)))
			default:
				all = append(all, fmt.Sprintf(`{"file":%q,"verdict":%q,"engine":"auto","events":%d}`, name, v, r.IntN(3)))
			}
		}
		whole := jsonLines(read(t, all))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		a := r.IntN(len(all) + 1)
		b := a + r.IntN(len(all)-a+1)
		left := jsonLines(read(t, jsonLines(read(t, all[:a], all[a:b])), all[b:]))
		right := jsonLines(read(t, jsonLines(read(t, all[a:b], all[b:])), all[:a]))
		for _, got := range [][]string{jsonLines(read(t, all)), left, right} {
			if diff := cmp.Diff(whole, got); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
		}
	}
}

func TestWorstCounts(t *testing.T) {
	const good, unread, bad = `{"file":"a","verdict":"linearizable","events":4}`, `{"file":"a","error":"gone"}`, `{"file":"a","verdict":"violation","events":4,"prefix":2}`
	s := read(t, []string{good, unread, bad}, []string{unread, bad})
	if diff := cmp.Diff([]string{bad}, jsonLines(s)); diff != "" {
		t.Error(diff)
	}
	want := []twice{{"0.json:1", "0.json:2", true}, {"0.json:1", "0.json:3", true}, {"0.json:1", "1.json:1", true}, {"0.json:1", "1.json:2", false}}
	if diff := cmp.Diff(want, s.Sorted()[0].Again); diff != "" {
		t.Error(diff)
	}
}

func TestNoResult(t *testing.T) {
	for _, line := range []string{
		"[1] call add(1)", "{", "null", "[]", "{}", `{"file":1}`, `{"file":"a"}`, `{"file":"a","verdict":"fine"}`, `{"file":"a","verdict":"violation","events":-1}`,
		`{"file":"a","verdict":"violation","events":1,"prefix":2}`, `{"file":"a","verdict":"linearizable"} {}`, "\x1f\x8b",
	} {
		var s resultSet
		err := s.Read(strings.NewReader("\n"+line+"\n"), "x.json")
		if err == nil || !strings.HasPrefix(err.Error(), "x.json:2: is not a result") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestMutants(t *testing.T) {
	s := read(t, []string{`{"mutants":5,"told":3,"missed":["b","a"]}`}, []string{`{"mutants":5,"told":3,"missed":["c","b"]}`})
	if diff := cmp.Diff(&describe.Told{Mutants: 5, Missed: []string{"b"}}, s.Told); diff != "" {
		t.Error(diff)
	}
	if err := s.Read(strings.NewReader(`{"mutants":6,"told":6}`), "x"); err == nil {
		t.Error("6 versions are as many as 5")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"file":"a","verdict":"linearizable","events":4}`)
	f.Fuzz(func(t *testing.T, text string) {
		var s resultSet
		if s.Read(strings.NewReader(text), "x") == nil {
			s.Sorted()
		}
	})
}

// Shards of the keys of a log are one result, in whatever order they come; a
// missing one, one of another number or theory, and a result for all keys beside them
// are errors.
func TestShards(t *testing.T) {
	const one = `{"file":"a","verdict":"linearizable","engine":"e","events":9,"operations":3,"width":2,"overlaps":1,"unseen":["get","put"],"keys":{"shard":1,"of":3,"against":"kv"}}`
	const two = `{"file":"a","verdict":"violation","engine":"e","events":9,"prefix":7,"operations":2,"width":1,"overlaps":0,"unseen":["put"],"uncompared":["cas","get"],"keys":{"shard":2,"of":3,"against":"kv"},"explanation":{"minimal":true}}`
	const three = `{"file":"a","verdict":"violation","engine":"e","events":9,"prefix":8,"operations":1,"width":1,"overlaps":0,"keys":{"shard":3,"of":3,"against":"kv"}}`
	const want = `{"file":"a","verdict":"violation","engine":"e","events":9,"prefix":7,"operations":6,"width":2,"overlaps":1,"uncompared":["cas","get"],"explanation":{"minimal":true}}`
	for _, order := range [][]string{{one, two, three}, {three, one, two}, {two, three, one}, {two, one, two, three}} {
		s := read(t, order)
		if err := s.Complete(); err != nil {
			t.Fatal(err)
		}
		if got := jsonLines(s); len(got) != 1 || got[0] != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if err := read(t, []string{two}).Complete(); err == nil || !strings.Contains(err.Error(), "a: there is no result for the keys of shard 1/3, 3/3") {
		t.Errorf("a shard alone: %v", err)
	}
	again := read(t, []string{two, one}, []string{three, two}).Sorted()[0].Again
	if diff := cmp.Diff([]twice{{"0.json:1", "1.json:2", false}}, again); diff != "" {
		t.Error(diff)
	}
	for other, want := range map[string]string{
		strings.Replace(one, `"of":3`, `"of":4`, 1):        "use one number of shards",
		strings.Replace(one, `"kv"`, `"queue"`, 1):         "one theory and one version",
		strings.Replace(one, `"shard":1`, `"shard":4`, 1):  "there is no shard 4 of 3",
		`{"file":"a","verdict":"linearizable","events":9}`: "give only one kind",
	} {
		var s resultSet
		if err := s.Read(strings.NewReader(two+"\n"+other), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", other, err, want)
		}
	}
}

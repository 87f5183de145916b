package logbeam

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// stores writes a good log of a store with so many events and keys, whose processes
// overlap. At the events named in wrong a get answers what was never put; these gets are
// returned, with their keys and events, counted from 1.
func stores(r *rand.Rand, events, keys int, wrong ...int) (log string, bad map[string]int) {
	var b strings.Builder
	type call struct {
		id       int
		get      bool
		key      string
		answered bool
		answer   string
	}
	bad = map[string]int{}
	held := map[string]string{}
	running := make([]*call, 8)
	for n, id := 0, 0; n < events; {
		p := r.IntN(len(running))
		c := running[p]
		switch {
		case c == nil:
			id++
			c = &call{id: id, get: r.IntN(2) == 0, key: fmt.Sprintf("k%d", r.IntN(keys))}
			if running[p] = c; c.get {
				fmt.Fprintf(&b, "[%d] call get(%s)\n", c.id, c.key)
			} else {
				c.answer = fmt.Sprintf("v%d", r.IntN(1000))
				fmt.Fprintf(&b, "[%d] call put(%s, %s)\n", c.id, c.key, c.answer)
			}
			n++
		case !c.answered && c.get:
			c.answered, c.answer = true, " nil"
			if v, ok := held[c.key]; ok {
				c.answer = " " + v
			}
		case !c.answered:
			c.answered, held[c.key], c.answer = true, c.answer, ""
		default:
			n++
			running[p] = nil
			if len(wrong) > 0 && n >= wrong[0] && c.get && bad[c.key] == 0 {
				wrong, bad[c.key], c.answer = wrong[1:], n, " never"
			}
			fmt.Fprintf(&b, "[%d] return%s\n", c.id, c.answer)
		}
	}
	return b.String(), bad
}

// TestPlanted: of many logs and a long one just those violations are reported that are
// there, with their keys and prefixes; a malformed file, a part that panics and one
// that does not end leave the rest complete, and are named.
func TestPlanted(t *testing.T) {
	logs, events, keys := 100, 20_000, 400
	if testsize.Long() {
		logs, events, keys = 1_000, 500_000, 10_000
	}
	dir := t.TempDir()
	write := func(name, log string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	r := rand.New(rand.NewPCG(7, 7))
	want := map[string]int{} // prefixes, by file and key
	planted := func(path string, bad map[string]int) {
		first := slices.MinFunc(slices.Collect(maps.Keys(bad)), func(a, b string) int { return bad[a] - bad[b] })
		want[path+" "+first] = bad[first]
	}
	for i := range logs {
		var wrong []int
		if i%(logs/5) == 1 { // five of them
			wrong = []int{60, 80}
		}
		log, bad := stores(r, 100, 4, wrong...)
		if path := write(fmt.Sprintf("%04d.log", i), log); len(bad) > 0 {
			planted(path, bad)
		}
	}
	log, bad := stores(r, events, keys, events/2, events/2+100, events*3/4)
	planted(write("long.log", log), bad)
	if len(bad) != 3 || len(want) != 6 {
		t.Fatal(bad, want)
	}
	malformed := write("malformed.log", "[1] call put(a, 1)\n[1] retrun\n")
	panics := write("panics.log", "[1] call put(a, panicking)\n[2] call put(b, 2)\n[1] return\n[2] return\n[3] call get(b)\n[3] return 1\n")
	write("sleeps.log", "[1] call put(a, sleeping)\n[2] call put(b, 2)\n[1] return\n[2] return\n[3] call get(b)\n[3] return 2\n")
	want[panics+" b"] = 6

	yaml, err := os.ReadFile(filepath.Join("..", "examples", "kv", "kv.theory.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	reports, markdown, left := run(t, yaml, []string{filepath.Join(dir, "*.log"), malformed}, Options{Timeout: 5 * time.Second, Block: int64(len(log) / 7)})
	t.Logf("%d logs in %v", len(reports), time.Since(start))
	got := map[string]int{}
	verdicts := map[string]int{}
	for _, x := range reports {
		verdicts[x.Verdict]++
		if x.Verdict == "violation" {
			got[x.File+" "+x.Explanation.Keys[0]] = x.Prefix
		}
		if name := filepath.Base(x.File); name == "panics.log" && !strings.Contains(x.Detail, "a key that was not decided may violate in a shorter prefix") ||
			name == "sleeps.log" && !strings.HasPrefix(x.Detail, "key a: the time limit was reached") || name == "malformed.log" && !strings.Contains(x.Error, malformed+":2:5: ") {
			t.Errorf("%+v", x)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(verdicts) != fmt.Sprintf("map[:1 inconclusive:1 linearizable:%d violation:7]", logs-5) {
		t.Errorf("%v: %v, want %v", verdicts, got, want)
	}
	var whys []string
	for _, l := range left {
		why, _, _ := strings.Cut(l.Why, "\n")
		whys = append(whys, strings.Join([]string{filepath.Base(l.File), l.Key, why}, " "))
	}
	for i, says := range []string{"malformed.log:2:5: expected", "panics.log a ", "sleeps.log a the time limit was reached"} {
		if len(whys) != 3 || !strings.Contains(whys[i], says) {
			t.Errorf("left: %q, want %q", whys, says)
		}
	}
	if !strings.Contains(markdown, "## Violations") || !strings.Contains(markdown, "3 files or parts could not be checked") {
		t.Error(markdown)
	}
}

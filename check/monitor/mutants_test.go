package monitor

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are deliberate faults: a text of a file, and what to put there.
var mutants = []struct{ name, file, from, to string }{
	{"values that overtake compared with the wrong end", "queue.go", "q.cover[m.as] > m.re ", "q.cover[m.as] > m.rs "},
	{"values taken by pending removes in another order", "queue.go", "q.values[v-1].rs, tokens = tokens[0], tokens[1:]", "q.values[v-1].rs, tokens = tokens[len(tokens)-1], tokens[:len(tokens)-1]"},
	{"pending removes of a queue ignored", "queue.go", "len(q.tokens) == 0 ||", "true ||"},
	{"a gap is in the core that ends before it", "container.go", "k.cover[g] <= int32(g)", "k.cover[g] < int32(g)"},
	{"one gap too few for empty removes", "container.go", "k.last[c.ret[e]-1] < c.call[e]", "k.last[c.ret[e]-1] <= c.call[e]"},
	{"pending adds never count", "container.go", "case add, maybeAdd:", "case add:"},
	{"values left cannot be removed last", "container.go", "m.rs, m.re = k.n+1, k.n+2", "m.rs, m.re = k.n+1, k.n+1"},
	{"removed before added, by the call", "container.go", "case m.re < m.as:", "case m.rs < m.as:"},
	{"removed twice is all right", "container.go", "if m.rs != 0 {", "if false {"},
	{"values beside others are constraints", "peel.go", "m.as != 0 && m.ae < m.rs", "m.as != 0 && m.ae < m.re"},
	{"the bottom is added within", "peel.go", "p.values[v].as < e, p.values", "p.values[v].ae <= e, p.values"},
	{"the bottom is removed within", "peel.go", "p.values[v].re > s\n", "p.values[v].rs >= s\n"},
	{"values of other parts are marked", "peel.go", "c.e < p.values[ev/4].rs && p.values[ev/4].rs <= s", "true"},
	{"the larger part does not read what its end moved over", "peel.go", "\tp.moveLeft(c, e)\n\tp.moveRight(c, s)\n", "\tc.e, c.s = e, s\n"},
	{"a hole is seen where there is none, from the right", "peel.go", "\t\t\t\tnear = prev\n", "\t\t\t\t_ = prev\n"},
	{"a hole is seen where there is none", "peel.go", "\t\t\tfar = next\n", "\t\t\t_ = next\n"},
	{"the right end does not move", "peel.go", "p.moveRight(c, p.values[c.lastR].rs)", "c.s = p.values[c.lastR].rs"},
	{"pending removes of a stack ignored", "stack.go", "forced < 0 || len(s.tokens) == 0", "true"},
	{"values that need not be taken are counted", "tokens.go", "\t\t\tif ok {\n\t\t\t\treturn true\n", "\t\t\tif ok && false {\n\t\t\t\treturn true\n"},
	{"all pending removes are alike", "columns.go", "return c.within(to)-c.within(from) == int(to-from)", "return true"},
	{"not the oldest value is taken", "stack.go", "for _, v := range f.values {\n\t\t\tif", "for i := range f.values {\n\t\t\tv := f.values[len(f.values)-1-i]\n\t\t\tif"},
	{"hopeless without a look", "tokens.go", "forced < 0 || !s.alone(c)", "true"},
	{"out while perhaps in", "set.go", "if l.a < call && ret < l.r {", "if l.as < call && ret < l.r {"},
	{"pending removes of a set ignored", "set.go", "l.rs, l.re = l.tryRemove, n+2", "l.rs, l.re = 0, n+2"},
	{"seen after it was removed", "set.go", "case l.re < l.r:", "case false:"},
	{"seen before it was added", "set.go", "case l.a < l.as || l.re < l.as:", "case l.re < l.as:"},
	{"reads of nothing ignored", "register.go", "if nothingOp >= 0 {", "if false {"},
	{"unread pending writes count", "register.go", "case k.first > n && !k.seen:", "case false:"},
	{"backward zones fit anywhere", "zones.go", "f != 0 && x.from < z.zones[f-1].to", "false"},
	{"backward zones compared with the wrong end", "zones.go", "f := z.latest[x.to]\n", "f := z.latest[x.from]\n"},
	{"forward zones may overlap", "zones.go", "z.zones[current-1].to > z.zones[i-1].from", "false"},
	{"holders left are taken in order", "holders.go", "t > 0 && !used[t-1] && c.alike(l.tokens[t-1], l.tokens[t])", "t > 0 && !used[t-1]"},
	{"a holder seen after it was removed", "lock.go", "case h.re < h.last:", "case false:"},
	{"holders left do not clash with others", "holders.go", "return z.to < x.limit", "return true"},
	{"a pending lock that was seen is no holder", "lock.go", "case h.first == 0 && h.rs == 0 && (h.as", "case h.rs == 0 && (h.as"},
	{"online: the deadline is not looked at", "online.go", "x.deadline != 0 && call > x.deadline", "false"},
	{"online: values without a pending remove", "online.go", "i == len(q.tokens) || q.tokens[i] > x.deadline", "i < len(q.tokens) && q.tokens[i] > x.deadline"},
	{"online: certain at once", "online.go", "return true, k == 0", "return true, true"},
	{"online: the core is left out", "online.go", "q.covered = q.covered.plus(from, to)", "_ = to"},
	{"online: open operations miss a core", "online.go", "d.free = d.free.minus(from, to)", "_ = d"},
	{"online: forgotten too early", "online.go", "q.covered.after(since)", "q.covered.after(max(since, q.now))"},
	{"the shortest prefix is one too long", "prefix.go", "for high-low > 1 {", "for high-low > 2 {"},
}

// TestMutants runs the tests with each fault put in: they must fail. It takes
// minutes and is for the night.
func TestMutants(t *testing.T) {
	if os.Getenv(nightly) == "" {
		t.Skip("set " + nightly)
	}
	for i, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			text, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(text), m.from) != 1 {
				t.Fatalf("%s has %q %d times", m.file, m.from, strings.Count(string(text), m.from))
			}
			out, err := runMutant(t, m.file, strings.Replace(string(text), m.from, m.to, 1))
			switch {
			case err == nil:
				t.Errorf("fault %d was not caught", i+1)
			case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
				t.Errorf("%s", out)
			}
		})
	}
}

func runMutant(t *testing.T, file, text string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	mutant, overlay := filepath.Join(dir, file), filepath.Join(dir, "overlay.json")
	original, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{mutant: []byte(text), overlay: replace} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-overlay", overlay, "-vet=off", "-failfast", "-timeout=2m", "-run", "TestAgainstModels|TestAgainstTwins|TestCases|TestOnline", ".")
	cmd.Env = append(os.Environ(), nightly+"=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

package batch

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testsize"
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
	{"online set: missed although perhaps out", "online_set.go", "x.a != 0 && x.a < call && x.missed == 0", "x.a != 0 && x.missed == 0"},
	{"online set: the first pending remove is forgotten", "online_set.go", "until = x.rems[0]", "until = x.rems[len(x.rems)-1]"},
	{"online set: seen after it was removed", "online_set.go", "x.re != 0 && x.re < x.last", "false"},
	{"online register: no deadlines for the initial value", "online_register.go", "ok := r.nothing.limit(x)", "ok := true"},
	{"online register: forgotten at the deadline", "online_register.go", "x.deadline != 0 && !x.pending && !r.calls.before(x.deadline)", "x.deadline != 0"},
	{"online lock: forgotten when it is removed", "online_lock.go", "x.re != 0 && !x.pending && !k.calls.before(x.re)", "x.re != 0 && !x.pending"},
	{"online lock: values left do not clash", "online_lock.go", "f < y.to(y.rs) && y.from() < l", "f < 0 && y.from() < l"},
	{"online lock: deadlines are not kept", "online_lock.go", "x.deadline == 0 || x.to(rs) <= x.deadline", "true"},
	{"online bag: values leave in order", "online.go", "!q.bag && q.fresh", "q.fresh"},
	{"segments: cut anywhere", "online_segments.go", "for k.cover[gap] > gap {", "for false {"},
	{"segments: peeks that run do not matter", "online_segments.go", "i >= 0 && s.looks && c.open[i] == none", "false"},
	{"segments: what finds nothing is forgotten", "online_segments.go", "return s.c.call[i] > gap\n\tcase", "return false\n\tcase"},
	{"segments: what runs is forgotten", "online_segments.go", "return !s.gone[v] || s.cutter.side(v) > gap", "return s.cutter.side(v) > gap"},
	{"segments: the end is not decided", "online_segments.go", "if s.checked == s.c.events {", "if true {"},
	{"priorities: equal ones are higher", "priority.go", "c.priority[ranked[n]] == c.priority[ranked[0]]", "false"},
	{"priorities: removed although what saw it came later", "priority.go", "} else if g > from {", "} else if false {"},
	{"priorities: seen at any time", "priority.go", "if g >= c.ret[op] {", "if false {"},
	{"priorities: lower values must have been taken", "priority.go", "c.priority[v] > c.priority[low] && m.ae", "c.priority[v] < c.priority[low] && m.ae"},
	{"priorities: the lowest digit only", "radix.go", "shift := 0; shift < width; shift += digit", "shift := 0; shift < min(width, digit); shift += digit"},
	{"gaps: one too many is taken out", "gapset.go", "gone &= 1<<(uint(to)%64) - 1", "gone &= 1<<(uint(to)%64+1) - 1"},
	{"gaps: words above are not emptied", "gapset.go", "if s.levels[k][at] != 0 || k+1", "if true || k+1"},
	{"fronts: ends of zones are not moved", "fronts.go", "\tx.move(q.n)\n", ""},
	{"fronts: the order of zones alone", "fronts.go", "min(q.values[v].ae, q.fronts.f[v])", "q.fronts.f[v]"},
	{"fronts: pending removes ignored", "fronts.go", "if len(q.tokens) > 0 {", "if false {"},
	{"tops: whoever is below was on top", "peel_peeks.go", "\tok = false", "\t_ = 0"},
	{"tops: the value itself is in the way", "peel_peeks.go", "if w != v {", "if true {"},
	{"looks: a core ends with the remove's call", "container.go", "max(m.rs, last)", "max(m.rs, last*0)"},
	{"deletion: gone in a moment, whatever may enclose it", "strip.go", "last < first && d.all(s, c, func(w int) bool { return d.encloses[d.at(w, c)] })", "last < first"},
	{"deletion: may overtake whatever it encloses", "strip.go", "(m.rs <= -leaves || d.encloses[d.at(c, w)])", "leaves < never"},
	{"deletion: leaves last, whatever came later", "strip.go", "(comes < m.ae || d.encloses[d.at(c, w)])", "comes < never"},
	{"deletion: parts are cut one gap early", "deletion.go", "i > from && high < side", "i > from && high <= side+1"},
	{"deletion: orders that overlap are impossible", "table.go", "last >= o.e", "last+1 >= o.e"},
	{"linearizations: no operation finds nothing in time", "arrange.go", "g = cuts[next].gap", "_ = g"},
	{"linearizations: values left come first", "queue_order.go", "len(order) == count-len(out.late)", "true"},
	{"linearizations: priorities within a gap", "priority_order.go", "x.add[v] != x.remove[v]", "true"},
	{"linearizations: containers, what returned comes later", "sequence.go", "t.bounds(n.right).ret <= at", "false"},
	{"linearizations: containers, parts are not cut", "sequence.go", "case b.last <= gap:", "case true:"},
	{"linearizations: the front by the adds alone", "fronts_order.go", "x.l[last[0]] <= x.f[first[0]]", "true"},
	{"linearizations: what saw the top comes first", "stack_order.go", "peeks[0].gap < p.from(part[0])", "true"},
	{"deletion: only the first pending remove", "deletion_tokens.go", "used[t] || tooLate[kind] ||", "used[t] || tooLate[kind] || t > 0 ||"},
	{"deletion: pending removes of other kinds are alike", "deletion_tokens.go", "kind == d.tokenKind(c, t-1) && ", ""},
	{"pending removes in time are not counted", "tokens.go", "ok = ok && n > i", "ok = ok && n >= -i"},
	{"all pending removes are in time", "tokens.go", "return !ok\n", "return ok && !ok\n"},
	{"online lock: none may stay", "online_lock.go", "mayStay = 1", "mayStay = 0"},
	{"pending removes of a lock are not counted", "holders.go", "more > 0 {", "false {"},
	{"one more of a lock may stay than may", "holders.go", "more := -mayStay", "more := -1 - mayStay"},
	{"bag: pending removes ignored", "bag.go", "\tb.assign()\n", ""},
	{"the shortest prefix is one too long", "prefix.go", "for high-low > 1 && !ended {", "for high-low > 2 && !ended {"},
}

// TestMutants runs the tests with each fault put in: they must fail. It takes
// minutes and is for the night.
func TestMutants(t *testing.T) {
	if !testsize.Nightly() {
		t.Skip("takes an hour: set ADTINFER_NIGHTLY=1")
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
	cmd := exec.Command("go", "test", "-overlay", overlay, "-vet=off", "-failfast", "-timeout=2m", "-run", "TestAgainstModels|TestAgainstTwins|TestCases|TestStealTokens|TestManyTokens|TestPriorityCases|TestPeekCases|TestOnline|TestDeletion|TestGapSet|TestDescending", ".")
	cmd.Env = append(os.Environ(), "ADTINFER_NIGHTLY=", "ADTINFER_LONG=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

package batch

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// mutants are deliberate faults: a text of a file, and what to put there.
var mutants = []struct{ name, file, from, to string }{
	{"values that overtake compared with the wrong end", "queue.go", "q.cover[m.as] > m.re ", "q.cover[m.as] > m.rs "},
	{"values taken by pending removes in another order", "queue.go", "q.values[v-1].rs, tokens = tokens[0], tokens[1:]", "q.values[v-1].rs, pending = pending[len(pending)-1], pending[:len(pending)-1]"},
	{"pending removes of a queue ignored", "queue.go", "len(q.pending) == 0 ||", "true ||"},
	{"a gap is in the core that ends before it", "container.go", "k.cover[g] <= int32(g)", "k.cover[g] < int32(g)"},
	{"one gap too few for empty removes", "container.go", "k.last[c.Ret[e]-1] >= c.Call[e] ||", "k.last[c.Ret[e]-1] > c.Call[e] ||"},
	{"pending adds never count", "container.go", "case Add, MaybeAdd:", "case Add:"},
	{"values left cannot be removed last", "container.go", "m.rs, m.re = k.n+1, k.n+2", "m.rs, m.re = k.n+1, k.n+1"},
	{"removed before added, by the call", "container.go", "case m.re < m.as:", "case m.rs < m.as:"},
	{"removed twice is all right", "container.go", "if m.rs != 0 {", "if false {"},
	{"values beside others are constraints", "elimination.go", "m.as != 0 && m.ae < m.rs", "m.as != 0 && m.ae < m.re"},
	{"the bottom is added within", "elimination.go", "p.values[v].as < e, p.values", "p.values[v].ae <= e, p.values"},
	{"the bottom is removed within", "elimination.go", "p.values[v].re > s\n", "p.values[v].rs >= s\n"},
	{"values of other parts are marked", "elimination.go", "c.e < p.values[ev/4].rs && p.values[ev/4].rs <= s", "true"},
	{"the larger part does not read what its end moved over", "elimination.go", "\tp.moveLeft(c, e)\n\tp.moveRight(c, s)\n", "\tc.e, c.s = e, s\n"},
	{"a hole is seen where there is none, from the right", "elimination.go", "\t\t\t\tnear = prev\n", "\t\t\t\t_ = prev\n"},
	{"a hole is seen where there is none", "elimination.go", "\t\t\tfar = next\n", "\t\t\t_ = next\n"},
	{"the right end does not move", "elimination.go", "p.moveRight(c, p.values[c.lastR].rs)", "c.s = p.values[c.lastR].rs"},
	{"pending removes of a stack ignored", "pending.go", "if len(s.pending) == 0 || !s.alone(c)", "if !s.peeks.any || !s.alone(c)"},
	{"more values than pending removes in time", "deadlines.go", "sum > int32(t)+1 {", "sum > int32(t)+2 {"},
	{"no choice is changed", "deadlines.go", "s.blameOthers(&x) && s.choose(x)", "false"},
	{"the next call is in time, too", "deadlines.go", "return k.pending[t] > at", "return k.pending[max(t-1, 0)] > at"},
	{"values to blame are forgotten", "deadlines.go", "x.blamed = append(x.blamed, v)", "_ = v"},
	{"one value to blame is forgotten", "deadlines.go", "\treturn any\n", "\tx.blamed = x.blamed[:max(1, len(x.blamed))-1]\n\treturn any\n"},
	{"what was moved is to blame for what follows", "deadlines.go", "s.blamed, x.old = x.moved, nil", "s.blamed, x.old = nil, nil"},
	{"a pass that chose something is the last one", "deadlines.go", "a == Linearizable && !s.moved", "a == Linearizable"},
	{"what was left of a prefix is all that is left of longer ones", "stack.go", "c && n < s.rest.n {", "c {"},
	{"what was left of some values is all that is left", "stack.go", "if s.only == nil && !s.peeks.any {", "if !s.peeks.any {"},
	{"a value is in only where it was seen", "stack.go", "left = append(left, v)\n", "_ = left\n"},
	{"all pending removes are alike", "columns.go", "return c.Within(to)-c.Within(from) == int(to-from)", "return true"},
	{"a shorter prefix without what is pending there", "witness.go", "ops := all.Ops(c, w.guess)", "ops := all.Ops(c, n)"},
	{"out while perhaps in", "set.go", "if l.a < call && ret < l.r {", "if l.as < call && ret < l.r {"},
	{"pending removes of a set ignored", "set.go", "l.rs, l.re = l.tryRemove, n+2", "l.rs, l.re = 0, n+2"},
	{"seen after it was removed", "set.go", "case l.re < l.r:", "case false:"},
	{"seen before it was added", "set.go", "case l.a < l.as || l.re < l.as:", "case l.re < l.as:"},
	{"reads of nothing ignored", "register.go", "if nothingOp >= 0 {", "if false {"},
	{"unread pending writes count", "register.go", "case k.first > n && !k.seen:", "case false:"},
	{"backward zones fit anywhere", "zones.go", "f != 0 && x.from < z.zones[f-1].to", "false"},
	{"backward zones compared with the wrong end", "zones.go", "f := z.latest[x.to]\n", "f := z.latest[x.from]\n"},
	{"forward zones may overlap", "zones.go", "z.zones[current-1].to > z.zones[i-1].from", "false"},
	{"holders left are taken in order", "giving.go", "g.alike != nil && g.alike(t)", "true"},
	{"a holder seen after it was removed", "lock.go", "case h.re < h.last:", "case false:"},
	{"holders left do not clash with others", "lock.go", "return z.to < x.limit", "return true"},
	{"a pending lock that was seen is no holder", "lock.go", "case h.first == 0 && h.rs == 0 && (h.as", "case h.rs == 0 && (h.as"},
	{"followed: the deadline is not looked at", "../follow/queue.go", "x.deadline != 0 && call > x.deadline", "false"},
	{"followed: values without a pending remove", "../follow/queue.go", "i >= len(q.pending) || q.pending[i] > x.deadline", "i < len(q.pending) && q.pending[i] > x.deadline"},
	{"followed: certain at once", "../follow/queue.go", "q.open[i].gap >= q.first.ae", "q.open[i].gap >= q.now"},
	{"followed: the core is left out", "../follow/queue.go", "q.covered = q.covered.plus(x.ae, call)", "_ = to"},
	{"followed: open operations miss a core", "../follow/queue.go", "from, to = min(call, x.ae), max(call, x.ae)", "_ = to"},
	{"followed: forgotten too early", "../follow/queue.go", "q.covered.after(since)", "q.covered.after(max(since, q.now))"},
	{"followed: deadlines after the call are not looked at", "../follow/queue.go", "x.deadline >= call", "x.deadline >= q.now"},
	{"followed: gaps that a pending remove opened stay", "../follow/queue.go", "return q.decide(call, call, q.now)", "return q.decide(call, q.now, q.now)"},
	{"followed: values in the list count twice", "../follow/queue.go", "q.ends.remove(x.ae)", "_ = x.ae"},
	{"followed set: missed although perhaps out", "../follow/set.go", "x.a != 0 && x.a < call && x.missed == 0", "x.a != 0 && x.missed == 0"},
	{"followed set: the last pending operation counts", "../follow/set.go", "p.n == 1 {", "true {"},
	{"followed set: there is no second pending operation", "../follow/set.go", "p.first = s.running[i].at", "p.first = 0"},
	{"followed set: seen after it was removed", "../follow/set.go", "x.re != 0 && x.re < x.last", "false"},
	{"followed register: no deadlines for the initial value", "../follow/register.go", "ok := r.nothing.limit(x)", "ok := true"},
	{"followed register: forgotten at the deadline", "../follow/register.go", "!r.calls.before(r.late[n].deadline)", "true"},
	{"followed register: deadlines never move", "../follow/register.go", "r.late[after-1].deadline > x.f", "false"},
	{"followed register: deadlines are not in order", "../follow/register.go", "cmp.Compare(y.deadline, z.deadline)", "cmp.Compare(z.deadline, y.deadline)"},
	{"followed lock: forgotten when it is removed", "../follow/lock.go", "!k.calls.before(k.over[n].re)", "true"},
	{"followed lock: deadlines never move", "../follow/lock.go", "k.late[after-1].deadline > f", "false"},
	{"followed lock: its own deadline is not looked at", "../follow/lock.go", "!x.keeps(x.rs) {\n\t\t\treturn", "false {\n\t\t\treturn"},
	{"followed lock: deadlines are not in order", "../follow/lock.go", "slices.SortFunc(k.late[after:], func(y, z *lockValue) int { return cmp.Compare(y.deadline, z.deadline) })", "_ = cmp.Compare[int]"},
	{"followed lock: a call that is given twice", "../follow/lock.go", "!given[call]", "true"},
	{"followed lock: a call that returned stays given", "../follow/lock.go", "if x.rs == call {", "if false {"},
	{"followed lock: what stays reaches as far as before", "../follow/lock.go", "x.fits(k.left) && y.fits(k.left)", "true"},
	{"followed lock: what is given is not looked at again", "../follow/lock.go", "x.re == 0 && !x.fits(k.left) && !k.take(x)", "x.re == 0 && x.rs == 0 && !k.take(x)"},
	{"followed lock: values left do not clash", "../follow/lock.go", "y != x && f < y.to(y.rs)", "y != x && f < 0"},
	{"followed lock: deadlines are not kept", "../follow/lock.go", "x.deadline == 0 || x.to(rs) <= x.deadline", "true"},
	{"followed bag: values leave in order", "../follow/queue.go", "!q.bag && q.fresh", "q.fresh"},
	{"segments: cut anywhere", "container.go", "for k.cover[gap] > gap {", "for false {"},
	{"segments: peeks that run do not matter", "../follow/segments.go", "i >= 0 && s.looks && s.c.Open[i] == batch.None", "false"},
	{"segments: what finds nothing is forgotten", "../follow/segments.go", "return s.c.Call[i] > gap\n\tcase", "return false\n\tcase"},
	{"segments: what runs is forgotten", "../follow/segments.go", "return !s.gone[v] || s.cutter.Side(v) > gap", "return s.cutter.Side(v) > gap"},
	{"segments: the end is not decided", "../follow/segments.go", "if s.checked == s.c.Events {", "if true {"},
	{"priorities: equal ones are higher", "priority.go", "c.Priority[ranked[n]] == c.Priority[ranked[0]]", "false"},
	{"priorities: removed although what saw it came later", "priority.go", "} else if g > from {", "} else if false {"},
	{"priorities: seen at any time", "priority.go", "if g >= c.Ret[op] {", "if false {"},
	{"priorities: a shorter prefix is a violation", "priority.go", "least: f.at}", "least: f.at + 1}"},
	{"priorities: the lowest digit only", "priority.go", "shift := 0; shift < width; shift += digit", "shift := 0; shift < min(width, digit); shift += digit"},
	{"priorities: lower values must have been taken", "priority.go", "c.Priority[v] > c.Priority[low]", "c.Priority[v] < c.Priority[low]"},
	{"gaps: one too many is taken out", "gapset.go", "gone &= 1<<(uint(to)%64) - 1", "gone &= 1<<(uint(to)%64+1) - 1"},
	{"gaps: words above are not emptied", "gapset.go", "if s.levels[k][at] != 0 || k+1", "if true || k+1"},
	{"queue peeks: ends of zones are not moved", "queue_peeks.go", "\tx.move(q.n)\n", ""},
	{"queue peeks: the order of zones alone", "queue_peeks.go", "min(q.values[v].ae, q.peeked.f[v])", "q.peeked.f[v]"},
	{"queue peeks: nothing can be taken earlier", "queue_peeks.go", "m.re > q.n && before > 0", "false"},
	{"stack peeks: the value itself is in the way", "stack.go", "if w != v {", "if true {"},
	{"stack peeks: whoever is below was on top", "looks.go", "s, e, stuck = from, to, true", "_, _ = from, to"},
	{"stack peeks: what has no gap yet is forgotten", "elimination.go", "append(p.ready, c.waiting...), nil", "p.ready, nil"},
	{"stack peeks: what waits is forgotten in parts", "elimination.go", "if e <= p.values[v].ae && p.values[v].ae < s {", "if false {"},
	{"stack peeks: cores that move count as before", "looks.go", "if to == l.cores[v].rs {", "if true {"},
	{"stack peeks: what leaves counts", "looks.go", "if !stuck {", "if false {"},
	{"stack peeks: what saw a value is not undone", "stack.go", "stuck := s.looks.unseen(v); stuck", "stuck := s.looks.unseen(v); false && stuck"},
	{"peeks: a core ends with the remove's call", "container.go", "max(m.rs, last)", "max(m.rs, last*0)"},
	{"table: enclosed the other way round", "../lives/table.go", "{t.Encloses[t.At(w, v)], otherEncloses}", "{t.Encloses[t.At(v, w)], otherEncloses}"},
	{"table: orders that overlap are impossible", "../lives/table.go", "at.S >= latest", "at.S+1 >= latest"},
	{"table: bounds end too early", "../lives/narrow.go", "e = min(e, ops[k].E)", "e = min(e, ops[k].E-1)"},
	{"table: what came later is in nobody's way", "../lives/sweep.go", "o&otherOvertaken == 0 && r.seq[t-1] > r.seq[v]", "false"},
	{"table: the contrary is not tried", "../lives/search.go", "!slices.Contains(s.roots, half.v) ||", "true ||"},
	{"table: what narrowed a value is not to blame", "../lives/trail.go", "add(why[k].by)", "_ = why[k].by"},
	{"table: what was supposed is not taken back", "../lives/trail.go", "x.of[x.at] = x.old", "_ = x.old"},
	{"table: one pending remove too few", "../lives/tokens.go", "inTime <= i {", "inTime <= i+1 {"},
	{"table: what finds nothing may come at any time", "table_container.go", "append(d.sorted(), d.covered(c)...)", "d.sorted()"},
	{"table: parts are cut one gap early", "table_container.go", "i > from && high < side", "i > from && high <= side+1"},
	{"linearizations: no operation finds nothing in time", "linearizer.go", "g = cuts[next].gap", "_ = g"},
	{"linearizations: values left come first", "queue_peeks.go", "\t\tif m.rs > q.n { // it stays", "\t\tif false { // it stays"},
	{"linearizations: priorities within a gap", "priority.go", "x.add[v] != x.remove[v]", "true"},
	{"linearizations: the front by the adds alone", "queue_peeks.go", "x.l[last[0]] <= x.f[first[0]]", "true"},
	{"linearizations: what saw the top comes first", "stack.go", "peeks[0].gap < p.from(part[0])", "true"},
	{"linearizations: pending removes behind values that stay", "linearizer.go", "(stay ||", "(stay && false ||"},
	{"followed lock: none may stay", "../follow/lock.go", "g.MayStay = 1", "g.MayStay = 0"},
	{"pending removes of a lock are not counted", "giving.go", "more > 0 {", "false {"},
	{"one more of a lock may stay than may", "giving.go", "more := -g.MayStay", "more := -1 - g.MayStay"},
	{"bag: pending removes ignored", "queue.go", "\tb.assign()\n", ""},
	{"the shortest prefix is one too long", "witness.go", "for high-low > 1 && !ended {", "for high-low > 2 && !ended {"},
}

// TestMutantsApply: each fault can be put in, at one place.
func TestMutantsApply(t *testing.T) {
	for _, m := range mutants {
		text, err := os.ReadFile(m.file)
		if n := strings.Count(string(text), m.from); err != nil || n != 1 {
			t.Errorf("%s: %v; %s has %q %d times", m.name, err, m.file, m.from, n)
		}
	}
}

// TestMutants runs the tests with each fault put in: they must fail. It takes
// minutes and is for the night.
func TestMutants(t *testing.T) {
	testsize.NeedsNightly(t, "takes an hour")
	for i, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			text, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
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
	mutant, overlay := filepath.Join(dir, filepath.Base(file)), filepath.Join(dir, "overlay.json")
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
	cmd := exec.Command("go", "test", "-overlay", overlay, "-vet=off", "-failfast", "-timeout=2m", "-run", "TestAgainstModels|TestAgainstTwins|TestTaken|TestBlamed|TestManyPending|TestCases|TestStealTokens|TestManyTokens|TestPriorityCases|TestPeekCases|TestFollowers|TestRegisterTwin|TestTableContainer|TestGapSet|TestWithRemoves|TestRest|TestLeast|TestDescending", ".", "../follow")
	cmd.Env = append(os.Environ(), "ADTINFER_NIGHTLY=", "ADTINFER_LONG=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

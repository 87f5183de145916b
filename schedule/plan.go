package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// strategy says who has the next turn; see internal/patch/files/runtime.go.txt.
type strategy int

const (
	follow  strategy = iota // the choices of a list
	random                  // a random walk
	pct                     // priorities that change at few places: Burckhardt et al., ASPLOS 2010
	pos                     // priorities drawn anew after races: Yuan et al., CAV 2018
	toBlock                 // switches only where a goroutine blocks
	inStep                  // all go on step by step: for what needs many goroutines at the same place
)

// A pick is a choice other than the default, which is to go on with the goroutine that runs, or else with the one that has
// waited longest.
type pick struct {
	at uint32 // the number of the decision
	id int    // of the goroutine
}

// run is one schedule: what the test program needs to make it again.
type run struct {
	strategy strategy
	seed     uint64
	depth    int    // of pct: how many orderings a bug may need
	length   uint64 // of pct: steps expected; 0: as many as the longest schedule so far had
	plain    bool   // plain reads and writes are gates, too
	clock    int    // time goes on at one gate of so many; 0: only when all wait
	picks    []pick
	jumps    []uint32 // steps at which time goes on
}

// kind is what says whether schedules are long: some strategies spin, and plain accesses are many.
type kind struct {
	strategy strategy
	plain    bool
}

func (r run) kind() kind { return kind{r.strategy, r.plain} }

// rotation is the schedule of a number. No strategy finds everything, so they take turns; the first schedule is the
// default order. What they are depends on number and seed alone, not on the machine's speed.
func rotation(seed uint64, number int, race bool) run {
	if number == 0 {
		return run{strategy: follow, seed: seed}
	}
	r := turns[(number-1)%len(turns)]
	r.seed = seed + uint64(number)
	if race {
		r.plain = false // the race detector sees plain accesses anyway
	}
	return r
}

var turns = []run{
	{strategy: random},
	{strategy: pct, depth: 3, plain: true},
	{strategy: random, clock: 40},
	{strategy: pct, depth: 2},
	{strategy: random, plain: true},
	{strategy: pos, plain: true},
	{strategy: pct, depth: 3, clock: 100},
	{strategy: toBlock},
	{strategy: random},
	{strategy: pos},
	{strategy: random, plain: true, clock: 40},
	{strategy: pct, depth: 4, plain: true},
	{strategy: inStep},
}

// String is the line of a plan and a part of replay strings.
func (r run) String() string {
	plain := 0
	if r.plain {
		plain = 1
	}
	return fmt.Sprintf("%d %d %d %d %d %d %s %s", r.strategy, r.seed, r.depth, r.length, plain, r.clock, formatPicks(r.picks), formatJumps(r.jumps))
}

func formatPicks(picks []pick) string {
	var b strings.Builder
	for _, p := range picks {
		fmt.Fprintf(&b, "%d:%d,", p.at, p.id)
	}
	return b.String() + "-"
}

func formatJumps(jumps []uint32) string {
	var b strings.Builder
	for _, j := range jumps {
		fmt.Fprintf(&b, "%d,", j)
	}
	return b.String() + "-"
}

// parseRun reads what String wrote.
func parseRun(text string) (r run, err error) {
	f := strings.Fields(text)
	if len(f) != 8 {
		return r, fmt.Errorf("a schedule has 8 parts, and this has %d", len(f))
	}
	var n [6]uint64
	for i := range n {
		if n[i], err = strconv.ParseUint(f[i], 10, 64); err != nil {
			return r, fmt.Errorf("%q is no number", f[i])
		}
	}
	if n[0] > uint64(inStep) || n[4] > 1 || n[2] > 1000 || n[5] > 1<<31 {
		return r, fmt.Errorf("%q is no schedule", text)
	}
	r = run{strategy: strategy(n[0]), seed: n[1], depth: int(n[2]), length: n[3], plain: n[4] == 1, clock: int(n[5])}
	if r.picks, err = parsePicks(f[6]); err != nil {
		return r, err
	}
	r.jumps, err = parseJumps(f[7])
	return r, err
}

func parsePicks(text string) (picks []pick, err error) {
	for s := range strings.SplitSeq(strings.TrimSuffix(text, "-"), ",") {
		if s == "" {
			continue
		}
		at, id, _ := strings.Cut(s, ":")
		a, err := strconv.ParseUint(at, 10, 32)
		i, err2 := strconv.ParseInt(id, 10, 32)
		if err != nil || err2 != nil {
			return nil, fmt.Errorf("%q is no choice of a goroutine (decision:goroutine)", s)
		}
		picks = append(picks, pick{uint32(a), int(i)})
	}
	return picks, nil
}

func parseJumps(text string) (jumps []uint32, err error) {
	for s := range strings.SplitSeq(strings.TrimSuffix(text, "-"), ",") {
		if s == "" {
			continue
		}
		a, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%q is no step", s)
		}
		jumps = append(jumps, uint32(a))
	}
	return jumps, nil
}

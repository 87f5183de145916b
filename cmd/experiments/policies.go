package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/explore"
)

// algorithm is a row of the paper's Figure 6: a package of examples, the model or, by
// default, the reference of sets that it is held against, and the paper's seconds with a
// policy (a) and without (b). Most is the cap on the objects that a goroutine reaches.
type algorithm struct {
	name, dir, model string
	most             int
	a, b             string
}

var algorithms = []algorithm{
	{"Treiber's stack", "treiber", "stack", 6, "0.18", "140.03"},
	{"HSY elimination stack", "verified/hsy", "stack", 4, "83.89", ""},
	{"Two-lock queue", "verified/twolock", "queue", 6, "0.32", "1.80"},
	{"Michael and Scott's queue", "msqueue", "queue", 5, "21.07", "287"},
	{"DGLM queue", "verified/dglm", "queue", 5, "16.99", "500"},
	{"Elimination queue", "verified/elimqueue", "queue", 4, "105.56", ""},
	{"Herlihy and Wing's queue", "verified/herlihywing", "queue", 0, "", "6.99"},
	{"Hand-over-hand set", "verified/handoverhand", "", 0, "1.51", ""},
	{"Optimistic set", "verified/optimistic", "", 0, "60.43", ""},
	{"Lazy set", "verified/lazy", "", 0, "289", ""},
	{"O'Hearn et al.'s set", "verified/hindsight", "", 0, "12.01", ""},
	{"Vechev's set, CAS", "verified/vechevcas", "", 0, "24.01", ""},
	{"Vechev's set, DCAS", "verified/vechevdcas", "", 0, "16.02", ""},
	{"Harris's set", "verified/harris", "", 0, "1512", ""},
	{"Michael's set", "verified/michael", "", 0, "110", ""},
	{"Lock-free set", "verified/lockfree", "", 0, "462.01", ""},
	{"Unordered set", "verified/unordered", "", 4, "2301", ""},
	{"CCAS", "verified/ccas", "Flagged(1)", 0, "0.04", ""},
	{"RDCSS", "verified/rdcss", "Controlled(1, 1)", 0, "0.26", ""},
}

func (a *algorithm) options() explore.Options {
	o := explore.Options{Dir: filepath.Join("examples", a.dir), Workers: 1}
	switch {
	case a.model == "":
		o.Reference = "examples/verified/set"
	case strings.HasSuffix(a.model, ")"): // a constructor of the reference
		o.Reference, o.ReferenceNew = "examples/verified/cas", "New"+a.model
		o.New = "New" + a.model[strings.IndexByte(a.model, '('):]
	default:
		o.Model = a.model
	}
	if a.dir == "treiber" {
		o.Type, o.New = "Stack", "New()"
	}
	return o
}

// policies proves the algorithms by their policies, and explores those without that the
// paper has.
func policies(ctx context.Context, r *report) error {
	limit := at(r.size, [3]time.Duration{20 * time.Second, 2 * time.Minute, time.Hour})
	r.section("Figure 6(a)", "`adtinfer explore --policy -n any` proves the policy in the code for any number of goroutines and operations, as the paper's tool\n"+
		"does, but for two values instead of any, and as long as a goroutine reaches no more than so many objects (cap). Unproved\n"+
		"says nothing of the algorithm. The paper's times are of a 2.8 GHz desktop. One processor; loading the package counts.")
	within := at(r.size, [3]explore.Bounds{{Threads: 2, Operations: 1, Values: 1}, {Threads: 3, Operations: 2, Values: 1}, {Threads: 3, Operations: 2, Values: 1}})
	var proofs, explored [][]string
	p := plot{title: "Proofs of linearization policies", x: "row of the table", y: "seconds", logY: true, series: []series{{name: "adtinfer"}, {name: "paper"}}}
	for i := range algorithms {
		a := &algorithms[i]
		if a.a != "" && (r.size != seconds || len(proofs) < 2) {
			o := a.options()
			o.Policy, o.AnyThreads, o.Cap, o.Bounds = true, true, a.most, explore.Bounds{Values: 2}
			row, took, err := exploration(ctx, o, limit)
			if err != nil {
				return err
			}
			most := ""
			if a.most > 0 {
				most = fmt.Sprint(a.most)
			}
			var theirs float64
			_, _ = fmt.Sscan(a.a, &theirs)
			n := float64(len(proofs))
			p.ticks = append(p.ticks, fmt.Sprint(len(proofs)+1))
			p.series[0].points = append(p.series[0].points, point{x: n, y: took.Seconds()})
			p.series[1].points = append(p.series[1].points, point{x: n, y: theirs})
			proofs = append(proofs, append(append([]string{a.name}, row...), most, a.a))
		}
		if a.b != "" {
			o := a.options()
			o.Bounds = within
			row, _, err := exploration(ctx, o, limit)
			if err != nil {
				return err
			}
			explored = append(explored, append(append([]string{a.name}, row...), a.b))
		}
	}
	r.proofs(proofs, p.series[0].points)
	r.table([]string{"algorithm", "verdict", "views", "time", "cap", "paper, s"}, proofs)
	r.picture("figure6", p)
	r.section("Figure 6(b)", "Without a policy: all interleavings of %v, where the paper's tool needs no bounds.", within)
	r.table([]string{"algorithm", "verdict", "states", "time", "paper, s"}, explored)
	return nil
}

// proofs says how many there are, and how long they take.
func (r *report) proofs(rows [][]string, times []point) {
	proved, least, most := 0, time.Hour, time.Duration(0)
	for i, row := range rows {
		if row[1] == string(explore.Proved) {
			took := time.Duration(times[i].y * float64(time.Second))
			proved, least, most = proved+1, min(least, took), max(most, took)
		}
	}
	r.finding("Proofs of linearization policies", "18, in 0.04 to 2301 s", fmt.Sprintf("%d of %d, in %s to %s", proved, len(rows), short(least), short(most)))
}

// exploration is one run: verdict, states or views, and time.
func exploration(ctx context.Context, o explore.Options, limit time.Duration) (row []string, took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	res, err := explore.Run(ctx, o)
	took = time.Since(start)
	switch {
	case err != nil && errors.Is(err, context.DeadlineExceeded):
		return []string{"late", "", short(took)}, took, nil
	case err != nil:
		return nil, 0, fmt.Errorf("%s: %w", o.Dir, err)
	}
	return []string{string(res.Verdict), fmt.Sprint(res.States), short(took)}, took, nil
}

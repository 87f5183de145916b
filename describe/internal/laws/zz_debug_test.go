package laws

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/reference"
)

func TestDebug(t *testing.T) {
	names := os.Getenv("TYPES")
	for _, half := range strings.Fields(os.Getenv("HALVES")) {
		each(t, half, func(n string) bool { return strings.Contains(" "+names+" ", " "+n+" ") }, func(t *testing.T, name string, impl reference.Implementation, o Options) {
			w, err := newWorld(t.Context(), impl)
			if err != nil {
				t.Skip(err)
			}
			defer w.space.Close()
			w.literals = o.Literals
			l := &learner{w: w, o: o}
			if err := l.begin(); err != nil {
				t.Fatal(err)
			}
			at := time.Now()
			if err := l.split(); err != nil {
				t.Fatal(err)
			}
			t.Logf("RESULT %s split in %.1fs", name, time.Since(at).Seconds())
			for _, f := range l.firsts {
				t.Log("  FIRST", f.name, f.params, l.firstOf(f))
			}
			at = time.Now()
			closed := os.Getenv("OPEN") == ""
			f, err := l.stage(firsts, closed)
			for range 3 {
				if f != nil && !f.Closed && l.more() {
					t.Log("MORE")
					for _, f := range l.firsts {
						t.Log("  FIRST", f.name, f.params, l.firstOf(f))
					}
					f, err = l.stage(firsts, closed)
				}
			}
			t.Logf("RESULT %s stage in %.1fs closed %v %s %v work %d", name, time.Since(at).Seconds(), f != nil && f.Closed, f.Why, err, w.work)
			if f.Set != nil {
				t.Log("\n" + shown(f))
			}
			for o := range l.all {
				t.Log("ALL", l.all[o].name, slices.Contains(l.base, o), l.derived[o] != nil, l.start[o] != nil)
			}
			for o, p := range l.start {
				if !p.law.Total() {
					t.Log("MISSING start", l.all[o].name, p.law.String())
				}
			}
			for k, p := range l.after {
				if !p.law.Total() {
					t.Log("MISSING", l.all[k[1]].name, "after", w.methods[k[0]].Name, p.law.String())
				}
			}
		})
	}
}

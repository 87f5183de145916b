package laws

import (
	"slices"
	"testing"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestThreshold: a threshold is the least value of its parameter from which on a method
// answers its word, as a linear scan finds it.
func TestThreshold(t *testing.T) {
	quick := []string{"cooldown", "renewlease", "piggy"}
	for half, names := range map[string][]string{"second": {"silence", "sessions", "lease"}, "timed": {"ttlcache", "cooldown", "alarmclock", "renewlease", "piggy", "debounce"}} {
		some := func(name string) bool {
			return slices.Contains(names, name) && (testsize.Long() || slices.Contains(quick, name))
		}
		each(t, half, some, func(t *testing.T, name string, impl reference.Implementation, o Options) {
			l, _ := begun(t, impl, o)
			us, err := l.untils()
			if err != nil || len(us) == 0 {
				t.Fatal("no thresholds: ", err)
			}
			compared := 0
			for _, u := range us {
				compared += l.scanned(t, u)
			}
			if t.Logf("%d thresholds of %d observers are numbers", compared, len(us)); compared < 2 {
				t.Error("those are too few to tell")
			}
		})
	}
}

// TestTimed: laws of types that take times as arguments are closed, and right. What piggy
// remembers is a threshold, and nothing else can be seen of it.
func TestTimed(t *testing.T) {
	closed := []string{"cooldown", "debounce", "piggy", "renewlease"}
	some := func(name string) bool { return name == "piggy" || testsize.Long() && slices.Contains(closed, name) }
	each(t, "timed", some, func(t *testing.T, name string, impl reference.Implementation, o Options) {
		f, err := Learn(t.Context(), impl, o)
		if err != nil || !f.Closed {
			t.Fatalf("%v: %s\n%s", err, f.Why, shown(f))
		}
		if n, wrong := replayed(t, impl, o.Literals, written(t, f), 20_000); wrong != "" {
			t.Errorf("after %d answers: %s\n%s", n, wrong, shown(f))
		}
		if name != "piggy" {
			return
		}
		for _, u := range f.Document().Observers {
			if u.Least == "price" || u.Least == "n" {
				return
			}
		}
		t.Error("there is no threshold:\n", shown(f))
	})
}

// scanned compares a threshold with a linear scan, in some states, and counts the numbers.
func (l *learner) scanned(t *testing.T, u *observer) (numbers int) {
	t.Helper()
	const most = 400 // what is farther is not scanned
	w := l.w
	for i := 0; i < len(l.first); i += max(1, len(l.first)/12) {
		at := &l.first[i]
		for _, args := range l.arguments(u, at)[:1] {
			var got eq.Value
			var says []bool
			if err := w.fill(func() {
				got, _ = w.see(at.to, u, args)
				says = says[:0]
				for n := int64(-most); n <= most; n++ {
					c, fits := w.call(u.method, slices.Insert(slices.Clone(args), u.from.param, eq.IntOf(n)))
					if !fits {
						return
					}
					if s, ok := w.step(at.to, c); ok {
						says = append(says, w.says(w.answer(u.method, s.answer)[u.part], u.from.word))
					}
				}
			}); err != nil {
				t.Fatal(err)
			}
			if len(says) == 0 {
				if got != eq.Undefined {
					t.Errorf("%s%v is %s of what is no argument", u.name, textsOf(w.store, args), w.store.Text(got))
				}
				continue
			}
			first := slices.Index(says, true)
			if first >= 0 && slices.Contains(says[first:], false) {
				t.Fatalf("%s%v is no threshold: %v", u.name, textsOf(w.store, args), says)
			}
			want := "never"
			switch {
			case first == 0:
				want = "always"
			case first > 0:
				want = w.store.Text(eq.IntOf(int64(first) - most))
			}
			far := got.IsInt() && (got.Int() > most || got.Int() <= -most)
			if text := w.store.Text(got); text != want && !far {
				t.Errorf("%s%v is %s, a scan says %s", u.name, textsOf(w.store, args), text, want)
			}
			if got.IsInt() && !far {
				numbers++
			}
		}
	}
	return numbers
}

// TestBetween: the search for a threshold ends, whatever the range.
func TestBetween(t *testing.T) {
	for _, r := range [][2]int64{{-large, large}, {0, 255}, {-128, 127}, {-farthest, farthest}} {
		for want := r[0] + 1; want <= r[1]; want += max(1, (r[1]-r[0])/997) {
			lo, hi, n := r[0], r[1], 0
			for ; lo+1 < hi && n < 100; n++ {
				if mid := between(lo, hi); mid <= lo || mid >= hi {
					t.Fatalf("between %d and %d: %d", lo, hi, mid)
				} else if mid >= want {
					hi = mid
				} else {
					lo = mid
				}
			}
			if hi != want {
				t.Fatalf("%d of %v is found as %d", want, r, hi)
			}
		}
	}
}

package laws

import (
	"slices"
	"testing"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// effects are the problems of what answers are after methods, with examples and what terms
// are made of.
func effects(t *testing.T, name string, make any) (l *learner, all []*problem) {
	t.Helper()
	l, _ = begunOf(t, name, make)
	l.all = l.observers(answers)
	l.base = l.byRank(l.all)
	for o := range l.all {
		for m := range l.w.methods {
			p := l.effect(m, o)
			var err error
			if p.rows, err = l.effectRows(m, o, l.first); err != nil {
				t.Fatal(err)
			}
			if err := p.makeAtoms(); err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
	}
	return l, all
}

// TestTorn: examples are torn just if two of them differ in the target, and in no column, and
// then there is no law of them.
func TestTorn(t *testing.T) {
	torn, whole := 0, 0
	for _, tt := range specs {
		switch tt.name {
		case "bank", "allowance", "scrambled", "recent":
		default:
			continue
		}
		_, all := effects(t, tt.name, tt.new)
		for _, p := range all {
			is := false
			for i, r := range p.rows {
				for k, q := range p.rows[:i] {
					is = is || r.target != q.target && !slices.ContainsFunc(p.atoms, func(c *column) bool { return c.v[i] != c.v[k] })
				}
			}
			if p.torn() != is {
				t.Errorf("%s: torn: %v, want %v", tt.name, !is, is)
			}
			if !is {
				whole++
				continue
			}
			torn++
			if err := p.find(); err != nil || p.law.Total() {
				t.Errorf("%s: a law of what is torn: %v, %v", tt.name, p.law, err)
			}
		}
	}
	if torn < 3 || whole < 3 {
		t.Errorf("%d torn, %d not", torn, whole)
	}
}

// TestGaping: what an allowance hides no count of calls tells, but an earlier call does.
func TestGaping(t *testing.T) {
	l, _ := begunOf(t, "allowance", func() *allowance { return &allowance{limit: 5} })
	if f, err := l.stage(answers, true); err != nil || f.Closed || l.gap.observer == nil {
		t.Fatal(f, err, l.gap)
	}
	of := func(s stage, gapes bool) {
		l.all, l.whole = l.observers(s), true
		l.derived, l.start, l.after = map[int]*problem{}, map[int]*problem{}, map[[2]int]*problem{}
		if got, err := l.gaping(); got != gapes || got != (err == errOpen) {
			t.Errorf("stage %d gapes: %v, want %v: %v", s, got, gapes, err)
		}
	}
	of(answers, true)
	if err := l.offer(firsts); err != nil {
		t.Fatal(err)
	}
	of(firsts, false)
	for s := counted; s < special; s++ {
		more := false
		for _, o := range l.observers(s) {
			more = more || !slices.ContainsFunc(l.observers(s-1), func(p *observer) bool { return p.name == o.name })
		}
		if l.offersMore(s) != more {
			t.Errorf("stage %d offers more: %v", s, !more)
		}
	}
}

// TestLonger: columns that are made longer are those that the longer examples have, and what
// law they give is right in all.
func TestLonger(t *testing.T) {
	l, all := effects(t, "bank", specs[0].new)
	some := 0
	for _, p := range all {
		rows, few := p.rows, len(p.rows)/3
		if few < 10 {
			continue
		}
		p.atoms, p.rows = nil, rows[:few]
		if err := p.find(); err != nil {
			t.Fatal(err)
		}
		if p.rows = rows; !p.law.Total() {
			continue
		}
		old := slices.Clone(p.terms)
		if err := p.longerColumns(); err != nil {
			t.Fatal(err)
		}
		for _, term := range old {
			n := 0
			for i := range rows {
				v, _ := p.eval(term.e, &rows[i])
				if right := v == rows[i].target && v != eq.Undefined; v != term.v[i] || right != term.right.has(i) {
					t.Fatalf("%v is %s in row %d, want %s", term.e, l.w.store.Text(term.v[i]), i, l.w.store.Text(v))
				} else if right {
					n++
				}
			}
			if n != term.n {
				t.Errorf("%v is right %d times, want %d", term.e, term.n, n)
			}
			some++
		}
		if err := p.find(); err != nil {
			t.Fatal(err)
		}
		if wrong, err := p.wrong(rows); err != nil || len(wrong) > 0 {
			t.Error(wrong, err)
		}
	}
	if some < 20 {
		t.Errorf("%d terms", some)
	}
}

// TestArguments: examples do not depend on what was asked for before.
func TestArguments(t *testing.T) {
	l, _ := begunOf(t, "bank", specs[0].new)
	all := l.observers(answers)
	of := func(o *observer) (out [][][]eq.Value) {
		for i := range l.first {
			out = append(out, l.arguments(o, &l.first[i]))
		}
		return out
	}
	was := of(all[1])
	of(all[0])
	same := func(a, b [][]eq.Value) bool { return slices.EqualFunc(a, b, slices.Equal) }
	if !slices.EqualFunc(was, of(all[1]), same) {
		t.Error("they do")
	}
	if slices.EqualFunc(was[1:], was[:len(was)-1], same) {
		t.Error("they are the same everywhere")
	}
}

package laws

import (
	"testing"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// TestByIndex: a list by index is what a loop over the indices of the object finds.
func TestByIndex(t *testing.T) {
	l, runs := begunOf(t, "playlist", func() *playlist { return &playlist{} })
	all, err := l.byIndex()
	if err != nil || len(all) != 1 || all[0].name != "all_track" || all[0].last != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	long := 0
	for _, r := range runs {
		p := &playlist{}
		for _, x := range r.path {
			n := func(i int) int { return int(x.args[i].Int()) }
			switch l.w.methods[x.method].GoName {
			case "Insert":
				p.Insert(n(0), l.w.store.TextOf(x.args[1]))
			case "Move":
				p.Move(n(0), n(1))
			}
			var want []eq.Value
			for i := 1; ; i++ {
				track, ok := p.Track(i)
				if !ok {
					break
				}
				want = append(want, l.w.store.Plain(eq.Text, track))
			}
			var got eq.Value
			if err := l.w.fill(func() { got, _ = l.w.see(x.to, all[0], nil) }); err != nil {
				t.Fatal(err)
			}
			if got != l.w.store.Compound(eq.List, want) {
				t.Fatalf("%s: it is %s, want %v", textOf(l.w, r.path), l.w.store.Text(got), p.tracks)
			}
			long = max(long, len(want))
		}
	}
	if long < 5 {
		t.Errorf("no list is longer than %d", long)
	}
}

// TestNoIndex: what leaves gaps, or answers a value to any number, is no list.
func TestNoIndex(t *testing.T) {
	for name, make := range map[string]any{
		"tickets": func() *tickets { return &tickets{open: map[int]string{}} },
		"bank":    func() *bank { return &bank{map[string]int{}} },
		"doubler": func() *doubler { return &doubler{} },
	} {
		l, _ := begunOf(t, name, make)
		if all, err := l.byIndex(); err != nil || len(all) > 0 {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
}

type doubler struct{ n int }

func (d *doubler) Set(n int)        { d.n = n }
func (d *doubler) Times(of int) int { return d.n * of }

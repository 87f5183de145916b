package history

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func labelOf(method string, outcome Outcome, args, rets string) Label {
	split := func(s string) (vs []Value) {
		for _, f := range strings.Fields(s) {
			vs = append(vs, Value(f))
		}
		return vs
	}
	return Label{Kind: Kind{method, outcome}, Args: split(args), Rets: split(rets)}
}

// drawn builds the history of labels with the given targets, in sequence.
func drawn(labels []Label, targets ...int) *History {
	var ops []Op
	for i, l := range labels {
		ops = append(ops, Op{Kind: l.Kind, Target: targets[i]})
	}
	return Sequence(ops...)
}

func TestDraw(t *testing.T) {
	readOnly := func(h *History, is ...int) *History {
		for _, i := range is {
			h.Ops[i].ReadOnly = true
		}
		return h
	}
	spans := func(h *History, ends ...int) *History {
		for i := range h.Ops {
			h.Ops[i].Start, h.Ops[i].End = ends[2*i], ends[2*i+1]
		}
		return h
	}
	queue := []Label{labelOf("add", None, "a", ""), labelOf("remove", Nil, "", ""), labelOf("remove", Some, "", "a")}
	lock := []Label{labelOf("lock", Some, "1", "2"), labelOf("lock", Nil, "2", "")}
	put := []Label{labelOf("put", None, "k x", ""), labelOf("put", Some, "k y", "x"), labelOf("size", "full", "", "")}
	register := []Label{
		labelOf("write", None, "a", ""), labelOf("read", Some, "", "a"),
		labelOf("read", Some, "", "b"), labelOf("read", Pending, "", ""),
	}
	tests := []struct {
		name   string
		h      *History
		labels []Label
		want   string
		line   string
	}{
		{
			name: "empty", h: Sequence(),
		},
		{
			name: "sequential", h: readOnly(drawn(queue, 0, 1, 0), 1), labels: queue,
			want: "" +
				"[1:1] add(v1)            #\n" +
				"[2:2] remove => - (RO)    #\n" +
				"[3:1] remove => v1         #\n",
			line: "[1:1] add(v1); [2:2] remove => - (RO); [3:1] remove => v1",
		},
		{
			name: "without labels", h: readOnly(drawn(queue, 0, 1, 0), 1),
			want: "" +
				"[1:1] add                #\n" +
				"[2:2] remove => - (RO)    #\n" +
				"[3:1] remove => value      #\n",
			line: "[1:1] add; [2:2] remove => - (RO); [3:1] remove => value",
		},
		{
			name: "own and target's values", h: readOnly(drawn(lock, 1, 1), 0), labels: lock,
			want: "" +
				"[1:2] lock(v1) => v2 (RO)   #\n" +
				"[2:2] lock(v2) => -          #\n",
			line: "[1:2] lock(v1) => v2 (RO); [2:2] lock(v2) => -",
		},
		{
			name: "several values and a named outcome", h: drawn(put, 0, 0, Unmatched), labels: put,
			want: "" +
				"[1:1] put(v1, v1b)         #\n" +
				"[2:1] put(v1, v2) => v1b    #\n" +
				"[3:X] size => full           #\n",
			line: "[1:1] put(v1, v1b); [2:1] put(v1, v2) => v1b; [3:X] size => full",
		},
		{
			name:   "overlapping and pending",
			h:      spans(readOnly(drawn(register, 0, 0, Unmatched, Unmatched), 1, 2, 3), 0, 5, 2, 3, 4, 8, 6, Never),
			labels: register,
			want: "" +
				"[1:1] write(v1)         ##\n" +
				"[2:1] read => v1 (RO)   #\n" +
				"[3:X] read => v3 (RO)    ##\n" +
				"[4:_] read* (RO)          #\n",
			line: "[1:1] write(v1) @1-2; [2:1] read => v1 (RO) @1; [3:X] read => v3 (RO) @2-3; [4:_] read* (RO) @3-",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Draw(tt.h, tt.labels)); diff != "" {
				t.Errorf("Draw:\n%s", diff)
			}
			if diff := cmp.Diff(tt.line, DrawLine(tt.h, tt.labels)); diff != "" {
				t.Errorf("DrawLine:\n%s", diff)
			}
			for _, src := range []string{tt.want, tt.line} {
				h, labels, err := ParseDrawing(src)
				if err != nil {
					t.Fatal(err)
				}
				if !h.Equal(tt.h) {
					t.Errorf("%s\nreads as %+v, want %+v", src, h, tt.h)
				}
				if again := Draw(h, labels); tt.labels != nil && again != tt.want {
					t.Errorf("drawn again:\n%swant:\n%s", again, tt.want)
				}
			}
		})
	}
}

func TestParseDrawingByHand(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"any blanks", "\n[1:1]   write( a )\r\n\t[7:1]\tread  =>  a  (RO)\n", "[1:1] write(v1); [2:1] read => v1 (RO)"},
		{"columns by hand", "[3:3] add(1)         ####\n[ 7 : 3 ] remove => 1     ##\n\n[4:4] remove => empty   ###",
			"[1:1] add(v1) @1; [2:2] remove => - @1-2; [3:1] remove => v1 @2"},
		{"any identifiers", "[12:5] remove => a; [5:5] add(a)", "[1:2] remove => v2; [2:2] add(v2)"},
		{"one line", "[1:1] add(1); [2:2] remove => nil (RO);", "[1:1] add(v1); [2:2] remove => - (RO)"},
		{"outcome words", "[1:X] has(1) => true; [2:X] pop => error; [3:X] put => full v1, v2", "[1:X] has(v1) => true; [2:X] pop => error; [3:X] put => full v3, v3b"},
		{"columns out of order", "[1:1] a      #\n[2:2] b     #", "[1:1] b; [2:2] a"},
		{"wide characters", "[1:1] gr\u00fc\u00df   #\n[2:2] b        #", "[1:1] gr\u00fc\u00df; [2:2] b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, labels, err := ParseDrawing(tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, DrawLine(h, labels)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseDrawingErrors(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"no head", "\nadd(1)", `2:1: an operation starts with "[id:target]"`},
		{"no id", "[x:1] add", "1:2: expected the operation's identifier"},
		{"huge id", "[99999999999:1] add", "1:2: expected the operation's identifier"},
		{"no target", "[1] add", `1:3: expected ":" and the match target of operation 1`},
		{"bad target", "[1:y] add", "1:4: expected the match target"},
		{"head open", "[1:1 add", `1:6: expected "]"`},
		{"twice", "[1:1] a #\n[1:1] b  #", "2:1: operation 1 is drawn twice; first at 1:1"},
		{"no method", "[1:1]", "1:6: expected the name of a method"},
		{"arguments open", "[1:1] a(1", `1:10: expected "," or ")"`},
		{"empty argument", "[1:1] a(1,)", "1:11: expected a value"},
		{"no result", "[1:1] a =>", `1:11: expected a result`},
		{"pending result", "[1:_] a* => 1", "1:12: a pending operation has no result"},
		{"star without _", "[1:1] a*", "1:4: a pending operation has both"},
		{"_ without star", "[1:_] a", "1:4: a pending operation has both"},
		{"unknown target", "[1:2] a", "1:4: there is no operation 2 to match"},
		{"target elsewhere", "[1:2] a; [2:3] b; [3:3] c", "1:4: operation 2 is a match target here, but at 1:13 it does not match itself"},
		{"target unmatched", "[1:X] a; [2:1] b", "1:13: operation 1 is a match target here, but at 1:4"},
		{"no separator", "[1:1] a [2:2] b", "1:9: two operations on one line"},
		{"columns on one line", "[1:1] a #; [2:2] b  #", "1:21: columns of \"#\" need a line"},
		{"columns missing", "[1:1] a  #\n[2:2] b", "2:1: either all operations show their columns or none does, as the first one at 1:1"},
		{"gap in columns", "[1:1] a  # #", `1:12: unexpected "#"`},
		{"bad span", "[1:1] a @3-2", "1:13: expected columns"},
		{"pending first", "[1:_] a*; [2:2] b", "1:1: nothing can follow a pending operation"},
		{"columns are characters", "[1:1] grüß(1", `1:13: expected "," or ")"`},
		{"rubbish", "[1:1] a => 1 (ro)", `1:14: unexpected "("`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := ParseDrawing(tt.src)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("ParseDrawing(%q) = %v, want %s", tt.src, err, tt.want)
			}
		})
	}
}

// TestDocumentedDrawings: the drawings of docs/formats.md are as Draw and
// DrawLine draw them.
func TestDocumentedDrawings(t *testing.T) {
	doc, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "\n## Drawings\n")
	if !ok {
		t.Fatal("docs/formats.md has no section on drawings")
	}
	blocks := strings.Split(section, "```\n")
	h, labels, err := ParseDrawing(blocks[1])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(blocks[1], Draw(h, labels)); diff != "" {
		t.Error(diff)
	}
	for line := range strings.Lines(blocks[3]) {
		h, labels, err := ParseDrawing(line)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimSpace(line), DrawLine(h, labels)); diff != "" {
			t.Error(diff)
		}
	}
}

// randomLabels gives the ops of h labels with values, some of them shared.
func randomLabels(rng source, h *History) []Label {
	values := func(n int) (vs []Value) {
		for range rng.IntN(n) {
			vs = append(vs, Value("abcdefgh"[rng.IntN(8):][:1]))
		}
		return vs
	}
	var labels []Label
	for _, op := range h.Ops {
		l := Label{Kind: op.Kind, Args: values(3)}
		if op.Outcome == Some {
			l.Rets = append(values(2), "z")
		}
		labels = append(labels, l)
	}
	return labels
}

// TestDrawingRoundTrip: parsing a drawing gives the history back, and drawing
// that gives the drawing back, with and without values, in both forms.
func TestDrawingRoundTrip(t *testing.T) {
	check(t, func(t *rapid.T, rng source) {
		h := randomHistory(rng, rng.IntN(12), 1+rng.IntN(3))
		labels := randomLabels(rng, h)
		if rng.IntN(3) == 0 {
			labels = nil
		}
		if rng.IntN(2) == 0 {
			h, labels = renamed(rng, h), nil
		}
		for _, draw := range []func(*History, []Label) string{Draw, DrawLine} {
			src := draw(h, labels)
			g, parsed, err := ParseDrawing(src)
			if err != nil {
				t.Fatalf("%v in\n%s", err, src)
			}
			if err := g.Validate(); err != nil {
				t.Fatalf("%v in\n%s", err, src)
			}
			if !g.Equal(h) {
				t.Fatalf("%s\nreads as %+v, want %+v", src, g, h)
			}
			if again := draw(g, parsed); again != src {
				t.Fatalf("drawn again:\n%s\nwant:\n%s", again, src)
			}
		}
	})
}

func FuzzParseDrawing(f *testing.F) {
	for _, src := range []string{
		"[1:1] add(v1)   #\n[2:2] remove => - (RO)    #\n",
		"[1:X] remove => v1 ##\n[2:_] read*  #",
		"[1:1] a(x,y) => full v1, v2 @1-2; [2:1] b @2-; [3:_] c* @2-",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		h, labels, err := ParseDrawing(src)
		if err != nil {
			return
		}
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, draw := range []func(*History, []Label) string{Draw, DrawLine} {
			first := draw(h, labels)
			g, parsed, err := ParseDrawing(first)
			if err != nil {
				t.Fatalf("%v in\n%s", err, first)
			}
			if diff := cmp.Diff(h, g); diff != "" {
				t.Fatalf("%s\nreads differently:\n%s", first, diff)
			}
			if second := draw(g, parsed); second != first {
				t.Fatalf("drawn again:\n%s\nwant:\n%s", second, first)
			}
		}
	})
}

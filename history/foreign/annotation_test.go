package foreign

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// annotationsOf are the annotations of a history, each a line.
func annotationsOf(t *testing.T, src string, o Options, methods history.Signature) (lines []string) {
	t.Helper()
	o.Annotate = func(a Annotation) {
		lines = append(lines, fmt.Sprintf("%d %s: %s, line %d", a.At, a.By, a.Text, a.Pos.Line))
	}
	if err := New(strings.NewReader(src), "f", o, methods).Convert(context.Background(), io.Discard, history.Text); err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestAnnotations: whose they are and what they say, in each format that has them.
func TestAnnotations(t *testing.T) {
	methods := methods(t)
	for _, tt := range []struct {
		format    Format
		src, want string
	}{
		{Jepsen, `{:process :nemesis, :type :info, :f :start, :value nil}
{:process 0, :type :invoke, :f :write, :value 1}
{:process :nemesis, :type :info, :f :cut, :value [:n1 #{:n2}]}
{:process 0, :type :ok, :f :write, :value 1}
{:process nil, :type :info, :f :stop}
{:process "clock", :type :info, :f :bump, :value "far"}`,
			"0 nemesis: start, line 1; 1 nemesis: cut [:n1 #{:n2}], line 3; 2 : stop, line 5; 2 clock: bump far, line 6"},
		{Jepsen, `INFO  jepsen.util - :nemesis	:info	:start	nil
INFO  jepsen.util - 0	:invoke	:write	1
INFO  jepsen.util - 0	:ok	:write	1
INFO  jepsen.util - :nemesis	:info	:stop	"all well"`,
			"0 nemesis: start, line 1; 2 nemesis: stop all well, line 4"},
		{ElleCLI, `[{"process": 0, "type": "invoke", "f": "write", "value": 1},
{"process": "nemesis", "type": "info", "f": "start", "value": ["n1"]},
{"process": 0, "type": "ok", "f": "write", "value": 1},
{"process": null, "type": "info", "f": "stop"}]`,
			`1 nemesis: start ["n1"], line 2; 2 : stop, line 4`},
		{Jepsen, `{:process 0, :type :invoke, :f :write, :value 1, :time 50}
{:process :nemesis, :type :info, :f :late, :time 90}
{:process :nemesis, :type :info, :f :early, :time 20}
{:process 0, :type :ok, :f :write, :value 1, :time 60}
{:process 1, :type :invoke, :f :write, :value 2, :time 10}
{:process :nemesis, :type :info, :f :then}
{:process 1, :type :ok, :f :write, :value 2, :time 30}`,
			"1 nemesis: then, line 6; 1 nemesis: early, line 3; 4 nemesis: late, line 2"},
	} {
		if got := strings.Join(annotationsOf(t, tt.src, Options{Format: tt.format}, methods), "; "); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.format, got, tt.want)
		}
	}
}

// TestAnnotationsTwin: an annotation has as many events before it as are before its line, whatever is dropped,
// or before its time, if the lines are not in the order of time.
func TestAnnotationsTwin(t *testing.T) {
	r, methods, annotated := rand.New(rand.NewPCG(4, 9)), methods(t), 0
	for range testsize.Samples(2_000) {
		type line struct {
			text   string
			events int // 1 if it is an event
		}
		var lines []line
		running := make([]bool, 3)
		for n := range 4 + r.IntN(20) {
			p, at := r.IntN(4), fmt.Sprintf(":time %d", 10*n)
			switch {
			case p == 3:
				lines = append(lines, line{fmt.Sprintf("{:process :nemesis, :type :info, :f n%d, %s}", n, at), 0})
				annotated++
			case !running[p]:
				lines = append(lines, line{fmt.Sprintf("{:process %d, :type :invoke, :f :write, :value %d, %s}", p, n, at), 1})
				running[p] = true
			case r.IntN(3) == 0: // it did not happen: neither did its invocation
				lines = append(lines, line{fmt.Sprintf("{:process %d, :type :fail, :f :write, %s}", p, at), 0})
				for i := len(lines) - 2; ; i-- {
					if strings.HasPrefix(lines[i].text, fmt.Sprintf("{:process %d,", p)) {
						lines[i].events = 0
						break
					}
				}
				running[p] = false
			default:
				lines = append(lines, line{fmt.Sprintf("{:process %d, :type :ok, :f :write, %s}", p, at), 1})
				running[p] = false
			}
		}
		var want []string
		events := 0
		for _, l := range lines {
			events += l.events
			if strings.Contains(l.text, "nemesis") {
				want = append(want, fmt.Sprintf("%d nemesis: %s", events, strings.Split(strings.Split(l.text, ":f ")[1], ",")[0]))
			}
		}
		if r.IntN(2) == 0 {
			r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		}
		var src strings.Builder
		for _, l := range lines {
			src.WriteString(l.text + "\n")
		}
		got := annotationsOf(t, src.String(), Options{Format: Jepsen}, methods)
		for i := range got {
			got[i] = got[i][:strings.LastIndex(got[i], ", line ")]
		}
		if diff := cmp.Diff(slices.Clip(want), slices.Clip(got)); diff != "" {
			t.Fatalf("-want +got\n%s\n%s", diff, src.String())
		}
	}
	if annotated < 100 {
		t.Errorf("%d annotations", annotated)
	}
}

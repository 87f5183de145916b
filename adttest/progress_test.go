package adttest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestProgress: an inference that takes long says what it does, and one that does not says nothing.
func TestProgress(t *testing.T) {
	t.Setenv("ADTINFER_CACHE", "off")
	was, quiet := describeReference, quietFor
	defer func() { describeReference, quietFor = was, quiet }()
	for _, tt := range []struct {
		quiet time.Duration
		want  []string
	}{{10 * time.Millisecond, []string{"adttest: inferring what the reference does, 0s so far: looking around", "adttest: inferred in 0s"}}, {time.Hour, nil}} {
		var mu sync.Mutex
		var said []string
		heard := make(chan struct{})
		quietFor = tt.quiet
		describeReference = func(ctx context.Context, impl reference.Implementation, info reference.Info, o describe.Options) (*theory.Theory, error) {
			o.Patterns.Progress("looking around")
			if tt.want != nil {
				<-heard
			}
			return nil, errors.New("nothing describes it")
		}
		_, err := remembered(t.Context(), queue.Spec, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			if said = append(said, text); len(said) == 1 {
				close(heard)
			}
		})
		if got, want := strings.Join(said, "\n"), strings.Join(tt.want, "\n"); got != want {
			t.Errorf("%v: said %q, want %q", err, got, want)
		}
	}
}

// TestFewTried: a budget under which little was tried says so, and one that suffices does not.
func TestFewTried(t *testing.T) {
	for _, tt := range []struct {
		budget time.Duration
		rounds int
		few    bool
	}{{time.Nanosecond, 0, true}, {time.Nanosecond, 1, false}, {patience, 0, false}} {
		if tt.budget == patience {
			testsize.NeedsLong(t)
		}
		var said []string
		c := Config{New: newPlain, Theory: queueTheory, Scenarios: []Scenario{{Threads: [][]Call{{Do("Add", 1)}}}}, Budget: tt.budget, Rounds: tt.rounds, Warn: func(w string) { said = append(said, w) }}
		if _, f, err := start(t.Context(), withDir(t, c), nobody("", "")); f != nil || err != nil {
			t.Fatal(f, err)
		}
		if got := strings.Contains(strings.Join(said, "\n"), "were tried in "); got != tt.few {
			t.Errorf("%v: %q", tt.budget, said)
		}
	}
}

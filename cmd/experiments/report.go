package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// experiment is what a paper measured.
type experiment struct {
	name, title string
	of          string // the tables and figures of the paper
	data        bool   // it needs recorded histories
	run         func(ctx context.Context, r *report) error
}

// size is how much an experiment looks at.
type size int

const (
	seconds size = iota
	minutes
	paper
)

var sizeNames = [...]string{"seconds", "minutes", "paper"}

func (s size) MarshalText() ([]byte, error) { return []byte(sizeNames[s]), nil }

func (s *size) UnmarshalText(text []byte) error {
	for i, name := range sizeNames {
		if name == string(text) {
			*s = size(i)
			return nil
		}
	}
	return fmt.Errorf("there are seconds, minutes and paper")
}

// at is what belongs to a size.
func at[T any](s size, all [3]T) T { return all[s] }

type options struct {
	size      size
	data, dir string
	out       io.Writer
}

// report is what an experiment finds.
type report struct {
	options
	name  string
	text  strings.Builder
	files map[string]string // beside the text: pictures and their numbers
	found string            // lines of the table on top, which are in the overview, too
}

// overview is the page that says what was found; each experiment writes its own lines there.
const overview = "README.md"

// finding puts what a paper measured beside what is measured here.
func (r *report) finding(what, paper, here string) {
	r.found += fmt.Sprintf("| %s | %s | %s |\n", what, paper, here)
}

// lines replaces the experiment's lines in an overview.
func (r *report) lines(text string) string {
	mine, done := fmt.Sprintf("| [%s](%[1]s.md) |\n", r.name), false
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, mine) || r.found == "" {
			b.WriteString(line)
		} else if !done {
			done = true
			b.WriteString(strings.ReplaceAll(r.found, "|\n", mine))
		}
	}
	return b.String()
}

// errNoData is that recorded histories are needed.
var errNoData = errors.New("needs -data DIR, a folder of recorded histories: git clone " + violin)

// do runs an experiment, and prints or writes what it finds.
func (x *experiment) do(ctx context.Context, o options) error {
	if x.data && o.data == "" {
		return fmt.Errorf("%s %w", x.name, errNoData)
	}
	if !x.data {
		o.data = "" // not in the command
	}
	r := &report{options: o, name: x.name, files: map[string]string{}}
	if err := x.run(ctx, r); err != nil {
		return fmt.Errorf("%s: %w", x.name, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", x.name, err)
	}
	found := r.found
	if found != "" {
		found = "\n| what | paper | here |\n|---|---|---|\n" + found
	}
	page := fmt.Sprintf("# %s\n\nWritten by `%s` on %s.\n\nRepeats %s.\n%s%s", x.title, r.command(), machine(ctx), x.of, found, r.text.String())
	if o.dir == "" {
		_, err := io.WriteString(o.out, page)
		return err
	}
	r.files[x.name+".md"] = page
	if text, err := os.ReadFile(filepath.Join(o.dir, overview)); err == nil {
		r.files[overview] = r.lines(string(text))
	}
	for name, text := range r.files {
		if err := os.WriteFile(filepath.Join(o.dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// command is what to type to have all of it again.
func (r *report) command() string {
	c := fmt.Sprintf("go run ./cmd/experiments %s -size %s", r.name, sizeNames[r.size])
	if r.data != "" {
		c += " -data DIR"
	}
	return c + " -o docs/experiments"
}

// machine is where and when, and of which code.
func machine(ctx context.Context) string {
	text := runtime.GOOS + "/" + runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`).FindSubmatch(info); m != nil {
			text = string(m[1]) + ", " + text
		}
	}
	text += fmt.Sprintf(", %d processors, %s, %s", runtime.GOMAXPROCS(0), runtime.Version(), time.Now().Format(time.DateOnly))
	text += ", commit "
	if commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output(); err != nil {
		text += "unknown"
	} else {
		text += strings.TrimSpace(string(commit))
		if exec.CommandContext(ctx, "git", "diff", "--quiet", "HEAD", "--", "*.go", "go.mod").Run() != nil {
			text += " with changes"
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		if n, _ := strconv.ParseFloat(strings.Fields(string(load))[0], 64); n > float64(runtime.GOMAXPROCS(0)) {
			text += fmt.Sprintf("; under load (%.1f), so that times say no more than their order of magnitude", n)
		}
	}
	return text
}

func (r *report) section(title, text string, args ...any) {
	fmt.Fprintf(&r.text, "\n## %s\n\n%s\n", title, fmt.Sprintf(text, args...))
}

var numeric = regexp.MustCompile(`^[<>]?-?[0-9]`)

// table writes cells; columns of numbers stand to the right.
func (r *report) table(head []string, rows [][]string) {
	line := func(cells []string) { fmt.Fprintf(&r.text, "| %s |\n", strings.Join(cells, " | ")) }
	r.text.WriteString("\n")
	line(head)
	for i := range head {
		numbers := len(rows) > 0
		for _, row := range rows {
			numbers = numbers && (row[i] == "" || numeric.MatchString(row[i]))
		}
		r.text.WriteString("|---")
		if numbers {
			r.text.WriteString("-:")
		}
	}
	r.text.WriteString("|\n")
	for _, row := range rows {
		line(row)
	}
}

// picture shows a plot, and keeps its numbers beside it.
func (r *report) picture(name string, p plot) {
	name = r.name + "-" + name
	var numbers strings.Builder
	_ = csv.NewWriter(&numbers).WriteAll(p.numbers()) // a strings.Builder takes everything
	r.files[name+".csv"], r.files[name+".svg"] = numbers.String(), p.svg(r.command())
	if r.dir != "" {
		fmt.Fprintf(&r.text, "\n![%s](%s.svg)\n\nThe numbers of the picture: [%[2]s.csv](%[2]s.csv).\n", p.title, name)
	}
}

// short writes a time with two or three digits.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(time.Second / 10).String()
}

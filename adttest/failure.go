package adttest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out"
)

// Kind is how a scenario failed.
type Kind string

const (
	// Violation: the data type does not admit the history.
	Violation Kind = "violation"
	// Panic: the constructor panicked, or an operation where the data type does not.
	Panic Kind = "panic"
	// Hang: an operation did not return, or ended its goroutine, and
	// Config.MustReturn is set.
	Hang Kind = "hang"
	// Disagreement: Config.Theory does not admit the history, and Config.Reference
	// does.
	Disagreement Kind = "disagreement"
)

// Failure is a scenario that failed, with what it showed.
type Failure struct {
	Kind     Kind
	Scenario Scenario // made smaller
	Seed     uint64

	// Execution is the history of the round that failed; nil if nothing was
	// called in it. Explanation says what should have been answered, by the Reference if
	// there is one, and with the patterns of the theory that are broken; nil unless it is
	// a violation.
	Execution   *history.Execution
	Explanation *check.Explanation

	// Log and Theory are files: the saved Execution, and what it was checked
	// against; no Theory if the Reference judged alone.
	Log, Theory string

	schedule string // the line of the schedule that it was found under, or ""
	original int    // calls of the scenario before it was made smaller
	fault    *fault
	panics   []string // of a violation: what panicked, and where
	stuck    []string
	dispute  *difference
	found    string         // where, in words
	explored *engine.Answer // the interleaving that has the Execution, if the explorer made it smaller
	replayed bool
	exhaust  []string // the command that explores its bounds, word by word; nil: none
	unsaved  error    // why it is not saved
	page     string   // a file that shows it; empty: none
	text     string
}

// String is what a test prints.
func (f *Failure) String() string { return f.text }

// finish looks for the reasons and writes the text.
func (f *Failure) finish(r *run) {
	f.look(r)
	if err := r.savePage(f); err != nil && f.unsaved == nil {
		f.unsaved = err
	}
	f.text = wording.Text(f.words(r))
}

// look looks for the reasons.
func (f *Failure) look(r *run) {
	f.Seed = r.Seed
	switch f.Kind {
	case Violation:
		e := f.Execution
		if saved, err := r.readLog(f.Log); f.Log != "" && err == nil { // with places
			e = saved
		}
		f.Explanation = r.explain(r.ctx, e)
	case Disagreement:
		f.dispute = r.judge.differs
	}
}

// report saves a failure, and writes what the test prints. It fails for its own
// reason, saved or not.
func (r *run) report(f *Failure) {
	f.unsaved = r.save(f)
	f.finish(r)
	if err := f.saveWords(); err != nil && f.unsaved == nil {
		f.unsaved = err
		f.finish(r)
	}
}

// words is what the test prints.
func (f *Failure) words(r *run) string {
	var b strings.Builder
	f.headline(&b, r)
	if f.replayed {
		fmt.Fprintf(&b, "(the saved log was checked again; nothing was run)\n")
	} else {
		fmt.Fprintln(&b, f.found)
	}
	b.WriteString("\nscenario")
	if n := f.Scenario.size(); n < f.original {
		fmt.Fprintf(&b, ", made smaller from %s to %d", wording.Count(f.original, "call"), n)
		if f.explored != nil {
			b.WriteString(" of the same history, which the explorer has")
		}
	} else if !f.replayed && f.Kind != Hang {
		b.WriteString(", of which nothing smaller failed")
	}
	fmt.Fprintf(&b, ":\n\n%s\n", indent(f.Scenario.String()))
	switch f.Kind {
	case Violation:
		f.reasons(&b, r)
	case Hang:
		if r.judge.oracle != nil && f.fault == nil {
			fmt.Fprintf(&b, "the reference does not wait there: in no order of what returned does it leave all of these waiting\n\n")
		}
	case Panic:
		if f.fault.stack != "" {
			fmt.Fprintf(&b, "%s\n", indent(ownFrames(f.fault.stack)))
		}
		f.noPanic(&b, r)
	}
	f.interleave(&b, r)
	f.commands(&b, r)
	return b.String()
}

// headline says what is wrong, in a line.
func (f *Failure) headline(b *strings.Builder, r *run) {
	switch f.Kind {
	case Panic:
		fmt.Fprintf(b, "adttest: %s panics in %s of %s: %v\n", r.subject.typ, orWord(f.fault.call, "the constructor"), orWord(f.fault.process, "a round"), f.fault.panicked)
	case Disagreement:
		fmt.Fprintf(b, "adttest: %s and Config.Reference disagree: %s. Is the file older than the reference? infer writes it anew\n", r.Theory, f.dispute)
	case Hang:
		if f.fault != nil {
			fmt.Fprintf(b, "adttest: %s of %s ends the goroutine that calls it (runtime.Goexit), in %s\n", f.fault.call, r.subject.typ, f.fault.process)
			break
		}
		fmt.Fprintf(b, "adttest: operations of %s did not return within %v: %s\n", r.subject.typ, r.Stall, strings.Join(f.stuck, ", "))
	default:
		fmt.Fprintf(b, "adttest: %s does not refine %s\n", r.subject.typ, r.subject.theory.Name)
	}
}

// reasons explains a violation.
func (f *Failure) reasons(b *strings.Builder, r *run) {
	if names := r.subject.renamed(); names != "" {
		fmt.Fprintf(b, "in the theory's words (%s):\n\n", names)
	}
	if f.Explanation != nil {
		_ = out.ExplanationText(b, f.Explanation, out.Plain) // to memory
	}
	for _, p := range f.panics {
		fmt.Fprintf(b, "%s\n", p)
	}
	switch {
	case r.judge.oracle == nil:
	case r.judge.engine == nil:
		fmt.Fprintf(b, "(patterns do not describe the reference; it was asked itself)\n\n")
	case f.Explanation != nil && len(f.Explanation.Reasons) == 0 && r.judge.admits(r.ctx, f.Execution):
		fmt.Fprintf(b, "(the theory %s does not see this; the reference does)\n\n", r.subject.theory.Name)
	case r.Theory != "":
		fmt.Fprintf(b, "the reference does not admit it either\n\n")
	}
}

// again says how to see the failure again.
func (f *Failure) again(b *strings.Builder, r *run) {
	if f.unsaved != nil {
		fmt.Fprintf(b, "(%v)\n", f.unsaved)
	}
	if f.Log == "" {
		fmt.Fprintf(b, "to run the same scenarios again: ADTTEST_SEED=%d %s\n", r.Seed, r.program())
		return
	}
	fmt.Fprintf(b, "log     %s\n", f.Log)
	fmt.Fprintf(b, "replay  %s\n", r.replay(f))
	if f.schedule != "" {
		fmt.Fprintf(b, "again   ADTTEST_SEED=%d %s   (the same schedules, once the log is removed)\n", r.Seed, r.program())
	}
	if f.page != "" {
		fmt.Fprintf(b, "page    %s\n", f.page)
	}
}

// program is what runs the test.
func (r *run) program() string {
	if r.host.test == "" {
		return "the program"
	}
	return fmt.Sprintf("go test -run %s %s", wording.Word(pattern(r.host.test)), r.host.pkg)
}

// replay is the command that checks the saved log again.
func (r *run) replay(f *Failure) string {
	return fmt.Sprintf("ADTTEST_REPLAY=%s %s", wording.Word(f.Log), r.program())
}

// commands says how to see the failure again, here and with adtinfer.
func (f *Failure) commands(b *strings.Builder, r *run) {
	f.goCode(b, r)
	f.again(b, r)
	if r.sees(f) {
		command := slices.Concat([]string{"adtinfer", "check", "--theory", f.Theory}, r.aliases(), []string{f.Log})
		fmt.Fprintf(b, "check   %s\n", line(command))
	}
	if f.exhaust = r.exhaustive(f); f.exhaust != nil {
		fmt.Fprintf(b, "all     %s   (every interleaving within these bounds, if explore takes the package: the shortest that fails)\n", line(f.exhaust))
	}
}

// sees reports whether the theory in the failure's file does not admit its history.
func (r *run) sees(f *Failure) bool {
	return f.Log != "" && f.Theory != "" && (f.Kind == Disagreement ||
		f.Explanation != nil && len(f.Explanation.Reasons) > 0 && (r.judge.oracle != nil || r.judge.broken(r.judge.rest(f.Execution)) == nil))
}

// aliases are the flags for Config.Aliases.
func (r *run) aliases() (flags []string) {
	for _, m := range r.subject.theory.Spec.Methods {
		for _, a := range r.Aliases[m.Name] {
			flags = append(flags, "--alias", a+"="+m.Name)
		}
	}
	return flags
}

// line is a command as a shell reads it.
func line(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, wording.Word(w))
	}
	return strings.Join(quoted, " ")
}

// pattern is a -run pattern for exactly one test.
func pattern(test string) string {
	var parts []string
	for _, p := range strings.Split(test, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(p)+"$")
	}
	return strings.Join(parts, "/")
}

// ownFrames is the part of a stack trace between the panic and the harness.
func ownFrames(stack string) string {
	if _, after, ok := strings.Cut(stack, "\npanic("); ok {
		lines := strings.Split(after, "\n")
		stack = strings.Join(lines[min(2, len(lines)):], "\n")
	}
	before, _, _ := strings.Cut(stack, "reflect.Value.call(")
	lines := strings.Split(strings.TrimSpace(before), "\n")
	return strings.Join(lines[:min(20, len(lines))], "\n")
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    ") + "\n"
}

func orWord(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// remembered is the panic or hang that a saved log comes from, or nil.
func (r *run) remembered(path string, e *history.Execution) *Failure {
	for _, k := range []Kind{Panic, Hang} {
		words, err := os.ReadFile(wordsPath(path, k))
		if err != nil {
			continue
		}
		text := "(this was reported when the log was saved; nothing was run)\n" + string(words)
		return &Failure{Kind: k, Execution: e, Seed: r.Seed, Log: path, Theory: r.Theory, replayed: true, text: text}
	}
	return nil
}

func writeFile(path string, data []byte) error {
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, data, 0o666)
	}
	if err != nil {
		return fmt.Errorf("adttest: the failure cannot be saved: %w", err)
	}
	return nil
}

// readLog reads a saved log.
func (r *run) readLog(path string) (*history.Execution, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("adttest: saved log: %w", err)
	}
	e, err := history.ReadLog(bytes.NewReader(text), path, r.subject.wide)
	if err == nil {
		return e, nil
	}
	if e, bad := history.ReadLog(bytes.NewReader(text), path, r.subject.typed); bad == nil { // a value beside an error
		return e, nil
	}
	return nil, fmt.Errorf("adttest: saved log: %w", err)
}

// recheck checks a saved log, and runs nothing: the verdict is always the same.
func (r *run) recheck(path string) (*Failure, error) {
	e, err := r.readLog(path)
	if err != nil {
		return nil, err
	}
	said, err := r.judge.decide(r.ctx, e)
	var outside *check.OutsideLanguage
	f := &Failure{Kind: Violation, Execution: e, Seed: r.Seed, Log: path, Theory: r.Theory, replayed: true}
	switch {
	case err != nil && !errors.As(err, &outside):
		return nil, err
	case err != nil, said.undecided != "":
		r.warn(fmt.Sprintf("the saved log was not judged: %s", orWord(said.undecided, fmt.Sprint(err))))
		return r.remembered(path, e), nil
	case said.verdict == disputed && r.Theory != "":
		f.Kind = Disagreement
	case said.verdict != violates:
		if f = r.remembered(path, e); f != nil && f.Kind == Panic && r.judgedPanics(e) {
			return nil, nil
		}
		return f, nil
	default:
		if f, err = r.violation(f.Scenario, e, func(*history.Operation) *fault { return nil }); err != nil {
			return nil, err
		}
		if words := r.remembered(path, e); words != nil && f.Kind == Panic {
			return words, nil
		}
		f.Log, f.Theory, f.replayed = path, r.Theory, true
	}
	if f.Theory == "" && r.judge.engine != nil {
		f.Theory = filepath.Join(filepath.Dir(path), r.subject.theory.Name+".theory.yaml")
	}
	f.Scenario, err = r.subject.scenarioOf(e, func(string) bool { return true })
	f.original = f.Scenario.size()
	f.finish(r)
	return f, err
}

// saved lists the scenarios of the test's saved logs, as far as they still fit.
func (r *run) saved() []Scenario {
	const most = 20
	paths, _ := filepath.Glob(filepath.Join(r.dir(), "*.jsonl"))
	var out []Scenario
	for _, p := range paths[:min(len(paths), most)] {
		e, err := r.readLog(p)
		if err != nil {
			continue
		}
		if sc, err := r.subject.scenarioOf(e, func(string) bool { return true }); err == nil {
			out = append(out, sc)
		}
	}
	return out
}

// dir is where the test's failures are saved.
func (r *run) dir() string {
	clean := func(c rune) rune {
		if c == '/' || c == '-' || c == '_' || c == '=' || c == '+' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}
	return filepath.Join(r.Dir, filepath.FromSlash(strings.Map(clean, r.host.test)))
}

func (r *run) logPath(seed uint64) string { return filepath.Join(r.dir(), logName(seed)) }

func logName(seed uint64) string { return fmt.Sprintf("seed-%d.jsonl", seed) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

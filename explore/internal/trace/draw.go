package trace

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Line is an event for readers.
type Line struct {
	Step      int    `json:"step"` // of the run, from 1
	Goroutine int    `json:"goroutine"`
	Event     string `json:"event"` // call, return, read, write, sync, start, end, fault, announce
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Function  string `json:"function,omitempty"`
	Object    string `json:"object,omitempty"`
	Field     string `json:"field,omitempty"`
	Before    string `json:"before,omitempty"`
	After     string `json:"after,omitempty"`
	Text      string `json:"text"`
	Library   string `json:"library,omitempty"` // in which it happens
}

// Lines are the events of a run for readers.
func Lines(events []machine.Event, words Words) []Line {
	var lines []Line
	calls := map[int]int32{} // by thread
	for _, ev := range events {
		if ev.Hidden {
			continue
		}
		l := Line{Step: ev.Step + 1, Goroutine: ev.Thread + 1, Event: kinds[ev.Kind], Function: wording.Line(ev.Func),
			Object: ev.Object, Field: ev.Field, Before: wording.Line(ev.Before), After: wording.Line(ev.After)}
		if p := position(words.Positions, ev.Pos); p.Line > 0 {
			l.File, l.Line, l.Library = p.File, p.Line, cmp.Or(ev.Library, p.Module())
		}
		switch ev.Kind {
		case machine.CallEvent:
			calls[ev.Thread] = ev.Call
			l.Text = strings.TrimSuffix(words.Label(ev.Call, -1).String(), "*")
		case machine.ReturnEvent:
			l.Text = words.Label(calls[ev.Thread], ev.Answer).String()
		case machine.AnnounceEvent:
			l.Goroutine = ev.By + 1
			l.Text = "announces " + words.Label(calls[ev.Thread], ev.Answer).String()
			if ev.By != ev.Thread {
				l.Text += fmt.Sprintf(" for goroutine %d", ev.Thread+1)
			}
		default:
			l.Text = says(ev)
		}
		l.Text = wording.Line(l.Text)
		lines = append(lines, l)
	}
	return lines
}

var kinds = [...]string{"call", "return", "read", "write", "sync", "start", "end", "fault", "announce"}

func position(ps []ir.Position, at int32) ir.Position {
	if at < 0 || int(at) >= len(ps) {
		return ir.Position{}
	}
	return ps[at]
}

// says is what an event did, in words.
func says(ev machine.Event) string {
	word := ev.Object
	if ev.Field != "" {
		word += "." + ev.Field
		if strings.Contains(ev.Field, ".") {
			word = strings.TrimSuffix(word, ".v") // what is in an atomic.Int64, and the like
		}
	}
	change := ev.After
	if ev.Before != ev.After && ev.Before != "" {
		change = ev.Before + " -> " + ev.After
	}
	switch ev.Kind {
	case machine.ReadEvent:
		return join("reads", word, ev.After)
	case machine.WriteEvent:
		return join("writes", word, change)
	case machine.SyncEvent:
		return join(ev.Text, word, change)
	case machine.StartEvent:
		return orElse(ev.Text, "begins")
	case machine.EndEvent:
		return orElse(ev.Text, "ends")
	}
	return ev.Text
}

func join(verb, word, value string) string {
	s := strings.TrimSpace(verb + " " + word)
	if value != "" {
		s += ": " + value
	}
	return s
}

func orElse(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// Draw draws a run, one line an event: its step, a lane for each goroutine, where, and
// what. In a lane ( is a call, ) a return, * what a goroutine does, | that it is
// within an operation, and ! a fault.
func Draw(lines []Line) string {
	lanes := 0
	for _, l := range lines {
		lanes = max(lanes, l.Goroutine)
	}
	place, function := 0, 0
	for _, l := range lines {
		place = max(place, utf8.RuneCountInString(l.place()))
		if l.Event != "call" && l.Event != "return" {
			function = max(function, utf8.RuneCountInString(l.function()))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "step  %s\n", numbers(lanes))
	running, step := make([]bool, lanes+1), 0
	for _, l := range lines {
		number := ""
		if l.Step != step {
			step, number = l.Step, fmt.Sprint(l.Step)
		}
		fmt.Fprintf(&b, "%4s  %s ", number, l.lane(running))
		if l.Event == "call" || l.Event == "return" {
			fmt.Fprintf(&b, " %s\n", l.Text)
			continue
		}
		text := fmt.Sprintf("   %s  %s  %s", pad(l.place(), place), pad(l.function(), function), l.Text)
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return b.String()
}

func pad(s string, n int) string { return s + strings.Repeat(" ", n-utf8.RuneCountInString(s)) }

func numbers(lanes int) string {
	var b strings.Builder
	for i := 1; i <= lanes; i++ {
		fmt.Fprintf(&b, "%-2d", i)
	}
	return strings.TrimRight(b.String(), " ")
}

// lane draws the lanes at a line, and notes who runs after it.
func (l *Line) lane(running []bool) string {
	var b strings.Builder
	for i := 1; i < len(running); i++ {
		sign := byte(' ')
		switch {
		case i == l.Goroutine:
			sign = map[string]byte{"call": '(', "return": ')', "fault": '!'}[l.Event]
			if sign == 0 {
				sign = '*'
			}
			running[i] = l.Event != "return" && l.Event != "end"
		case running[i]:
			sign = '|'
		}
		b.WriteByte(sign)
		b.WriteByte(' ')
	}
	return b.String()
}

func (l *Line) place() string {
	if l.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", path.Base(strings.ReplaceAll(l.File, `\`, "/")), l.Line)
}

// function is the function without its package's path.
func (l *Line) function() string {
	f := l.Function
	if at := strings.LastIndex(f, "/"); at >= 0 {
		head := f[:at]
		f = f[at+1:]
		if i := strings.LastIndexAny(head, "(*"); i >= 0 {
			f = head[:i+1] + f
		}
	}
	return f
}

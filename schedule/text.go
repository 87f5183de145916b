package schedule

import (
	"regexp"
	"strings"
)

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func join(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p = strings.TrimRight(p, "\n"); p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, "\n")
}

// panicked is the line that says what a program died of.
func panicked(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSuffix(strings.TrimSpace(line), " [recovered, repanicked]")
		}
	}
	return orElse(lastLine(text), "the test program ended by itself")
}

// misuse is what the runtime and package sync say of channels, locks and maps that are used wrongly: whatever the clock says,
// that is wrong.
var misuse = regexp.MustCompile(`(send on|close of) closed channel|negative WaitGroup counter|WaitGroup is reused|unlock of unlocked|concurrent map`)

var frame = regexp.MustCompile(`(?m)^\s+(\S+\.go:\d+)`)

// raced is a line for a report of the race detector.
func raced(text string) string {
	if i := strings.Index(text, "WARNING: DATA RACE"); i >= 0 {
		text = text[i:]
	}
	parts := strings.SplitN(text, "Previous ", 2)
	if len(parts) < 2 {
		return "data race"
	}
	return "data race: " + userFrame(parts[0]) + " and " + userFrame(parts[1])
}

// complained is what adttest says of a test that failed, or the first thing that it logged.
func complained(output string) string {
	for line := range strings.Lines(output) {
		if place, said, ok := strings.Cut(line, ": adttest: "); ok && strings.Contains(place, ".go:") {
			return strings.TrimSpace(said)
		}
	}
	return complaint(output)
}

// complaint is the first thing that a failed test logged.
func complaint(output string) string {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			return line
		}
	}
	return "the test failed without a word"
}

// short is a file without its folders.
func short(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }

var blockedAt = regexp.MustCompile(`(?m)^goroutine (\d+) \[([^\],]+)[^\]]*synctest bubble`)

// bubbled are the goroutines of a dump that belong to a test, without what the test framework adds.
func bubbled(dump string) (all []string) {
	for g := range strings.SplitSeq(dump, "\n\n") {
		if blockedAt.MatchString(g) && !strings.Contains(g, "synctest.Run") {
			all = append(all, g)
		}
	}
	return all
}

// stacks are the stacks of the goroutines of a test, without frames of the standard library.
func stacks(dump string) string {
	var all []string
	for _, g := range bubbled(dump) {
		all = append(all, plainStack(g))
	}
	return strings.Join(all, "\n\n")
}

// plainStack is a goroutine's stack without frames of the standard library, addresses, and what the runtime knows of bubbles.
func plainStack(g string) string {
	lines := strings.Split(strings.TrimSpace(g), "\n")
	kept := []string{bubbleWords.ReplaceAllString(lines[0], "")}
	for i := 1; i+1 < len(lines); i += 2 {
		if !standard.MatchString(lines[i]) {
			kept = append(kept, arguments.ReplaceAllString(lines[i], "(...)"), "\t"+strings.TrimSpace(offset.ReplaceAllString(lines[i+1], "")))
		}
	}
	return strings.Join(kept, "\n")
}

var (
	bubbleWords = regexp.MustCompile(`( \(durable\))?, synctest bubble \d+`)
	arguments   = regexp.MustCompile(`\(0x[^)]*\)|\(\{0x.*\)`)
	offset      = regexp.MustCompile(` \+0x[0-9a-f]+$`)
)

// crashed is what a program printed before it died: its own words, and the stack of the goroutine that died.
func crashed(text string) string {
	head, dump, found := strings.Cut(text, "\ngoroutine ")
	if !found {
		return text
	}
	first, _, _ := strings.Cut("goroutine "+dump, "\n\n")
	return strings.TrimSpace(head) + "\n\n" + plainStack(first)
}

// blocked says in a line which goroutines wait, and where.
func blocked(dump string) string {
	var all []string
	for _, g := range bubbled(dump) {
		m := blockedAt.FindStringSubmatch(g)
		all = append(all, strings.TrimSuffix(m[2], " (durable)")+" at "+userFrame(g))
	}
	if len(all) == 0 {
		return "all goroutines wait"
	}
	return "goroutines wait for ever: " + strings.Join(all, "; ")
}

const nowhere = "an unknown place"

// userFrame is the innermost place of a stack outside of the standard library.
func userFrame(stack string) string {
	lines := strings.Split(stack, "\n")
	for i := 1; i < len(lines); i++ {
		f := frame.FindStringSubmatch(lines[i])
		if f != nil && !standard.MatchString(strings.TrimSpace(lines[i-1])) {
			return short(f[1])
		}
	}
	return nowhere
}

var standard = regexp.MustCompile(`^(created by )?(testing|runtime|internal/\S*|sync|sync/atomic|context|time|io|net|net/\S*|os|os/\S*)\.`)

// outsideWait says what a reason of the runtime for waiting means.
func outsideWait(reason string) string {
	switch {
	case reason == "IO wait":
		return "the network, a pipe or a file"
	case strings.Contains(reason, "GC") || strings.Contains(reason, "finalizer"):
		return "the garbage collector (" + reason + ")"
	}
	return orElse(reason, "something outside of the program")
}

// waits says where a silent program was.
func waits(s *said) string {
	for g := range strings.SplitSeq(s.stderr, "\n\n") {
		if strings.Contains(g, "[running") || strings.Contains(g, "[runnable") || strings.Contains(g, "[syscall") || strings.Contains(g, "[IO wait") {
			if at := userFrame(g); at != nowhere {
				return "it was last seen at " + at + ", in a long computation, or waiting outside of the program"
			}
		}
	}
	return "it waits outside of the program, or computes for long"
}

// outside is where a goroutine waits that the test did not start, and that something other than a goroutine could wake;
// "" if there is none.
func outside(dump string) string {
	for g := range strings.SplitSeq(dump, "\n\n") {
		head, _, _ := strings.Cut(g, "\n")
		if strings.Contains(head, "synctest bubble") || !waitsForMore.MatchString(head) || strings.Contains(g, "testing.(*T).Run(") {
			continue
		}
		if at := userFrame(g); at != nowhere {
			return at
		}
	}
	return ""
}

var waitsForMore = regexp.MustCompile(`\[(select|sleep|IO wait|syscall|runnable|running|chan receive)`)

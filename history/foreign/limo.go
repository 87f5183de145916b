package foreign

import "strings"

// parseLiMo reads histories of LiMo:
//
//	# @object atomic-stack
//	[1] call push 1
//	[2] call pop
//	[1] return
//	[2] return 1
//
// In brackets is a thread, which has one operation at a time. Arguments come after blanks, or in
// parentheses and with commas. A pop that returns nothing found nothing. A call that carries what it
// will return, as in LiMo's histories of registers, read(1), is for the assembler to tell.
func parseLiMo(src, file string, each func(*record) error) error {
	var r record
	methods := map[string]string{} // that threads called last
	return textLines(src, file, func(l *textLine) error {
		r = record{told: true, pos: l.pos(l.at)}
		if err := limoEvent(l, &r); err != nil {
			return err
		}
		if r.kind == invoke {
			methods[r.process] = r.method
		} else if r.method = methods[r.process]; r.method == "" {
			return l.errorAt(strings.IndexByte(l.text, '['), "thread %s returns without having called anything", r.process)
		}
		return each(&r)
	})
}

// limoEvent reads a line into a record.
func limoEvent(l *textLine, r *record) error {
	if l.text[l.at] != '[' {
		if l.rest() == "crash" {
			return l.errorAt(l.at, "a crash: what it means for an object is not for adtinfer to say; check the part before it, and the part after it, by themselves")
		}
		return l.errorAt(l.at, "want [thread] call METHOD or [thread] return, not %q", l.rest())
	}
	thread, _, closed := strings.Cut(l.text[l.at+1:], "]")
	if !closed {
		return l.errorAt(l.at, "[ without ]: want [thread]")
	}
	if r.process = strings.TrimSpace(thread); r.process == "" {
		return l.errorAt(l.at, "a thread without a name: want a number in the brackets")
	}
	l.at += len(thread) + 2
	l.blanks()
	var err error
	switch word, at := l.word(); word {
	case "call":
		r.kind = invoke
		if r.method = limoMethod(l); r.method == "" {
			return l.errorAt(l.at, "a call without a method")
		}
		r.value, err = limoValues(l)
	case "return":
		r.kind = ok
		if r.value, err = limoValues(l); r.value.kind == scalar {
			limoWord(&r.value)
		}
	default:
		return l.errorAt(at, "want call or return after [%s], not %q", r.process, word)
	}
	return err
}

// limoMethod reads a method's name, up to a blank or parenthesis.
func limoMethod(l *textLine) string {
	at := l.at
	for l.at < len(l.text) && !strings.ContainsRune(" \t(),", rune(l.text[l.at])) {
		l.at++
	}
	name := l.text[at:l.at]
	l.blanks()
	return name
}

// limoValues reads the values up to the end of the line: (1, 2) or 1 2.
func limoValues(l *textLine) (value, error) {
	start := l.at
	text := l.rest()
	l.at = len(l.text)
	if !strings.HasPrefix(text, "(") {
		if i := strings.IndexAny(text, "(),"); i >= 0 {
			return value{}, l.errorAt(start+i, "a stray %q: values are 1 2 or (1, 2)", text[i:i+1])
		}
		return valueOf(strings.Fields(text)), nil
	}
	inner, after, closed := strings.Cut(text[1:], ")")
	switch {
	case !closed:
		return value{}, l.errorAt(start, "( without )")
	case after != "":
		return value{}, l.errorAt(start+len(text)-len(after), "%q after the values", after)
	case strings.TrimSpace(inner) == "":
		return value{}, nil
	}
	var words []string
	at := start + 1
	for part := range strings.SplitSeq(inner, ",") {
		word := strings.TrimSpace(part)
		if word == "" || strings.ContainsAny(word, " \t(") {
			return value{}, l.errorAt(at, "want a value between the commas, not %q", word)
		}
		words = append(words, word)
		at += len(part) + 1
	}
	return valueOf(words), nil
}

// limoWord makes a word that an operation returned an outcome, if it is the name of one.
func limoWord(v *value) {
	switch v.text {
	case "empty", "nil", "null":
		v.kind = null
	case "true", "false":
		v.kind = boolean
	}
}

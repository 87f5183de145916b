package main

import (
	"fmt"
	"io"
	"sync"
)

// log writes calls and returns in the order in which they happen. A call is
// written before the operation starts, and a return after it has ended, so that
// operations which overlap in the log may have overlapped, and those which do
// not overlap did not.
type log struct {
	mu     sync.Mutex
	out    io.Writer
	style  style
	ids    int
	events int // written
	limit  int // of events; 0: none
}

// style is how events are written.
type style interface {
	head(queue string) string
	call(id int, method string, args []int) string
	ret(id int, rets []int, empty bool) string
}

func (l *log) call(method string, args ...int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids++
	l.write(l.style.call(l.ids, method, args))
	return l.ids
}

func (l *log) ret(id int, rets ...int) { l.end(id, rets, false) }

func (l *log) empty(id int) { l.end(id, nil, true) }

func (l *log) end(id int, rets []int, empty bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(l.style.ret(id, rets, empty))
}

func (l *log) write(event string) {
	if l.limit > 0 && l.events == l.limit {
		return
	}
	l.events++
	fmt.Fprintln(l.out, event)
}

// text is the format that people read and write best.
type text struct{}

func (text) head(queue string) string { return "# @object " + queue }

func (text) call(id int, method string, args []int) string {
	if len(args) == 0 {
		return fmt.Sprintf("[%d] call %s", id, method)
	}
	return fmt.Sprintf("[%d] call %s(%d)", id, method, args[0])
}

func (text) ret(id int, rets []int, empty bool) string {
	switch {
	case empty:
		return fmt.Sprintf("[%d] return empty", id)
	case len(rets) == 0:
		return fmt.Sprintf("[%d] return", id)
	}
	return fmt.Sprintf("[%d] return %d", id, rets[0])
}

// jsonl is JSON Lines, which programs write and read best.
type jsonl struct{}

func (jsonl) head(queue string) string { return fmt.Sprintf(`{"format": 2, "object": %q}`, queue) }

func (jsonl) call(id int, method string, args []int) string {
	if len(args) == 0 {
		return fmt.Sprintf(`{"op": %d, "event": "call", "method": %q}`, id, method)
	}
	return fmt.Sprintf(`{"op": %d, "event": "call", "method": %q, "args": [%d]}`, id, method, args[0])
}

func (jsonl) ret(id int, rets []int, empty bool) string {
	switch {
	case empty:
		return fmt.Sprintf(`{"op": %d, "event": "return", "outcome": "nil"}`, id)
	case len(rets) == 0:
		return fmt.Sprintf(`{"op": %d, "event": "return"}`, id)
	}
	return fmt.Sprintf(`{"op": %d, "event": "return", "rets": [%d]}`, id, rets[0])
}

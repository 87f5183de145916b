package wgl

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// mostListed is how many parts of a state are written out.
const mostListed = 20

// listed writes the n parts of a state in brackets.
func listed(open string, n int, part func(int) string, end string) string {
	var parts []string
	for i := range min(n, mostListed) {
		parts = append(parts, part(i))
	}
	if more := n - mostListed; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return open + strings.Join(parts, ", ") + end
}

// Builtin is the model of a data type that is known by name, some with a parameter
// in parentheses. adtinfer explain models lists them with their methods.
//
// Where an answer may be false, an error or a panic will do. A name does not make
// a data type: before a model stands in for a theory of the same name, compare the
// two.
func Builtin(name string) (Model, error) {
	b, parameter, given, err := find(name)
	if err != nil {
		return nil, err
	}
	m, err := b.model(parameter, given)
	if err != nil {
		return nil, fmt.Errorf("the built-in model %s: %w", name, err)
	}
	return m, nil
}

// Methods lists the methods of a built-in model, with all that they may answer and
// with other names that logs may use for them. It is nil if there is no such model.
func Methods(name string) []history.MethodSig {
	b, _, _, err := find(name)
	if err != nil {
		return nil
	}
	return slices.Clone(b.methods)
}

// Open reports whether what a built-in model answers does not follow from the calls: it may be any number, or any value.
func Open(name string) bool {
	b, _, given, err := find(name)
	return err == nil && (b.open || !given && strings.HasSuffix(name, "bank"))
}

// Builtins lists names that Builtin knows, with an example of a parameter where it
// needs one.
func Builtins() []string {
	names := make([]string, len(builtins))
	for i := range builtins {
		names[i] = builtins[i].name
		if builtins[i].needs {
			names[i] += "(3)"
		}
	}
	return names
}

// builtin is a built-in model, or a family of them.
type builtin struct {
	name    string
	model   func(parameter string, given bool) (Model, error)
	needs   bool // a parameter, which is a number
	open    bool // what it answers does not follow from the calls
	methods []history.MethodSig
}

// find finds a model by its name and takes the parameter off.
func find(name string) (b *builtin, parameter string, given bool, err error) {
	own, rest, given := strings.Cut(name, "(")
	i := slices.IndexFunc(builtins, func(b builtin) bool { return b.name == own })
	if parameter = strings.TrimSuffix(rest, ")"); i < 0 || given && parameter == rest {
		hint := wording.Hint(own, Builtins())
		if hint == "" {
			hint = "; there are " + strings.Join(Builtins(), ", ")
		}
		return nil, "", false, fmt.Errorf("there is no built-in model %q%s", name, hint)
	}
	if b = &builtins[i]; b.needs && !given {
		return nil, "", false, fmt.Errorf("the built-in model %s needs a number: %s(3), for example", own, own)
	}
	if text, err := strconv.Unquote(parameter); err == nil {
		parameter = text
	}
	return b, parameter, given, nil
}

// plain is a model without a parameter.
func plain(m Model) func(string, bool) (Model, error) {
	return func(_ string, given bool) (Model, error) {
		if given {
			return nil, fmt.Errorf("it has no parameter")
		}
		return m, nil
	}
}

// starting is a model that may start with a value.
func starting(model func(first maybe) Model) func(string, bool) (Model, error) {
	return func(parameter string, given bool) (Model, error) {
		return model(maybe{given, history.Value(parameter)}), nil
	}
}

// numbered is a model that has a number, least or more; it is 0 if it is left out.
func numbered(least int64, model func(n int64) Model) func(string, bool) (Model, error) {
	return func(parameter string, given bool) (Model, error) {
		if !given {
			return model(0), nil
		}
		n, err := strconv.ParseInt(parameter, 10, 64)
		if err != nil || n < least {
			return nil, fmt.Errorf("%q is not a whole number from %d on", parameter, least)
		}
		return model(n), nil
	}
}

// method is a method that takes so many arguments and answers so; a value comes
// alone.
func method(name string, args int, outcomes []history.Outcome, aliases ...string) history.MethodSig {
	m := history.MethodSig{Name: name, Args: args, Aliases: aliases}
	for _, o := range outcomes {
		sig := history.OutcomeSig{Outcome: o}
		if o == history.Some {
			sig.Rets = 1
		}
		m.Outcomes = append(m.Outcomes, sig)
	}
	return m
}

// optional is a method that may leave its last argument out.
func optional(m history.MethodSig) history.MethodSig {
	m.Optional = 1
	return m
}

var (
	silent  = []history.Outcome{history.None}
	lookup  = []history.Outcome{history.Some, history.Nil}
	told    = []history.Outcome{history.True, history.False, history.Error, history.Panic}
	attempt = append([]history.Outcome{history.None}, told...)
	sums    = []history.Outcome{history.None, history.Some}
	changes = []history.Outcome{history.None, history.True, history.False}
	updates = append(slices.Clip(attempt), history.Some)
)

var builtins = []builtin{
	{name: "register", model: plain(register{}), methods: []history.MethodSig{method("write", 1, silent), method("read", 0, lookup)}},
	{name: "queue", model: plain(queue{add: "add", remove: []string{"remove"}}), methods: container},
	{name: "stack", model: plain(stack{}), methods: container},
	{name: "set", model: plain(set{}), methods: []history.MethodSig{method("insert", 1, lookup), method("remove", 1, lookup), method("contains", 1, lookup)}},
	{name: "lock", model: plain(lock{}), methods: []history.MethodSig{method("lock", 1, lookup), method("unlock", 0, lookup)}},
	{name: "worksteal", model: plain(queue{add: "give", remove: []string{"take", "steal"}}),
		methods: []history.MethodSig{method("give", 1, silent), method("take", 0, lookup), method("steal", 0, lookup)}},
	{name: "bag", model: plain(bag{}), methods: peeking},
	{name: "priority-queue", model: plain(bag{before: largest}), methods: peeking},
	{name: "min-priority-queue", model: plain(bag{before: smallest}), methods: peeking},

	{name: "cas-register", model: starting(func(first maybe) Model { return casRegister{first} }), methods: []history.MethodSig{
		method("read", 0, lookup, "load", "get"), method("write", 1, silent, "store", "set", "put"),
		method("cas", 2, told, "compareAndSwap", "compareAndSet"),
	}},
	{name: "kv", model: starting(func(absent maybe) Model { return store{absent} }), methods: []history.MethodSig{
		method("get", 1, lookup, "read", "load"), method("put", 2, []history.Outcome{history.None, history.Some, history.Nil}, "set", "write", "store"),
		method("delete", 1, []history.Outcome{history.None, history.Some, history.Nil, history.True, history.False}, "remove"),
		method("append", 2, silent), method("cas", 3, told, "compareAndSwap", "compareAndSet"),
	}},
	{name: "mutex", model: plain(mutex{}), methods: []history.MethodSig{
		optional(method("acquire", 1, attempt, "lock", "tryAcquire", "tryLock")), optional(method("release", 1, attempt, "unlock")),
	}},
	{name: "fenced-lock", model: plain(fenced{}), open: true, methods: fencing},
	{name: "lease-lock", model: plain(fenced{lease: true}), open: true, methods: append(slices.Clip(fencing),
		method("renew", 1, attempt, "extend", "refresh", "keepAlive", "heartbeat"))},
	{name: "semaphore", model: numbered(1, func(n int64) Model { return semaphore{n} }), needs: true, methods: []history.MethodSig{
		method("acquire", 0, attempt, "tryAcquire", "wait", "down"), method("release", 0, attempt, "signal", "post", "up"),
	}},
	{name: "counter", model: numbered(math.MinInt64, func(n int64) Model { return counter{integer(n)} }), methods: []history.MethodSig{
		optional(method("inc", 1, sums, "increment", "incr", "incrementAndGet")), optional(method("dec", 1, sums, "decrement", "decr", "decrementAndGet")),
		method("add", 1, sums, "addAndGet"), method("read", 0, sums[1:], "get", "load", "value"),
	}},
	{name: "bank", model: newBank(false), methods: accounts},
	{name: "overdraft-bank", model: newBank(true), methods: accounts},
	{name: "unique-ids", model: plain(uniqueIDs{}), open: true, methods: []history.MethodSig{method("generate", 0, sums[1:], "next", "nextId", "newId", "id", "uuid")}},
	{name: "set-full", model: plain(wholeSet{}), methods: []history.MethodSig{
		method("add", 1, changes, "insert", "put"), method("remove", 1, changes, "delete", "del", "discard"),
		method("contains", 1, changes[1:], "has", "includes", "exists"), method("read", 0, sums[1:], "get", "elements", "members", "values", "snapshot"),
	}},
	{name: "versioned-register", model: starting(func(first maybe) Model { return versioned{first} }), methods: []history.MethodSig{
		{Name: "read", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 2}, {Outcome: history.Nil}}, Aliases: []string{"get", "load"}},
		optional(method("write", 2, updates, "set", "put", "store")), method("cas", 2, updates, "compareAndSet", "compareAndSwap"),
	}},
	{name: "deque", model: plain(deque{}), methods: []history.MethodSig{
		method("pushFront", 1, silent, "pushLeft", "addFirst", "offerFirst"), method("pushBack", 1, silent, "pushRight", "addLast", "offerLast"),
		method("popFront", 0, lookup, "popLeft", "removeFirst", "pollFirst"), method("popBack", 0, lookup, "popRight", "removeLast", "pollLast"),
	}},
	{name: "log", model: numbered(0, func(n int64) Model { return appendLog{n} }), methods: []history.MethodSig{
		method("append", 1, sums, "add", "write"), method("read", 1, lookup, "get"),
	}},
	{name: "bounded-queue", model: numbered(1, func(n int64) Model { return boundedQueue{n} }), needs: true, methods: []history.MethodSig{
		method("add", 1, attempt, "enqueue", "offer", "put", "push", "send"), method("remove", 0, lookup, "dequeue", "poll", "take", "pop", "receive"),
	}},
}

var (
	container = []history.MethodSig{
		method("add", 1, silent, "enqueue", "offer", "put", "push"), method("remove", 0, lookup, "dequeue", "poll", "pop", "take"),
	}
	fencing = []history.MethodSig{
		method("acquire", 0, append(slices.Clip(attempt), history.Some, history.Nil), "lock", "tryAcquire", "tryLock"), method("release", 1, attempt, "unlock"),
	}
	accounts = []history.MethodSig{
		{Name: "transfer", Args: 3, Optional: 2, Outcomes: method("", 0, attempt).Outcomes, Aliases: []string{"move"}},
		method("read", 0, sums[1:], "balances", "readAll", "snapshot"),
	}
	peeking = append(slices.Clip(container), method("peek", 0, lookup))
)

// answers reports whether a label may have the outcome and returned value.
func answers(l *history.Label, o history.Outcome, v history.Value) bool {
	switch {
	case l.Outcome == history.Pending:
		return true
	case l.Outcome != o:
		return false
	case o == history.Some:
		return len(l.Rets) == 1 && l.Rets[0] == v
	}
	return len(l.Rets) == 0
}

// is reports whether a label is of a method with so many arguments.
func is(l *history.Label, method string, args int) bool {
	return l.Method == method && len(l.Args) == args
}

// refused reports whether a label may answer that a call did nothing.
func refused(l *history.Label) bool {
	return l.Outcome == history.Pending || l.Outcome == history.False || wording.IsError(string(l.Outcome)) || l.Outcome == history.Panic
}

// attempted reports whether a label may answer that a call did, or did not do, what
// it is for.
func attempted(l *history.Label, done bool) bool {
	if done {
		return l.Outcome == history.Pending || l.Outcome == history.None || l.Outcome == history.True
	}
	return refused(l)
}

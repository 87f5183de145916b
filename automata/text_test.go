package automata

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

// sig makes methods of "put 1 none", "get 0 value/1 nil".
func sig(t testing.TB, text string) (methods []history.MethodSig) {
	t.Helper()
	for _, part := range strings.Split(text, ", ") {
		words := strings.Fields(part)
		m := history.MethodSig{Name: words[0], Args: int(words[1][0] - '0')}
		for _, o := range words[2:] {
			name, n, more := strings.Cut(o, "/")
			out := history.OutcomeSig{Outcome: history.Outcome(name)}
			if more {
				out.Rets = int(n[0] - '0')
			}
			m.Outcomes = append(m.Outcomes, out)
		}
		methods = append(methods, m)
	}
	return methods
}

func mustParse(t testing.TB, methods, text string) *Automaton {
	t.Helper()
	a, err := Parse(text, sig(t, methods))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return a
}

// drawn are automata as people draw them, each in the one form that is written.
var drawn = []struct{ name, methods, text string }{
	{"mutex", "tryLock 0 true false, unlock 0 none panic", `
-> (free)  tryLock => true   (held)
           unlock  => panic  (free)
   (held)  tryLock => false  (held)
           unlock            (free)
`},
	{"casregister", "load 0 value/1, store 1 none, compareAndSwap 2 true false", `
at first r = 0
-> (r)  load                           => r      (r)
        store(x)                                 (x)
        compareAndSwap(a,b)  if a = r  => true   (b)
                             otherwise => false  (r)
`},
	{"kv", "get 0 value/1 nil, delete 0 none, put 1 none", `
-> (absent)   get    => -  (absent)
              delete       (absent)
              put(x)       (holds x)
   (holds r)  get    => r  (holds r)
              delete       (absent)
              put(x)       (holds x)
`},
	{"semaphore", "tryAcquire 0 true false, release 0 none", `
n = #tryAcquire=true - #release
tryAcquire  if n < 10 => true
            otherwise => false
release
`},
	{"bank", "deposit 2 none, withdraw 2 true false, balance 1 value/1", `
balance[k] = sum x of deposit(k,x) - sum x of withdraw(k,x)=true + 100
deposit(a,b)
withdraw(a,b)  if balance[a] >= b => true
               otherwise          => false
balance(x)                        => balance[x]
`},
	{"fencing token", "acquire 0 value/1, check 1 true false", `
n = #acquire
-> (none)    acquire             => new    (held answer)
             check(x)            => false  (none)
   (held r)  acquire             => new    (held answer)
             check(x)  if x = r  => true   (held r)
                       otherwise => false  (held r)
`},
	{"counter", "increment 0 value/1, size 0 value/1, clear 0 none, peek 0 value/1", `
n    = #increment
size = #increment - 2*#peek - 7 since clear or increment
increment => n + 1
size      => 3*n - size - 5
clear
peek      => any
`},
	{"greatest", "write 1 none, raise 2 true false, clear 0 none, report 0 value/1", `
best   = max -3, x of write(x), 2*x of raise(_,x)=true, -#raise=false since clear
per[k] = max 0, k of write(k), -x of raise(k,x)=true
write(x)    if x >= best   blocks
            otherwise
raise(a,b)  if per[a] >= b => true
            otherwise      => false
clear
report                     => best
`},
	{"lease", "hold 1 true false, drop 1 none, take 0 value/1", `
at first r = ""
-> (holds r)    hold(x)  if x = r             => true   (holds x)
                         if x != r and r = "" => true   (holds x)
                         otherwise            => false  (holds r)
                drop(x)                                 (gone "a \"b\"", 7)
                take                          => r      (holds "")
   (gone r, s)  hold(x)                       => true   (holds x)
                drop(x)                                 (gone r, s)
                take                          blocks
`},
	{"words", "if 1 value/1 full-up new error/1 nil/1, blocks 0 none value, new 0 value/2 none/1, load 1 value/1 value2 last", `
at first last = 0, été = -7
-> (last, été)  "if"(x)   if x = "if"             => x                    (0, x)
                          if x != "if" and x = 7  => - x                  (-0, "")
                          if x = "new" and x != 7 => value new            (x, answer)
                          otherwise               => error "new"          (x, x)
                "blocks"                          => value                (été, last)
                "new"                             => new, any             (answer2, answer)
                load(x)   if x = last             => value last           (last, été)
                          otherwise               => 0099999999999999999  (last, été)
`},
}

func TestDrawn(t *testing.T) {
	for _, tt := range drawn {
		t.Run(tt.name, func(t *testing.T) {
			a := mustParse(t, tt.methods, tt.text)
			if err := a.Validate(); err != nil {
				t.Error(err)
			}
			once := a.String()
			if diff := cmp.Diff(strings.TrimPrefix(tt.text, "\n"), once); diff != "" {
				t.Errorf("-drawn +written:\n%s", diff)
			}
			again := mustParse(t, tt.methods, once)
			if diff := cmp.Diff(a, again); diff != "" {
				t.Errorf("-first +second:\n%s", diff)
			}
		})
	}
}

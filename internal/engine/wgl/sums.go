package wgl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Bounded is a Model whose numbers have 64 bits. Fits says which label lets a sum leave them in some order: of what
// happens there it knows nothing, since data types differ.
type Bounded interface {
	Model
	Fits(labels []*history.Label) (at int, err error)
}

// counter counts.
type counter struct{ first integer }

func (c counter) Init() State { return c.first }

func (counter) ReadOnly(l *history.Label) bool { return l.Method == "read" }

// Refuses says which numbers a counter cannot add, or be.
func (counter) Refuses(l *history.Label) error { return notIntegers(l, l.Args, l.Rets) }

// Fits adds up all that is added, and all that is taken away.
func (c counter) Fits(labels []*history.Label) (int, error) {
	most, least := int64(c.first), int64(c.first)
	for i, l := range labels {
		n, ok := change(l)
		if sum := &most; ok {
			if n < 0 {
				sum = &least
			}
			*sum, ok = plus(*sum, n)
		}
		if !ok {
			return i, beyond(l)
		}
	}
	return 0, nil
}

func beyond(l *history.Label) error {
	return fmt.Errorf("with %s a sum may leave 64 bits, and what happens there differs between data types; check the log in parts", l)
}

// change is what a call adds; false if that is no number of 64 bits.
func change(l *history.Label) (n int64, ok bool) {
	n, ok = 1, true
	if len(l.Args) == 1 {
		n, ok = wholeNumber(l.Args[0])
	}
	switch l.Method {
	case "read":
		return 0, true
	case "dec":
		return -n, ok && n != math.MinInt64
	}
	return n, ok
}

// plus adds, if the sum has 64 bits.
func plus(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum < a) == (b < 0)
}

func (counter) Step(s State, l *history.Label) (State, bool) {
	sum := s.(integer)
	switch {
	case is(l, "read", 0):
		return sum, answers(l, history.Some, sum.value())
	case !is(l, "inc", 0) && !is(l, "dec", 0) && (l.Method != "inc" && l.Method != "dec" && l.Method != "add" || len(l.Args) != 1):
		return nil, false
	}
	n, ok := change(l)
	next, fits := plus(int64(sum), n)
	if !ok || !fits {
		return nil, false
	}
	return integer(next), answers(l, history.None, "") || answers(l, history.Some, integer(next).value())
}

// bank is accounts with balances. Without given ones there were some, which the first read tells.
type bank struct {
	first     *balances
	overdraft bool // balances may be negative
}

// newBank is a bank; the parameter is its first balances.
func newBank(overdraft bool) func(string, bool) (Model, error) {
	return func(parameter string, given bool) (Model, error) {
		m := bank{&balances{}, overdraft}
		if !given {
			return m, nil
		}
		all, err := m.balances(history.Value(parameter))
		if err != nil {
			return nil, err
		}
		m.first = &balances{all, true}
		return toldBank{m}, nil
	}
}

func (b bank) Init() State { return b.first }

// toldBank is a bank whose balances are known, so that a read changes nothing.
type toldBank struct{ bank }

func (toldBank) ReadOnly(l *history.Label) bool {
	return l.Method == "read" || refused(l) && l.Outcome != history.Pending
}

// balances are the state of a bank: its accounts, in order of their names.
type balances struct {
	accounts []account
	all      bool // there are no others
}

// account has a balance from least to most. A least or greatest number of 64 bits is no bound.
type account struct {
	name        history.Value
	least, most int64
}

func (b *balances) Equal(s State) bool {
	o := s.(*balances)
	return b.all == o.all && slices.Equal(b.accounts, o.accounts)
}

func (b *balances) Hash() (h uint64) {
	for _, a := range b.accounts {
		h = semantics.Mix(h^semantics.HashValue(a.name)) + uint64(a.least) + 31*uint64(a.most)
	}
	return h
}

func (b *balances) String() string {
	return listed("{", len(b.accounts), func(i int) string {
		switch a := b.accounts[i]; {
		case a.least == a.most:
			return fmt.Sprintf("%s: %d", a.name, a.least)
		case a.most < math.MaxInt64:
			return fmt.Sprintf("%s: at most %d", a.name, a.most)
		default:
			return fmt.Sprintf("%s: at least %d", a.name, a.least)
		}
	}, "}")
}

// balances reads whole balances, in order of the accounts.
func (b bank) balances(text history.Value) (all []account, err error) {
	pairs, ok := wording.Pairs(string(text))
	if !ok {
		return nil, fmt.Errorf("%q is not all balances, such as {0 10, 1 10}, {\"0\": 10, \"1\": 10} or [10 10]", text)
	}
	for _, p := range pairs {
		n, ok := wholeNumber(history.Value(p.Value))
		if !ok {
			return nil, fmt.Errorf("the balance %s of account %s in %s is no whole number of 64 bits", p.Value, p.Key, text)
		}
		all = append(all, account{history.Value(p.Key), n, n})
	}
	slices.SortFunc(all, func(x, y account) int { return cmp.Compare(x.name, y.name) })
	for i := 1; i < len(all); i++ {
		if all[i].name == all[i-1].name {
			return nil, fmt.Errorf("account %s is in %s twice", all[i].name, text)
		}
	}
	return all, nil
}

// transfer is what a transfer moves: given as three values, or as a map with :from, :to and :amount.
func transfer(l *history.Label) (from, to history.Value, amount int64, err error) {
	args := l.Args
	if len(args) == 1 {
		parts := map[string]string{}
		pairs, _ := wording.Pairs(string(args[0]))
		for _, p := range pairs {
			parts[p.Key] = p.Value
		}
		if len(parts) == 3 && len(pairs) == 3 {
			args = []history.Value{history.Value(parts["from"]), history.Value(parts["to"]), history.Value(parts["amount"])}
		}
	}
	if len(args) != 3 || args[0] == "" || args[1] == "" {
		return "", "", 0, fmt.Errorf("transfer takes from, to and amount, or a map {:from a, :to b, :amount n}, not %s", l.Args)
	}
	amount, ok := wholeNumber(args[2])
	if !ok || amount < 0 {
		return "", "", 0, fmt.Errorf("the amount of a transfer is a whole number from 0 on, not %q", args[2])
	}
	return args[0], args[1], amount, nil
}

// Refuses says what is no transfer, and what are no balances.
func (b bank) Refuses(l *history.Label) (err error) {
	switch {
	case l.Method == "transfer":
		_, _, _, err = transfer(l)
	case l.Outcome == history.Some && len(l.Rets) == 1:
		_, err = b.balances(l.Rets[0])
	}
	return err
}

// Fits adds up all amounts and the greatest balance, and looks for accounts that no read tells of.
func (b bank) Fits(labels []*history.Label) (int, error) {
	names, most, told := map[history.Value]bool{}, int64(0), b.first.all
	meet := func(all []account) (ok bool) {
		for _, a := range all {
			names[a.name] = true
			if a.least == math.MinInt64 || a.least == math.MaxInt64 {
				return false
			}
			most = max(most, a.least, -a.least)
		}
		return true
	}
	ok := meet(b.first.accounts)
	for i, l := range labels {
		if l.Method != "read" || l.Outcome != history.Some {
			continue
		}
		all, _ := b.balances(l.Rets[0])
		if !b.first.all {
			told, ok = true, ok && meet(all)
		}
		if !ok {
			return i, beyond(l)
		}
	}
	for i, l := range labels {
		from, to, amount, err := transfer(l)
		if l.Method != "transfer" || err != nil {
			continue
		}
		for _, name := range []history.Value{from, to} {
			if told && !names[name] {
				return i, fmt.Errorf("no balances tell of account %s; a bank has the same accounts all the time", name)
			}
		}
		if most, ok = plus(most, amount); !ok || most == math.MaxInt64 {
			return i, beyond(l)
		}
	}
	return 0, nil
}

func (b bank) Step(s State, l *history.Label) (State, bool) {
	held := s.(*balances)
	switch {
	case is(l, "read", 0):
		return b.read(held, l)
	case l.Method != "transfer":
		return nil, false
	}
	from, to, amount, err := transfer(l)
	if err != nil {
		return nil, false
	}
	a := b.account(held, from)
	paid := a
	if !b.overdraft {
		paid.least = max(a.least, amount)
	}
	if attempted(l, true) && paid.least <= paid.most && b.has(held, from) && b.has(held, to) {
		next, ok := b.with(held, paid).move(b.account, from, to, amount)
		return next, ok
	}
	switch {
	case !refused(l) || b.overdraft && l.Outcome != history.Pending:
		return nil, false
	case l.Outcome == history.Pending || !b.has(held, from) || !b.has(held, to):
		return held, true
	case a.least >= amount:
		return nil, false
	}
	a.most = min(a.most, amount-1)
	return b.with(held, a), true
}

// read compares balances, or learns them.
func (b bank) read(held *balances, l *history.Label) (State, bool) {
	switch {
	case l.Outcome == history.Pending:
		return held, true
	case l.Outcome != history.Some || len(l.Rets) != 1:
		return nil, false
	}
	all, err := b.balances(l.Rets[0])
	if err != nil {
		return nil, false
	}
	found := 0
	for _, now := range all {
		a := b.account(held, now.name)
		if now.least < a.least || now.least > a.most {
			return nil, false
		}
		if b.find(held, now.name) >= 0 {
			found++
		}
	}
	if found < len(held.accounts) || held.all && found < len(all) {
		return nil, false
	}
	return &balances{all, true}, true
}

// find is the place of an account, or -1.
func (bank) find(s *balances, name history.Value) int {
	return slices.IndexFunc(s.accounts, func(a account) bool { return a.name == name })
}

func (b bank) has(s *balances, name history.Value) bool { return !s.all || b.find(s, name) >= 0 }

// account is an account as it is known.
func (b bank) account(s *balances, name history.Value) account {
	if i := b.find(s, name); i >= 0 {
		return s.accounts[i]
	}
	if b.overdraft {
		return account{name, math.MinInt64, math.MaxInt64}
	}
	return account{name, 0, math.MaxInt64}
}

// with is the state with an account as it is known now.
func (bank) with(s *balances, a account) *balances {
	at, there := slices.BinarySearchFunc(s.accounts, a.name, func(a account, name history.Value) int { return cmp.Compare(a.name, name) })
	all := slices.Clone(s.accounts)
	if there {
		all[at] = a
	} else {
		all = slices.Insert(all, at, a)
	}
	return &balances{all, s.all}
}

// move moves an amount.
func (s *balances) move(account func(*balances, history.Value) account, from, to history.Value, amount int64) (*balances, bool) {
	for i, name := range []history.Value{from, to} {
		a, n, ok := account(s, name), amount, true
		if i == 0 {
			n = -amount
		}
		for _, bound := range []*int64{&a.least, &a.most} {
			if *bound != math.MinInt64 && *bound != math.MaxInt64 {
				if *bound, ok = plus(*bound, n); !ok {
					return nil, false
				}
			}
		}
		s = bank{}.with(s, a)
	}
	return s, true
}

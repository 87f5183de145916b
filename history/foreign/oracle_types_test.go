package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// oracleTypes says of built-in models what the generator cannot know; others need no row.
var oracleTypes = map[string]oracleType{
	"kv": {key: true}, `kv("")`: {key: true},
	"counter":            {answers: numbers(-8, 12)},
	"log":                {answers: numbers(0, 12)},
	"unique-ids":         {answers: numbers(0, 40)},
	"fenced-lock":        {answers: numbers(0, 6), args: tokens},
	"lease-lock":         {answers: numbers(0, 6), args: tokens},
	"set-full":           {answers: wholeSets},
	"versioned-register": {answers: versions, args: versioned},
	"bank":               {answers: balances(0), args: transfers},
	"bank({0 3, 1 2})":   {answers: balances(0), args: transfers},
	"overdraft-bank":     {answers: balances(-3), args: transfers},
}

// oracleType is how histories of a model are made.
type oracleType struct {
	key  bool                                       // a first argument may be in :key
	args func(r *rand.Rand, method string) []string // nil: small numbers

	// answers are values that a call may have in a state, and may have at all, if that is nil. Left out, they are the
	// arguments of all calls.
	answers func(state wgl.State, method string) [][]history.Value
}

func numbers(from, to int) func(wgl.State, string) [][]history.Value {
	return func(wgl.State, string) (all [][]history.Value) {
		for n := from; n <= to; n++ {
			all = append(all, []history.Value{history.Value(strconv.Itoa(n))})
		}
		return all
	}
}

func tokens(r *rand.Rand, method string) []string {
	if method == "acquire" {
		return nil
	}
	return []string{strconv.Itoa(r.IntN(4))}
}

// wholeSets are what a set-full is read as: a state is {1, 2}.
func wholeSets(s wgl.State, method string) [][]history.Value {
	if method != "read" {
		return nil
	}
	if s != nil {
		return [][]history.Value{{"#" + history.Value(strings.ReplaceAll(fmt.Sprint(s), ",", ""))}}
	}
	return [][]history.Value{{"#{}"}, {"#{0}"}, {"#{0 1}"}, {"#{0 2}"}, {"#{0 1 2}"}}
}

// versions are values with versions, and versions: a state is 7, version 2.
func versions(s wgl.State, method string) (all [][]history.Value) {
	for n := range 12 {
		if version := history.Value(strconv.Itoa(n)); method != "read" {
			all = append(all, []history.Value{version})
		} else if value, now, ok := strings.Cut(fmt.Sprint(s), ", version "); ok {
			return [][]history.Value{{history.Value(value), history.Value(now)}}
		} else {
			all = append(all, []history.Value{"1", version}, []history.Value{version, "1"})
		}
	}
	return all
}

func versioned(r *rand.Rand, method string) []string {
	value, version := strconv.Itoa(5+r.IntN(3)), strconv.Itoa(r.IntN(5))
	switch {
	case method == "read":
		return nil
	case method == "cas":
		return []string{version, value}
	case r.IntN(3) == 0:
		return []string{value, version}
	}
	return []string{value}
}

// balances are those of two accounts: a state is {0: 3, 1: at least 2}.
func balances(least int) func(wgl.State, string) [][]history.Value {
	return func(s wgl.State, method string) (all [][]history.Value) {
		if text := fmt.Sprint(s); method != "read" {
			return nil
		} else if strings.Contains(text, "0: ") && strings.Contains(text, "1: ") && !strings.Contains(text, "at ") {
			all = append(all, []history.Value{history.Value(strings.NewReplacer(":", "", ",", "").Replace(text))})
		}
		for n := range 64 {
			all = append(all, []history.Value{history.Value(fmt.Sprintf("{0 %d 1 %d}", least+n%8, least+n/8))})
		}
		return all
	}
}

func transfers(r *rand.Rand, method string) []string {
	if method != "transfer" {
		return nil
	}
	from := r.IntN(2)
	return []string{strconv.Itoa(from), strconv.Itoa(1 - from), strconv.Itoa(r.IntN(4))}
}

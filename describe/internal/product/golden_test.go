package product_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/product"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// products are the types of the golden table that are products, with their keys:
// role and argument of each method.
var products = map[string]string{
	"set":         "add key 1, remove key 1, contains key 1",
	"presence":    "enter key 1, leave key 1, isHere key 1",
	"setlen":      "add key 1, remove key 1, len sum",
	"syncmap":     "load key 1, store key 1, loadOrStore key 1, loadAndDelete key 1, delete key 1",
	"putifabsent": "putIfAbsent key 1, lookup key 1",
	"kvbytes":     "put key 1, get key 1, delete key 1",
	"kvcas":       "get key 1, put key 1, compareAndSwap key 1",
	"ttlcache":    "set key 1, get key 1, tick all",
	"sessions":    "login key 1, touch key 1, logout key 1",
	"topic":       "publish all, poll key 1",
	"namedqueues": "send key 1, receive key 1",
	"multiset":    "add key 1, remove key 1, count key 1",
}

// reasons are why some others are none.
var reasons = map[string]string{
	"mutex":     "no method has an argument that could be a key",
	"eventbus":  "no method with an argument changes a later answer",
	"fifo":      "it is no product with argument 1 of enqueue as the key: after enqueue(a): dequeue => a, an answer with the key in it",
	"bank":      "it is no product with argument 1 of deposit, transfer, balance as the key, since it does not treat all values of that alike: after deposit(a, b); transfer(a, a, b): transfer(a, a, b), but with another value after deposit(y9973, b); transfer(y9973, a, b): transfer(y9973, a, b) => error",
	"lru4":      "it is no product with argument 1 of get, put as the key: after put(a, b); put(b, b); put(c, b); put(d, b); put(e, f): get(a) => nil, but get(a) => b without the calls of other keys",
	"unionfind": "it is no product with argument 1 of union, connected as the key, since it does not treat all values of that alike: union(a, a) => false, but with another value union(y9973, a) => true",
}

// TestGolden finds the keys of the golden table's types.
func TestGolden(t *testing.T) {
	sample := testsize.Some([]string{"topic", "setlen", "fifo", "lru4", "bank", "mutex"}, 3)
	for _, typ := range golden.Types() {
		if typ.Loads != "yes" || !testsize.Nightly() && !slices.Contains(sample, typ.Name) {
			continue
		}
		t.Run(typ.Name, func(t *testing.T) {
			impl, err := reference.Load(t.Context(), typ.Dir(t), typ.Options())
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			found, err := product.Find(t.Context(), impl)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(found.Keys); got != products[typ.Name] {
				t.Errorf("found %q, want %q", got, products[typ.Name])
			}
			if (found.Why == "") != (found.Keys != nil) || reasons[typ.Name] != "" && found.Why != reasons[typ.Name] {
				t.Errorf("no product, for %s", found.Why)
			}
			t.Log(found.Why)
		})
	}
}

// text is keys as products writes them.
func text(keys []theory.Key) string {
	var all []string
	for _, k := range keys {
		s := k.Method + " " + string(k.Role)
		if k.Role == theory.ByKey {
			s += " " + strconv.Itoa(k.Arg+1)
		}
		if k.Ret > 0 {
			s += " returned " + strconv.Itoa(k.Ret)
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

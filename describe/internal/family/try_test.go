package family

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/reference"
)

func TestTry(t *testing.T) {
	for _, p := range []string{"lru"} {
		small := map[int]*automata.Automaton{}
		for s := 2; s <= 4; s++ {
			pkg, err := reference.Load(context.Background(), "/tmp/h2t/"+p, reference.Options{Dir: "/tmp/h2t", New: fmt.Sprintf("New(%d)", s)})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			f, err := learn.Learn(context.Background(), pkg.Implementation, learn.Options{Words: 300})
			if err != nil {
				t.Fatal(err)
			}
			pkg.Close()
			if os.Getenv("V") != "" {
				fmt.Println(p, s, time.Since(start), f.Why)
			}
			if f.Automaton == nil {
				break
			}
			small[s] = f.Automaton
		}
		for lo := 2; lo <= 3 && len(small) > 0; lo++ {
			start := time.Now()
			a, why := Of(small, 50)
			fmt.Println(p, len(small), lo, time.Since(start), why)
			if a != nil {
				b, _ := Of(small, 4)
				learn.Arrange(b)
				fmt.Println(a)
				fmt.Println(len(a.Locations), b != nil && b.String() == small[4].String())
				start := time.Now()
				c, err := automata.Parse(a.String(), a.Methods)
				fmt.Println(time.Since(start), err, err == nil && c.String() == a.String(), err == nil && reflect.DeepEqual(a, c))
				break
			}
			delete(small, 2)
		}
	}
}

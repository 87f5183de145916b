package history

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestZeroBesideNo: the zero value of any type, and nil of a pointer to it, says nothing beside
// false and beside an error, as logs, package fmt and encoding/json write it.
func TestZeroBesideNo(t *testing.T) {
	understood := 0
	for seed := range testsize.Samples(3000) {
		r := rand.New(rand.NewPCG(seed, 91))
		typ := anytype.Type(r, 2)
		zero := reflect.New(typ).Elem()
		b := values.Types{}.BasicOf(typ)
		_, err := json.Marshal(zero.Interface())
		if _, ok := b.Text(values.LogText(zero)); !ok || err != nil {
			continue
		}
		found := besideSig(t, b, r.IntN(2) == 0)
		texts := []string{"nil", "<nil>", "null", textOf(values.LogText(zero)), textOf(fmt.Sprintf("%v", zero.Interface())), textOf(fmt.Sprintf("%+v", zero.Interface())), textOf(fmt.Sprintf("%#v", zero.Interface()))}
		for i, text := range texts {
			for _, no := range []string{"false", "ErrNo", "error: no such"} {
				log := "[1] call find\n[1] return " + text + ", " + no + "\n"
				if no != "false" {
					log = strings.Replace(log, "find", "get", 1)
				}
				got, err := firstLabel(log, found)
				if got == "" && i > 3 || strings.Contains(text, "struct {") {
					continue // package fmt may write what cannot be read
				}
				if understood++; err != nil || got != "find => nil" && got != "get => ErrNo" {
					t.Errorf("seed %d, %s: %q beside %s is %q, %v", seed, typ, text, no, got, err)
				}
			}
		}
		whole, _ := json.Marshal(zero.Interface())
		if b.Kind != values.KindBytes && b.HasBytes() {
			whole = []byte("null") // within lists, null may be these bytes
		}
		for _, text := range []string{"null", string(whole)} {
			for _, rest := range []string{`"rets":[` + text + `,false]`, `"rets":[` + text + `],"error":"no such"`, `"rets":[` + text + `],"error":"ErrNo"`} {
				method := map[bool]string{true: "find", false: "get"}[strings.Contains(rest, ",false]")]
				log := `{"format":2}` + "\n" + `{"op":1,"event":"call","method":"` + method + `"}` + "\n" + `{"op":1,"event":"return",` + rest + "}\n"
				got, err := firstLabel(log, found)
				if err != nil && text != "null" && (strings.Contains(err.Error(), "answers with") || strings.Contains(err.Error(), "cannot return")) {
					continue // fields without names in JSON
				}
				if understood++; err != nil || got != "find => nil" && got != "get => ErrNo" {
					t.Errorf("seed %d, %s: %s is %q, %v", seed, typ, rest, got, err)
				}
			}
		}
	}
	if understood < 1000 {
		t.Errorf("%d texts understood", understood)
	}
}

// besideSig has methods that answer with a value of a type, or a struct's fields, and false or an error.
func besideSig(t *testing.T, b values.Basic, split bool) Signature {
	find := MethodSig{Name: "find", Results: []values.Basic{b}, Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Nil}}}
	if leaves := b.Leaves(); split && b.Splits() {
		find.Structs, find.Results, find.Outcomes[0].Rets = find.Results, leaves, len(leaves)
	}
	get := find
	get.Name, get.Outcomes = "get", []OutcomeSig{find.Outcomes[0], {Outcome: Nil}, {Outcome: "ErrNo", Error: "no such"}}
	sig, err := NewSignature(find, get)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

// textOf is a value as a text log has it.
func textOf(text string) string {
	return raw{text: text, quoted: text == "" || text == "false"}.String()
}

func firstLabel(log string, sig Signature) (string, error) {
	e, err := ReadLog(strings.NewReader(log), "log", sig)
	if err != nil {
		return "", err
	}
	return e.Ops[0].Label.String(), nil
}

package equations

import (
	"reflect"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// mute has a threshold: until fires is what no method answers.
func mute(until ObserverText) *Document {
	return &Document{
		Closed: true,
		Methods: []MethodText{
			{Name: "mute", Params: []string{"alert text", "until int"}, Answers: []string{"answer mute word"}},
			{Name: "fire", Params: []string{"alert text", "now int"}, Answers: []string{"answer fire word"}, Pure: true},
		},
		Observers: []ObserverText{
			{Name: "mute", Params: []string{"alert text", "until int"}, Sort: "word", Method: "mute", Is: "ok"},
			{Name: "fire", Params: []string{"alert text", "now int"}, Sort: "word", Method: "fire", Is: "false if now < until_fire(alert); true otherwise"},
			until,
		},
	}
}

var untilFire = ObserverText{Name: "until_fire", Params: []string{"alert text"}, Sort: "int", Method: "fire", Least: "now", Word: "true",
	Start: "always", After: []AfterText{{"mute", "until if alert == alert' and absent(until_fire(alert)); max(until_fire(alert), until) if alert == alert'; until_fire(alert') otherwise"}}}

// TestThresholds: observers that are the least value of a parameter are read and written,
// and those of what is no other parameter of their method are refused.
func TestThresholds(t *testing.T) {
	d := mute(untilFire)
	s, err := Parse(d)
	if err != nil {
		t.Fatal(err)
	}
	if again := s.Document(); !reflect.DeepEqual(again, d) {
		t.Errorf("%+v is written as %+v", d, again)
	}
	for what, change := range map[string]func(*ObserverText){
		"another parameter": func(o *ObserverText) { o.Least = "then" },
		"a text":            func(o *ObserverText) { o.Least, o.Params = "alert", []string{"now int"} },
		"a parameter twice": func(o *ObserverText) { o.Params = []string{"alert text", "now int"} },
		"no method":         func(o *ObserverText) { o.Method = "burn" },
		"a list":            func(o *ObserverText) { o.Repeat = "mute" },
		"no number":         func(o *ObserverText) { o.Sort = "word" },
		"a word alone":      func(o *ObserverText) { o.Least = "" },
	} {
		o := untilFire
		if change(&o); what == "a parameter twice" {
			o.Start, o.After = "0", nil
		}
		if _, err := Parse(mute(o)); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// TestThresholdType: a threshold that exceeds the type of its parameter is nothing that laws
// say.
func TestThresholdType(t *testing.T) {
	s, err := Parse(mute(untilFire))
	if err != nil {
		t.Fatal(err)
	}
	small := values.Basic{Kind: values.KindInt, Bits: 8}
	text := values.Basic{Kind: values.KindString}
	sigs := []*history.MethodSig{{Name: "mute", Params: []values.Basic{text, small}}, {Name: "fire", Params: []values.Basic{text, small}}}
	types := typesOf(s, sigs)
	if types.refuse(s, 2, IntOf(127)) != nil || types.refuse(s, 2, IntOf(128)) == nil {
		t.Error("128 is taken for an int8")
	}
}

package values

import "testing"

// TestOfAnswer: numbers in answers are values of arguments, and what is in parentheses none.
func TestOfAnswer(t *testing.T) {
	number, text := Basic{Kind: KindInt, Bits: 64}, Basic{Kind: KindString}
	pair := Basic{Kind: KindStruct, Fields: []Field{{GoName: "A", Basic: text}, {GoName: "B", Basic: number}}}
	list := Basic{Kind: KindList, Elem: &pair}
	table := Basic{Kind: KindMap, Key: &number, Elem: &Basic{Kind: KindPointer, Elem: &pair}}
	for _, tt := range []struct {
		of         Basic
		text, want string
		bad        bool
	}{
		{number, "2", "1075", false}, {number, "(2)", "2", false}, {text, `("two words")`, "two words", false}, {text, "3", "v3", false},
		{pair, "{1 (0)}", "{v1 0}", false}, {pair, `{("") 2}`, `{"" 1075}`, false}, {pair, "4", "{v4 1149}", false},
		{list, "[2 {(a) (0)}]", "[{v2 1075} {a 0}]", false}, {list, "([])", "[]", false},
		{table, "map[2:&1 (0):(nil)]", "map[0:nil 1075:&{v1 1038}]", false}, {pair, "{a b}", "", true}, {list, "[0]", "", true},
	} {
		if got, ok := tt.of.OfAnswer(tt.text, nil); ok == tt.bad || ok && got != tt.want {
			t.Errorf("%s is %s, %t, want %s", tt.text, got, ok, tt.want)
		}
	}
}

package history_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// TestAdd: which method each name is of, once a user has said so.
func TestAdd(t *testing.T) {
	methods := []history.MethodSig{
		{Name: "inc", Aliases: []string{"increment"}},
		{Name: "add", Args: 1},
		{Name: "acquire", Aliases: []string{"lock", "tryAcquire"}},
	}
	for _, tt := range []struct {
		name      string
		names     map[string][]string
		asked, is string
		wrong     string
	}{
		{name: "nothing said", asked: "increment", is: "inc"},
		{name: "another name", names: map[string][]string{"inc": {"up"}}, asked: "up", is: "inc"},
		{name: "taken from another", names: map[string][]string{"add": {"increment"}}, asked: "increment", is: "add"},
		{name: "by an alias", names: map[string][]string{"tryAcquire": {"try_acquire"}}, asked: "try_acquire", is: "acquire"},
		{name: "as in Go", names: map[string][]string{"Acquire": {"grab"}}, asked: "grab", is: "acquire"},
		{name: "the same again", names: map[string][]string{"acquire": {"lock"}}, asked: "lock", is: "acquire"},
		{name: "unknown", names: map[string][]string{"acquir": {"x"}}, wrong: `aliases for an unknown method "acquir"; did you mean "acquire"?`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			added, err := history.Add(methods, tt.names)
			if tt.wrong != "" {
				if err == nil || err.Error() != tt.wrong {
					t.Errorf("got %v, want %s", err, tt.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			s, err := history.NewSignature(added...)
			if err != nil {
				t.Fatal(err)
			}
			if m, ok := s.Method(tt.asked); !ok || m.Name != tt.is {
				t.Errorf("%s is %v, want %s", tt.asked, m, tt.is)
			}
			if len(methods[0].Aliases) != 1 || len(methods[2].Aliases) != 2 {
				t.Errorf("the methods given were changed: %v", methods)
			}
		})
	}
}

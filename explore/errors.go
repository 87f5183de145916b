package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
)

// unnamed is what ends a search in which errors of the package were to be errors of the
// reference, by their texts, and one is none.
type unnamed struct{ method, text, against string }

func (u *unnamed) Error() string {
	return fmt.Sprintf("%s returned the error %q, which %s was not seen to return, so which error it is was not compared", u.method, u.text, u.against)
}

// mostRuns bounds the calls that are made to find the errors of a reference.
const mostRuns = 2000

// nameErrors has the errors that the reference returns in few calls be outcomes of their own,
// by their texts. An error that it returns only later is one that the package has, too, or it
// is unnamed; then errors are not told apart.
func (l *loaded) nameErrors() {
	mayFail := slices.ContainsFunc(l.MayFail, func(k string) bool { return strings.HasSuffix(k, "="+string(history.Error)) })
	if l.ref == nil || !l.naming || mayFail || !slices.ContainsFunc(l.run.Methods, func(m history.MethodSig) bool {
		return slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == history.Error })
	}) {
		return
	}
	for op, texts := range errorsOf(l.runner, l.run) {
		l.run.NameErrors(op, texts)
	}
}

// errorsOf are the texts of the errors that operations return, one after the other, by their
// numbers. What ends it early leaves some out.
func errorsOf(r *runner, list *spec.List) map[int][]string {
	all, runs := map[int][]string{}, 0
	for {
		if again := addErrors(r, list, all, &runs); !again {
			return all
		}
	}
}

// addErrors adds the texts of errors; again reports whether the runner's states are void.
func addErrors(r *runner, list *spec.List, all map[int][]string, runs *int) (again bool) {
	first, err := r.Start()
	seen, queue := map[string]bool{string(first): true}, [][]byte{first}
	for ; err == nil && len(queue) > 0; queue = queue[1:] {
		for call := range list.Calls {
			if *runs++; *runs > mostRuns {
				return false
			}
			var ran []spec.Ran
			if ran, err = r.Run(queue[0], int32(call)); err != nil {
				break // of another error the search says more
			}
			for _, n := range ran {
				if text := list.ErrorText(n.Result); text != "" && !slices.Contains(all[n.Result.Op], text) {
					all[n.Result.Op] = append(all[n.Result.Op], text)
				}
				if !seen[string(n.Next)] {
					seen[string(n.Next)] = true
					queue = append(queue, n.Next)
				}
			}
		}
	}
	return errors.Is(err, machine.ErrAgain)
}

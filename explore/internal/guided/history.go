package guided

import (
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Event is a call or a return of a thread. The operation is the thread's next one, or the one that it
// runs.
type Event struct {
	Thread int
	Return bool
}

// History is calls and returns in order.
type History []Event

// counts are operations by thread.
type counts []uint8

// mostOperations is how many operations a thread may have.
const mostOperations = 255

// Check refuses a history that goroutines with these plans do not have, with so many answers.
func (h History) Check(plans [][]int32, answers int) error {
	called, ended := make([]int, len(plans)), make([]int, len(plans))
	for _, e := range h {
		switch {
		case e.Thread < 0 || e.Thread >= len(plans):
			return errors.New("the history has an event of a goroutine that there is not")
		case e.Return && called[e.Thread] == ended[e.Thread]:
			return errors.New("the history has a return without a call")
		case !e.Return && called[e.Thread] > ended[e.Thread]:
			return errors.New("the history has a call before the goroutine's last one returned")
		case e.Return:
			ended[e.Thread]++
			answers--
		default:
			called[e.Thread]++
		}
	}
	if answers != 0 {
		return errors.New("the history has returns without answers")
	}
	for t := range plans {
		switch {
		case called[t] > mostOperations:
			return errors.New("the history has a goroutine with too many calls")
		case called[t] != len(plans[t]):
			return errors.New("the history does not have all calls")
		}
	}
	return nil
}

// before lists, by thread and operation, what must have ended before it begins; last is what
// ends in all.
func (h History) before(threads int) (needs [][]counts, last counts) {
	needs, last = make([][]counts, threads), make(counts, threads)
	for _, e := range h {
		if e.Return {
			last[e.Thread]++
		} else {
			needs[e.Thread] = append(needs[e.Thread], slices.Clone(last))
		}
	}
	return needs, last
}

// covers reports whether so much has ended.
func (c counts) covers(need counts) bool {
	for t, n := range need {
		if c[t] < n {
			return false
		}
	}
	return true
}

// Place puts the calls and returns of a run where its history has them: a call not before it has to
// be there, a return as early as it may. What a pending operation returns is no event.
func Place(run []machine.Event, h History, plans [][]int32) ([]machine.Event, error) {
	type operation struct{ thread, nth int }
	p := placing{history: h, plans: plans, called: make([]int, len(plans)), returned: make([]int, len(plans))}
	began, ended := make([]int, len(plans)), make([]int, len(plans))
	answers := map[operation]machine.Event{}
	for _, e := range run {
		if e.Thread >= len(plans) || e.Kind != machine.CallEvent && e.Kind != machine.ReturnEvent {
			p.out = append(p.out, e)
			continue
		}
		if e.Kind == machine.CallEvent {
			began[e.Thread]++
			for p.called[e.Thread] < began[e.Thread] {
				if !p.next(e.Step, func(t, nth int) (machine.Event, bool) { a, ok := answers[operation{t, nth}]; return a, ok }) {
					return nil, errors.New("the run does not have the history")
				}
			}
			continue
		}
		answers[operation{e.Thread, ended[e.Thread]}] = e
		ended[e.Thread]++
		for range p.ready(func(t, nth int) bool { return nth < ended[t] }) {
			p.next(e.Step, func(t, nth int) (machine.Event, bool) { return answers[operation{t, nth}], true })
		}
	}
	for p.at < len(h) {
		step := 0
		if n := len(p.out); n > 0 {
			step = p.out[n-1].Step
		}
		if !p.next(step, func(t, nth int) (machine.Event, bool) { a, ok := answers[operation{t, nth}]; return a, ok }) {
			return nil, errors.New("the run does not have the history")
		}
	}
	return p.out, nil
}

// placing is a history up to an event.
type placing struct {
	history          History
	plans            [][]int32
	at               int
	called, returned []int
	out              []machine.Event
}

// next appends the next event of the history, in a step; false if it is a return without an answer.
func (p *placing) next(step int, answer func(thread, nth int) (machine.Event, bool)) bool {
	if p.at == len(p.history) {
		return false
	}
	e := p.history[p.at]
	p.at++
	if !e.Return {
		p.out = append(p.out, machine.Event{Thread: e.Thread, Kind: machine.CallEvent, Call: p.plans[e.Thread][p.called[e.Thread]], Answer: -1, Step: step})
		p.called[e.Thread]++
		return true
	}
	r, ok := answer(e.Thread, p.returned[e.Thread])
	r.Step = step
	p.out = append(p.out, r)
	p.returned[e.Thread]++
	return ok
}

// ready is how many of the next events may happen, up to the last return among them.
func (p *placing) ready(ended func(thread, nth int) bool) (n int) {
	returned := slices.Clone(p.returned)
	for i, e := range p.history[p.at:] {
		if !e.Return {
			continue
		}
		if !ended(e.Thread, returned[e.Thread]) {
			break
		}
		returned[e.Thread]++
		n = i + 1
	}
	return n
}

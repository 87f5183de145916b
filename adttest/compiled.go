package adttest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/schedule"
)

// schedulesVariable turns controlled schedules off (0), or on where they are off (1): in adtinfer's own module, whose
// tests would compile half of it anew.
const schedulesVariable = "ADTTEST_SCHEDULES"

const ownModule = "github.com/adtinfer/adtinfer/"

// compiled runs the test in a program of its own whose runtime is changed, for half of the budget, and returns the text of
// the failure that was found there. ran is false where such a program cannot be made; why says so.
func compiled(ctx context.Context, t testing.TB, c Config, h host) (text string, ran bool, why error) {
	call := callOf(t)
	on := os.Getenv(schedulesVariable)
	env, err := readEnvironment(os.Getenv)
	if err == nil {
		c, err = c.withDefaults(env) // what is wrong is said by the run that follows
	}
	_, isTest := t.(*testing.T)
	switch {
	case err != nil || !isTest || on == "0" || env.replay != "" || bubbleOf() != nil || testing.Short():
		return "", false, nil
	case strings.HasPrefix(h.pkg, ownModule) && on != "1":
		return "", false, nil
	case env.seeded && exists((&run{Config: c, host: h}).logPath(env.seed)):
		return "", false, nil // it is checked again
	}
	slow := time.AfterFunc(3*time.Second, func() {
		h.say("adttest: compiling the test once more, for controlled schedules (half a minute the first time; " + schedulesVariable + "=0 leaves them out)")
	})
	p, err := program(ctx)
	slow.Stop()
	if err != nil {
		return "", false, err
	}
	report, err := os.CreateTemp("", "adttest-")
	if err != nil {
		return "", false, err
	}
	report.Close()
	defer os.Remove(report.Name())
	output, failed, err := p.RunHosted(ctx, schedule.Hosted{Test: t.Name(), Time: 4*c.Budget + 2*time.Minute, Env: []string{
		fmt.Sprintf("%s=%d", callVariable, call), reportVariable + "=" + report.Name(), "ADTTEST_BUDGET=" + (c.Budget / 2).String()}})
	if err != nil {
		return "", false, err
	}
	if found, err := os.ReadFile(report.Name()); err == nil && len(found) > 0 {
		return string(found), true, nil
	}
	if failed && schedule.Died(output) != "" {
		return "a goroutine ended the program, in a run under controlled schedules:\n\n" + indent(schedule.Died(output)), true, nil
	}
	return "", !failed, nil // the test fails for reasons of its own, which it shows here, too
}

// programs has the program of this package, which all its tests share.
var programs struct {
	sync.Once
	p   *schedule.Program
	err error
}

func program(ctx context.Context) (*schedule.Program, error) {
	programs.Do(func() {
		tool, err := schedule.NewToolchain(ctx, ".")
		if err != nil {
			programs.err = err
			return
		}
		all, err := tool.Build(ctx, ".", []string{"."}, schedule.BuildOptions{Deps: true})
		if programs.err = err; err == nil {
			programs.p = all[0]
		}
	})
	if programs.p == nil && programs.err == nil {
		return nil, errors.New("the program of another test could not be built")
	}
	return programs.p, programs.err
}

package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a tab of the browser with one page, and what that page did which it must not.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	address string
	misdeed []string // requests, errors, whatever was written to the console
}

// open opens a tab. Tests end there without a browser.
func open(t *testing.T, actions ...chromedp.Action) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil && os.Getenv("ADTINFER_CHROMIUM") == "" {
		t.Skip("there is no chromium here; with ADTINFER_CHROMIUM=1 that is an error")
	}
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("headless", "new"), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, b.hear)
	b.do(append([]chromedp.Action{network.Enable(), log.Enable(), runtime.Enable()}, actions...)...)
	return b
}

// hear notes what pages must not do.
func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != b.address {
			b.misdeed = append(b.misdeed, "request of "+e.Request.URL)
		}
	case *runtime.EventConsoleAPICalled:
		b.misdeed = append(b.misdeed, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		b.misdeed = append(b.misdeed, "exception: "+e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		b.misdeed = append(b.misdeed, "log: "+e.Entry.Text)
	}
}

func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// visit loads a page, which may have a fragment behind its address.
func (b *tab) visit(address, fragment string) {
	b.t.Helper()
	b.mu.Lock()
	b.address = address
	b.mu.Unlock()
	b.do(chromedp.Navigate(address + fragment))
}

// drawn waits for the script of a page to have drawn the log.
func (b *tab) drawn() {
	b.t.Helper()
	b.do(chromedp.Poll(`performance.getEntriesByName("drawn").length > 0`, nil), frame)
}

// frame waits until what was asked for is drawn.
var frame = chromedp.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, nil, awaited)

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// say evaluates an expression that is a text.
func (b *tab) say(expression string) (text string) {
	b.t.Helper()
	b.do(frame, chromedp.Evaluate(expression, &text))
	return text
}

// expect compares what an expression says.
func (b *tab) expect(expression, want string) {
	b.t.Helper()
	if got := b.say(expression); got != want {
		b.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// good says what the page did that it must not.
func (b *tab) good() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.misdeed {
		b.t.Error(m)
	}
}

// shot keeps a picture of the page where ADTINFER_SHOTS names a folder.
func (b *tab) shot(name string) {
	b.t.Helper()
	dir := os.Getenv("ADTINFER_SHOTS")
	if dir == "" {
		return
	}
	var picture []byte
	b.do(chromedp.FullScreenshot(&picture, 100))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// scheme asks for a light or a dark theme.
func scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
}

// TestHear: requests, errors and refusals of the policy are noticed.
func TestHear(t *testing.T) {
	for name, html := range map[string]string{
		"request of http://127.0.0.1:9/x.png": `<img src="http://127.0.0.1:9/x.png">`,
		"console: log":                        `<script>console.log(1)</script>`,
		"exception: ":                         `<script>nothing()</script>`,
		"Content Security Policy":             `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p style="color: red">`,
	} {
		b := open(t)
		b.visit(file(t, []byte("<!DOCTYPE html><link rel=icon href=data:,>"+html)), "")
		b.do(frame, chromedp.Sleep(100*time.Millisecond))
		b.mu.Lock()
		if !strings.Contains(fmt.Sprint(b.misdeed), name) {
			t.Errorf("%s is not noticed: %q", name, b.misdeed)
		}
		b.mu.Unlock()
	}
}

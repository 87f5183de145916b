package reference

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver"
)

// process is a running child with its frames.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	in     *bufio.Reader // stdout
	nonce  string        // before each frame
	ending sync.Once
	exited chan struct{}
	tail   tail

	now, before position // the last progress heard, and what preceded its sequence
}

// position is a call, -1 for the constructor, of a sequence.
type position struct{ sequence, call int }

// progress notes that a call begins.
func (p *process) progress(at position) {
	if at.call < 0 {
		p.before = p.now
	}
	p.now = at
}

type frame struct {
	kind    byte
	payload []byte
}

var (
	errEnded  = errors.New("the child process ended")
	errSilent = errors.New("the child process is silent")
)

// startProcess starts a program that was just built. A program file may look
// busy for a moment when another thread of this process forks.
func startProcess(exe, dir, nonce string, l *loader) (*process, error) {
	for try := 0; ; try++ {
		p, err := tryStart(exe, dir, nonce, l)
		if err == nil {
			return p, nil
		}
		if try == 20 || !errors.Is(err, syscall.ETXTBSY) {
			return nil, fmt.Errorf("reference: %w", err)
		}
		time.Sleep(time.Duration(try+1) * time.Millisecond)
	}
}

func tryStart(exe, dir, nonce string, l *loader) (*process, error) {
	p := &process{nonce: nonce, exited: make(chan struct{})}
	p.tail.to = l.Stderr
	p.cmd = exec.Command(exe)
	p.cmd.Dir = dir
	p.cmd.Env = append(slices.Clone(l.Env), "PWD="+dir)
	p.cmd.Stderr = &p.tail
	p.cmd.WaitDelay = time.Second // a descendant may keep it open
	ownGroup(p.cmd)
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = stdin
	out, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stdout = w
	err = p.cmd.Start()
	w.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	p.stdout, p.in = out, bufio.NewReaderSize(out, 1<<16)
	go func() {
		p.cmd.Wait()
		killGroup(p.cmd.Process) // what it started and left behind
		close(p.exited)
	}()
	return p, nil
}

// send writes a frame to the child.
func (p *process) send(kind byte, payload []byte) error {
	_, err := p.stdin.Write(driver.AppendFrame(nil, "", kind, payload))
	return err
}

// read reads a frame. What comes before it was printed by the package and goes where
// its other prints go.
func (p *process) read() (f frame, err error) {
	if err := p.skip(); err != nil {
		return f, err
	}
	f.kind, f.payload, err = driver.ReadFrame(p.in, nil)
	return f, err
}

// skip reads up to and including the nonce.
func (p *process) skip() error {
	var noise []byte
	defer func() {
		if len(noise) > 0 {
			p.tail.Write(noise)
		}
	}()
	for {
		if b, err := p.in.Peek(len(p.nonce)); err == nil && string(b) == p.nonce {
			p.in.Discard(len(p.nonce))
			return nil
		}
		b, err := p.in.ReadByte()
		if err != nil {
			return err
		}
		if noise = append(noise, b); len(noise) > 1<<16 {
			p.tail.Write(noise)
			noise = noise[:0]
		}
	}
}

// receive waits for a frame, for so long without any. If none comes in time, or the
// context ends, it ends the process.
func (p *process) receive(ctx context.Context, silence time.Duration) (frame, error) {
	late := time.AfterFunc(silence, p.end)
	ended := context.AfterFunc(ctx, p.end)
	f, err := p.read()
	inTime := late.Stop()
	switch {
	case !ended():
		return frame{}, ctx.Err()
	case !inTime:
		return frame{}, errSilent
	case err != nil:
		return frame{}, errEnded
	}
	return f, nil
}

// end kills the process and what it started, and waits for it.
func (p *process) end() {
	p.ending.Do(func() {
		p.stdin.Close()
		select {
		case <-p.exited: // the number may be another process's by now
		default:
			killGroup(p.cmd.Process)
		}
		p.stdout.Close() // what the child started may hold it open
	})
	<-p.exited
}

// lastWords says how a process ended: its status and the crash, if there was one.
// A process that ended its output otherwise is given a moment to end itself.
func (p *process) lastWords() (string, crash) {
	select {
	case <-p.exited:
	case <-time.After(2 * time.Second):
	}
	p.end()
	words := p.cmd.ProcessState.String()
	c := readCrash(p.tail.printed(), p.cmd.Dir)
	if c.message != "" {
		words += ": " + c.message
	}
	return words, c
}

// tail passes on what a package prints and keeps the end of it.
type tail struct {
	mu   sync.Mutex
	to   io.Writer
	kept []byte
}

const tailSize = 1 << 16

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if extra := len(t.kept) - tailSize; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	t.to.Write(b) // the child must not stall because nobody reads its prints
	return len(b), nil
}

// printed is the end of what the package printed.
func (t *tail) printed() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}

package adttest

import (
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

type message struct {
	To   string
	Body []byte
}

// mail is a queue of messages; loses says that a put may be lost.
type mail[T any] struct {
	mu    sync.Mutex
	all   []T
	loses bool
}

func (m *mail[T]) Put(v T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.loses || len(m.all) == 0 {
		m.all = append(m.all, v)
	}
}

func (m *mail[T]) Get() (v T, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.all) > 0 {
		v, m.all, ok = m.all[0], m.all[1:], true
	}
	return v, ok
}

// TestOpaqueArguments tests queues of structs, pointers and bytes.
func TestOpaqueArguments(t *testing.T) {
	testsize.NeedsLong(t)
	opaque[message](t, "structs")
	opaque[*message](t, "pointers")
	opaque[[]byte](t, "bytes")
}

func opaque[T any](t *testing.T, name string) {
	for _, loses := range []bool{false, true} {
		spec := reference.Spec{Name: "mail", New: func() *mail[T] { return new(mail[T]) }}
		budget := 300 * time.Millisecond
		if loses {
			budget = patience
		}
		f := find(t, Config{New: func() *mail[T] { return &mail[T]{loses: loses} }, Reference: spec, Theory: queueTheory,
			Aliases: map[string][]string{"add": {"put"}, "remove": {"get"}}, Budget: budget})
		if (f != nil) != loses {
			t.Errorf("queue of %s that loses values, %t: %v", name, loses, f)
		}
	}
}

package reference

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/objects"
	"github.com/adtinfer/adtinfer/internal/driver/states"
)

// Walk makes steps ahead; see states.Space. A step that fails is left to Step.
func (s *space) Walk(ctx context.Context, steps []states.Pair) error {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	err := errAnew
	for err == errAnew {
		err = s.walk(ctx, steps)
	}
	if errors.Is(err, states.ErrMemory) || errors.As(err, new(*driver.Fault)) {
		return nil
	}
	return s.wrap(ctx, err)
}

func (s *space) walk(ctx context.Context, steps []states.Pair) error {
	if err := s.alive(ctx); err != nil {
		return err
	}
	var pairs []byte
	n := 0
	for _, p := range steps {
		if _, known := s.steps[pair(p.State, p.Call)]; !known && s.calls[p.Call].wire >= 0 {
			pairs = driver.AppendNumber(driver.AppendNumber(pairs, int(p.State)), int(s.calls[p.Call].wire))
			n++
		}
	}
	b := driver.AppendNumber(s.announce(s.request(driver.KeepSteps)), n)
	reply, err := s.client.back.ask(ctx, append(b, pairs...))
	if err == nil || errors.As(err, new(*driver.Fault)) {
		s.sent = len(s.wired)
	}
	if err != nil {
		return err
	}
	return s.note(driver.NewReader(reply))
}

// Forms are states as items; see states.Space.
func (s *space) Forms(ctx context.Context, of []int32) ([]states.Form, error) {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	if err := s.alive(ctx); err != nil {
		return nil, s.wrap(ctx, err)
	}
	b := s.request(driver.KeepForms)
	for _, n := range of {
		b = driver.AppendNumber(b, int(n))
	}
	reply, err := s.client.back.ask(ctx, b)
	if err != nil {
		return nil, s.wrap(ctx, err)
	}
	in := driver.NewReader(reply)
	forms := make([]states.Form, len(of))
	for i := range forms {
		if forms[i], err = readForm(driver.NewReader(in.Bytes())); err != nil {
			return nil, s.wrap(ctx, err)
		}
	}
	return forms, in.Err
}

func readForm(in *driver.Reader) (f states.Form, err error) {
	f.Parts = map[int][]states.Item{}
	list, err := readItems(in)
	part, from := -1, 0
	end := func(at int) {
		if some := list[from:at:at]; part < 0 {
			f.Items = some
		} else {
			f.Parts[part] = append(f.Parts[part], some...)
		}
	}
	for i := range list {
		if list[i].Kind == beginsPart {
			end(i)
			part, from = list[i].Number, i+1
			f.Parts[part] = nil
		}
	}
	end(len(list))
	return f, err
}

// beginsPart is the kind of an item that says which part follows.
const beginsPart = states.ItemKind(0xff)

func readItems(in *driver.Reader) (list []states.Item, err error) {
	for in.Err == nil && in.More() {
		it := states.Item{}
		switch in.Number() {
		case objects.FormNumber:
			it.Kind, it.Number = states.Number, in.Number()
		case objects.FormPlace:
			it.Kind, it.Number = states.Place, in.Number()
		case objects.FormPart:
			it.Kind, it.Number = beginsPart, in.Number()
		case objects.FormInt:
			it.Kind, it.Text = states.Integer, string(in.Bytes())
		case objects.FormText:
			it.Kind, it.Text = states.Text, string(in.Bytes())
		case objects.FormOther:
			it.Kind, it.Text = states.Other, string(in.Bytes())
		case objects.FormMap:
			it.Kind = states.Map
			for n := in.Count(); n > 0 && err == nil; n-- {
				var e [2][]states.Item
				if e[0], err = readItems(driver.NewReader(in.Bytes())); err == nil {
					e[1], err = readItems(driver.NewReader(in.Bytes()))
				}
				it.Entries = append(it.Entries, e)
			}
		default:
			return nil, errors.New("malformed form")
		}
		if err != nil {
			return nil, err
		}
		list = append(list, it)
	}
	return list, in.Err
}

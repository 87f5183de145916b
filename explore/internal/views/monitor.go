package views

// status is what the monitor knows of a thread's operation.
type status struct {
	lin    uint8 // how it was announced: not, without a move of the observer, with one
	answer int32 // with which answer, -1: not
}

var idle = status{answer: -1}

// announce lets the observer see that an operation takes effect.
func (p *Proof) announce(obs int32, s status, call, raw int32) (int32, status, error) {
	answer, err := p.Answer(raw)
	if err != nil {
		return 0, s, err
	}
	to, ok, err := p.Observer.Step(obs, call, answer)
	switch {
	case err != nil:
		return 0, s, err
	case !ok:
		return 0, s, &Finding{Text: "what is announced contradicts the specification"}
	case s.lin == 2:
		return 0, s, &Finding{Text: "an operation is announced again after it has taken effect"}
	case to != obs:
		return to, status{2, answer}, nil
	}
	return to, status{1, answer}, nil
}

// returns checks what an operation answers.
func (p *Proof) returns(s status, raw int32) error {
	if p.Observer == nil {
		return nil
	}
	answer, err := p.Answer(raw)
	switch {
	case err != nil:
		return err
	case s.lin == 0:
		return &Finding{Text: "an operation returns that was not announced"}
	case s.answer != answer:
		return &Finding{Text: "an operation returns another answer than was announced"}
	}
	return nil
}

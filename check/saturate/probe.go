package saturate

// probing is the state of failed-literal probing.
type probing struct {
	on bool
}

func (m *Monitor) probe() {}

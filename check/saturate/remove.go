package saturate

// removal is the state of forgetting.
type removal struct {
	closing []int32
}

func (m *Monitor) nearer(y int32) {}
func (m *Monitor) remove()        {}

package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// tracer notes what a thread does, for readers.
type tracer struct{ events []Event }

func (tr *tracer) called(m *Machine, t int, call int32) {}

func (tr *tracer) access(m *Machine, in *ir.Instr, p ir.Word, n int32, words []ir.Word) {}

func (tr *tracer) ended(m *Machine, t *thread) {}

package atomic

// A cell is the word that all types share, but for interfaces, which are two.
type cell[T any] struct{ v T }

func (x *cell[T]) Load() T                                  { panic("an instruction") }
func (x *cell[T]) Store(val T)                              { panic("an instruction") }
func (x *cell[T]) Swap(new T) (old T)                       { panic("an instruction") }
func (x *cell[T]) CompareAndSwap(old, new T) (swapped bool) { panic("an instruction") }

type number[T any] struct{ cell[T] }

func (x *number[T]) Add(delta T) (new T) { panic("an instruction") }
func (x *number[T]) And(mask T) (old T)  { panic("an instruction") }
func (x *number[T]) Or(mask T) (old T)   { panic("an instruction") }

type (
	Int32          struct{ number[int32] }
	Int64          struct{ number[int64] }
	Uint32         struct{ number[uint32] }
	Uint64         struct{ number[uint64] }
	Uintptr        struct{ number[uintptr] }
	Bool           struct{ cell[bool] }
	Pointer[T any] struct{ cell[*T] }
)

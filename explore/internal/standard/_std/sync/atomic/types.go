package atomic

type Int32 struct{ v int32 }

func (x *Int32) Load() int32
func (x *Int32) Store(val int32)
func (x *Int32) Swap(new int32) (old int32)
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool)
func (x *Int32) Add(delta int32) (new int32)
func (x *Int32) And(mask int32) (old int32)
func (x *Int32) Or(mask int32) (old int32)

type Int64 struct{ v int64 }

func (x *Int64) Load() int64
func (x *Int64) Store(val int64)
func (x *Int64) Swap(new int64) (old int64)
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool)
func (x *Int64) Add(delta int64) (new int64)
func (x *Int64) And(mask int64) (old int64)
func (x *Int64) Or(mask int64) (old int64)

type Uint32 struct{ v uint32 }

func (x *Uint32) Load() uint32
func (x *Uint32) Store(val uint32)
func (x *Uint32) Swap(new uint32) (old uint32)
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool)
func (x *Uint32) Add(delta uint32) (new uint32)
func (x *Uint32) And(mask uint32) (old uint32)
func (x *Uint32) Or(mask uint32) (old uint32)

type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64
func (x *Uint64) Store(val uint64)
func (x *Uint64) Swap(new uint64) (old uint64)
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool)
func (x *Uint64) Add(delta uint64) (new uint64)
func (x *Uint64) And(mask uint64) (old uint64)
func (x *Uint64) Or(mask uint64) (old uint64)

type Uintptr struct{ v uintptr }

func (x *Uintptr) Load() uintptr
func (x *Uintptr) Store(val uintptr)
func (x *Uintptr) Swap(new uintptr) (old uintptr)
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool)
func (x *Uintptr) Add(delta uintptr) (new uintptr)
func (x *Uintptr) And(mask uintptr) (old uintptr)
func (x *Uintptr) Or(mask uintptr) (old uintptr)

type Bool struct{ v bool }

func (x *Bool) Load() bool
func (x *Bool) Store(val bool)
func (x *Bool) Swap(new bool) (old bool)
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool)

type Pointer[T any] struct{ v *T }

func (x *Pointer[T]) Load() *T
func (x *Pointer[T]) Store(val *T)
func (x *Pointer[T]) Swap(new *T) (old *T)
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool)

package describe_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

type integer interface {
	int | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

// jar counts what others put in with integers of their size, in those of another one.
type jar[T integer, Total integer] struct{ total Total }

func (j *jar[T, Total]) Put(n T) {
	if n > 0 {
		j.total += Total(n % 40)
	}
}

func (j *jar[T, Total]) Take(n T) bool {
	if n < 0 || n > 39 || Total(n) > j.total {
		return false
	}
	j.total -= Total(n)
	return true
}

func (j *jar[T, Total]) Total() Total { return j.total }

// box keeps an integer, and answers with it in another size.
type box[T integer, Total integer] struct{ v T }

func (b *box[T, Total]) Put(n T)      { b.v = n }
func (b *box[T, Total]) Total() Total { return Total(b.v) }

// TestIntegers: arguments of one size come back in another one.
func TestIntegers(t *testing.T) {
	for _, spec := range testsize.Some([]reference.Spec{
		{New: func() *jar[uint8, int] { return new(jar[uint8, int]) }}, {New: func() *jar[int8, int64] { return new(jar[int8, int64]) }},
		{New: func() *jar[int16, int] { return new(jar[int16, int]) }}, {New: func() *jar[uint16, int32] { return new(jar[uint16, int32]) }},
		{New: func() *jar[int, int32] { return new(jar[int, int32]) }}, {New: func() *jar[uint32, int64] { return new(jar[uint32, int64]) }},
		{New: func() *box[uint8, int] { return new(box[uint8, int]) }}, {New: func() *box[int8, int64] { return new(box[int8, int64]) }},
		{New: func() *box[uint16, int] { return new(box[uint16, int]) }}, {New: func() *box[int16, int32] { return new(box[int16, int32]) }},
	}, 4) {
		t.Run(fmt.Sprintf("%T", spec.New), func(t *testing.T) {
			impl, err := reference.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			o := describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 16, Words: 2_000}}
			if _, err := describe.Infer(t.Context(), impl, reference.Info{Name: "jar"}, o); err != nil {
				t.Error(err)
			}
		})
	}
}

package outside

import "github.com/adtinfer/adtinfer/internal/testing/testsize"

var Size = testsize.Samples(1)

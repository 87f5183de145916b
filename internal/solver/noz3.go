//go:build !z3

package solver

func z3Backend() backend {
	return backend{name: "z3", how: `it needs cgo, the Z3 library and the build tag z3; in the source tree, scripts/z3 build -o "$PWD/adtinfer" ./cmd/adtinfer does it all`}
}

module github.com/adtinfer/adtinfer/peer

go 1.24.0

require (
	github.com/adtinfer/adtinfer v0.0.0
	github.com/anishathalye/porcupine v1.3.1
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/adtinfer/adtinfer => ..

module github.com/adtinfer/adtinfer/examples/libraries

go 1.24.0

require (
	github.com/adtinfer/adtinfer v0.0.0
	github.com/alphadose/haxmap v1.3.0
	github.com/bytedance/gopkg v0.1.4
	github.com/cornelk/hashmap v1.0.8
	github.com/enriquebris/goconcurrentqueue v0.7.0
	github.com/puzpuzpuz/xsync/v4 v4.5.0
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
	golang.org/x/sys v0.41.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/adtinfer/adtinfer => ../..

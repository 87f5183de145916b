module github.com/adtinfer/adtinfer/explore/libraries

go 1.24.0

require (
	github.com/Workiva/go-datastructures v1.1.7
	github.com/cornelk/hashmap v1.0.8
	github.com/enriquebris/goconcurrentqueue v0.7.0
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/zhangyunhao116/skipset v0.13.0
	golang.design/x/lockfree v0.0.1
)

require (
	github.com/bytedance/gopkg v0.1.4
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/orcaman/concurrent-map/v2 v2.0.1
	github.com/zhangyunhao116/fastrand v0.2.1
)

require github.com/adtinfer/adtinfer v0.0.0

require (
	github.com/go-air/gini v1.0.4 // indirect
	golang.org/x/mod v0.33.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
	golang.org/x/tools v0.42.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/adtinfer/adtinfer => ../..

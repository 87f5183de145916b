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

require (
	github.com/allegro/bigcache/v3 v3.1.0
	github.com/alphadose/haxmap v1.4.1
	github.com/bits-and-blooms/bloom/v3 v3.7.0
	github.com/bluele/gcache v0.0.2
	github.com/emirpasic/gods/v2 v2.0.0-alpha
	github.com/gammazero/deque v1.0.0
	github.com/gammazero/workerpool v1.1.3
	github.com/golang/groupcache v0.0.0-20210331224755-41bb18bfe9da
	github.com/google/btree v1.1.3
	github.com/jackc/puddle/v2 v2.2.2
	github.com/jellydator/ttlcache/v3 v3.3.0
	github.com/patrickmn/go-cache v2.1.0+incompatible
	github.com/sony/gobreaker v1.0.0
	golang.org/x/sync v0.19.0
	golang.org/x/time v0.9.0
)

require github.com/adtinfer/adtinfer v0.0.0

require (
	github.com/bits-and-blooms/bitset v1.10.0 // indirect
	github.com/go-air/gini v1.0.4 // indirect
	github.com/golang/protobuf v1.5.4 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
	golang.org/x/mod v0.33.0 // indirect
	golang.org/x/tools v0.42.0 // indirect
	google.golang.org/protobuf v1.33.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/adtinfer/adtinfer => ../..

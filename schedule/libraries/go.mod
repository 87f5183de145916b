module github.com/adtinfer/adtinfer/schedule/libraries

go 1.25.0

require (
	github.com/adtinfer/adtinfer v0.0.0-00010101000000-000000000000
	github.com/alitto/pond/v2 v2.7.1
	github.com/allegro/bigcache/v3 v3.1.0
	github.com/alphadose/haxmap v1.4.1
	github.com/coocood/freecache v1.2.7
	github.com/cskr/pubsub/v2 v2.0.2
	github.com/deckarep/golang-set/v2 v2.9.0
	github.com/dgraph-io/ristretto/v2 v2.4.2
	github.com/eapache/channels v1.1.0
	github.com/golang/groupcache v0.0.0-20241129210726-2c02b8208cf8
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/jackc/puddle/v2 v2.2.3
	github.com/jellydator/ttlcache/v3 v3.4.1
	github.com/orcaman/concurrent-map/v2 v2.0.1
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/patrickmn/go-cache v2.1.0+incompatible
	github.com/puzpuzpuz/xsync/v4 v4.5.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/eapache/queue v1.1.0 // indirect
	go.mongodb.org/mongo-driver v1.17.4 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
	golang.org/x/sync v0.19.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/adtinfer/adtinfer => ../..

// Package libraries runs the tests of public Go modules under schedules, and tests that prove what was found in them. It is
// a module of its own, so that adtinfer itself depends on none of them:
//
//	cd schedule/libraries && go test -v .
//
// docs/test-modules.md has the modules and what came of their tests, and docs/findings.md what is wrong in them.
package libraries

import (
	_ "github.com/alitto/pond/v2"
	_ "github.com/allegro/bigcache/v3"
	_ "github.com/alphadose/haxmap"
	_ "github.com/coocood/freecache"
	_ "github.com/cskr/pubsub/v2"
	_ "github.com/deckarep/golang-set/v2"
	_ "github.com/dgraph-io/ristretto/v2"
	_ "github.com/eapache/channels"
	_ "github.com/golang/groupcache/singleflight"
	_ "github.com/hashicorp/golang-lru/v2"
	_ "github.com/jackc/puddle/v2"
	_ "github.com/jellydator/ttlcache/v3"
	_ "github.com/orcaman/concurrent-map/v2"
	_ "github.com/panjf2000/ants/v2"
	_ "github.com/patrickmn/go-cache"
	_ "github.com/puzpuzpuz/xsync/v4"
)

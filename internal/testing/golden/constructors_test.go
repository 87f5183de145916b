package golden

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/account"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/applog"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/bag"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/bank"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/bounded"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/bytesqueue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/casregister"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/chanqueue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/clearstack"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/closablequeue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/condqueue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/counter"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/dedupqueue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/deque"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/drainall"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/fencing"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/fifo"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/floormap"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/genericring"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/idalloc"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/idpool"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/kvbytes"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/kvcas"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/kvoptions"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/latch"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/lease"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/lru"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/lrulist"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/maxregister"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/multiset"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/mutex"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/namedqueues"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/once"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/optregister"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ownerlock"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/pqheap"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/pqmin"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/presence"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ptrqueue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/putifabsent"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/queuelen"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ratelimiter"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/register"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ring"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ring3"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ring8"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/rwlock"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/semaphore"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/sessions"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/set"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/setlen"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/slot"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/snapshot"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/stack"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/stackempty"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/structqueue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/swapregister"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/syncmap"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/topic"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/tryqueue"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/ttlcache"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/unionfind"
	"github.com/adtinfer/adtinfer/internal/testing/golden/testdata/types/workqueue"
	"github.com/adtinfer/adtinfer/reference"
)

// constructors make the objects of types in the test's own process, where a call
// takes a hundredth of the time that it takes in a child. Only eventbus is missing:
// the loader alone finds what may stand for its interface.
var constructors = map[string]reference.Spec{
	"mutex":         {New: func() *mutex.Mutex { return new(mutex.Mutex) }},
	"latch":         {New: func() *latch.Latch { return new(latch.Latch) }},
	"ownerlock":     {New: func() *ownerlock.Lock { return new(ownerlock.Lock) }},
	"lease":         {New: func() *lease.Lease { return new(lease.Lease) }},
	"fencing":       {New: func() *fencing.Lock { return new(fencing.Lock) }},
	"rwlock":        {New: func() *rwlock.RWLock { return new(rwlock.RWLock) }},
	"semaphore":     {New: func() *semaphore.Semaphore { return semaphore.New(3) }},
	"ratelimiter":   {New: func() *ratelimiter.Limiter { return ratelimiter.NewLimiter(3) }},
	"once":          {New: func() *once.Once { return new(once.Once) }},
	"register":      {New: func() *register.Register { return new(register.Register) }},
	"casregister":   {New: func() *casregister.Int { return new(casregister.Int) }},
	"swapregister":  {New: func() *swapregister.Exchanger { return new(swapregister.Exchanger) }},
	"optregister":   {New: func() *optregister.Cell { return new(optregister.Cell) }},
	"slot":          {New: slot.New},
	"snapshot":      {New: func() *snapshot.Pair { return new(snapshot.Pair) }},
	"maxregister":   {New: func() *maxregister.Max { return new(maxregister.Max) }},
	"fifo":          {New: func() *fifo.Queue { return new(fifo.Queue) }},
	"stack":         {New: func() *stack.Stack { return new(stack.Stack) }},
	"deque":         {New: deque.New},
	"structqueue":   {New: func() *structqueue.Queue { return new(structqueue.Queue) }},
	"ptrqueue":      {New: ptrqueue.New},
	"bytesqueue":    {New: func() *bytesqueue.Queue { return new(bytesqueue.Queue) }},
	"tryqueue":      {New: tryqueue.New},
	"queuelen":      {New: func() *queuelen.Queue { return new(queuelen.Queue) }},
	"stackempty":    {New: func() *stackempty.Stack { return new(stackempty.Stack) }},
	"clearstack":    {New: func() *clearstack.Stack { return new(clearstack.Stack) }},
	"dedupqueue":    {New: dedupqueue.New},
	"drainall":      {New: func() *drainall.Outbox { return new(drainall.Outbox) }},
	"closablequeue": {New: func() *closablequeue.Queue { return new(closablequeue.Queue) }},
	"workqueue":     {New: workqueue.New},
	"bounded2":      {New: func() *bounded.Queue { return bounded.New(2) }},
	"bounded100":    {New: func() *bounded.Queue { return bounded.New(100) }},
	"ring1":         {New: func() *ring.Ring { return ring.New(1) }},
	"ring3":         {New: func() *ring3.Ring { return new(ring3.Ring) }},
	"ring4":         {New: func() *ring.Ring { return ring.New(4) }},
	"ring5":         {New: func() *ring.Ring { return ring.New(5) }},
	"ring6":         {New: func() *genericring.Ring[int] { return genericring.New[int](6) }},
	"ring8":         {New: func() *ring8.Ring { return new(ring8.Ring) }},
	"ring16":        {New: func() *genericring.Ring[string] { return genericring.New[string](16) }},
	"lru2":          {New: func() *lru.Cache { return lru.New(2) }},
	"lru4":          {New: func() *lru.Cache { return lru.New(4) }},
	"lrulist":       {New: func() *lrulist.Cache { return lrulist.New(2) }},
	"set":           {New: set.New},
	"presence":      {New: presence.NewRoom},
	"setlen":        {New: setlen.New},
	"syncmap":       {New: func() *syncmap.Map { return new(syncmap.Map) }},
	"putifabsent":   {New: putifabsent.NewRegistry},
	"kvbytes":       {New: kvbytes.NewStore},
	"kvcas":         {New: kvcas.New},
	"kvoptions":     {New: func() *kvoptions.Store { return kvoptions.New(kvoptions.Config{MaxKeys: 2, Default: "none"}) }},
	"ttlcache":      {New: ttlcache.New},
	"sessions":      {New: sessions.New},
	"topic":         {New: topic.New},
	"namedqueues":   {New: namedqueues.New},
	"floormap":      {New: floormap.New},
	"counter":       {New: func() *counter.Counter { return new(counter.Counter) }},
	"multiset":      {New: multiset.New},
	"account":       {New: func() *account.Account { return new(account.Account) }},
	"bank":          {New: bank.New},
	"pqmin":         {New: func() *pqmin.Queue { return new(pqmin.Queue) }},
	"pqheap":        {New: func() *pqheap.Scheduler { return new(pqheap.Scheduler) }},
	"unionfind":     {New: unionfind.New},
	"idalloc":       {New: func() *idalloc.Allocator { return new(idalloc.Allocator) }},
	"idpool":        {New: idpool.New},
	"applog":        {New: func() *applog.Log { return new(applog.Log) }},
	"bag":           bag.Spec,
	"condqueue":     {New: func() *waitingQueue { return &waitingQueue{Queue: condqueue.New()} }},
	"chanqueue":     {New: func() *waitingChannel { return &waitingChannel{Queue: chanqueue.New(2)} }},
}

// waitingQueue says itself that a call would wait, which cannot be told from hanging
// in this process.
type waitingQueue struct {
	*condqueue.Queue
	held int
}

func (q *waitingQueue) Put(item string) {
	q.held++
	q.Queue.Put(item)
}

func (q *waitingQueue) Take() string {
	if q.held == 0 {
		panic(reference.Blocked)
	}
	q.held--
	return q.Queue.Take()
}

// waitingChannel is the same for chanqueue, with room for two.
type waitingChannel struct {
	*chanqueue.Queue
	held int
}

func (q *waitingChannel) Send(ctx context.Context, v int) error {
	if q.held == 2 {
		return reference.Blocked
	}
	q.held++
	return q.Queue.Send(ctx, v)
}

func (q *waitingChannel) Receive(ctx context.Context) (int, error) {
	if q.held == 0 {
		return 0, reference.Blocked
	}
	q.held--
	return q.Queue.Receive(ctx)
}

func (q *waitingChannel) TryReceive() (int, bool) {
	q.held = max(0, q.held-1)
	return q.Queue.TryReceive()
}

// within is a type in this process, as an implementation and as a model, or else
// what was loaded. It compares the three: methods, and what random calls answer.
func within(t *testing.T, typ *Type, loaded reference.Implementation) (reference.Implementation, *Replayed) {
	t.Helper()
	slow, err := Replay(t.Context(), loaded, typ.MayFail()...)
	if err != nil {
		t.Fatal(err)
	}
	spec, ok := constructors[typ.Name]
	if !ok {
		return loaded, slow
	}
	spec.AnyError = true
	direct, err := Inside(t.Context(), spec, typ.MayFail()...)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(loaded.Methods(), direct.impl.Methods()); d != "" {
		t.Fatalf("the constructor in this test makes another type than the package has (- loaded, + here):\n%s", d)
	}
	driven, err := Replay(t.Context(), direct.impl, typ.MayFail()...)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		var made [3]*history.Execution
		for i, r := range []*Replayed{slow, driven, direct} {
			if made[i], err = r.Execution(rand.New(rand.NewPCG(seed, 13)), false); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range made[1:] {
			if d := cmp.Diff(made[0], e); d != "" {
				t.Fatalf("calls answer in this process (+) other than in the package's own (-):\n%s", d)
			}
		}
	}
	return direct.impl, direct
}

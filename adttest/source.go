package adttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/host/cache"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// readTheory reads a theory file.
func readTheory(path string) (*theory.Theory, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("adttest: Config.Theory: %w", err)
	}
	defer f.Close()
	t, err := theory.Read(f, path)
	if err != nil {
		return nil, fmt.Errorf("adttest: Config.Theory: %w", err)
	}
	return t, nil
}

// given is what Config.Theory says. A theory that is a reference itself says which
// methods there are, and needs that reference.
func given(c *Config) (in inferred, err error) {
	if in.theory, err = readTheory(c.Theory); err != nil {
		return in, err
	}
	m, by := in.theory.Spec.Model, in.theory.Spec.Headline()
	if in.theory.Spec.Model = nil; by != theory.ByModel {
		return in, nil
	}
	in.none = fmt.Errorf("theory %s is the reference %s itself", in.theory.Name, m.Package)
	if c.Reference == nil {
		return in, fmt.Errorf("adttest: Config.Theory: %w; set Config.Reference to it, such as to the constructor of that package", in.none)
	}
	return in, nil
}

// inferences holds the theories that were inferred in this process: many tests
// have one reference, and inference takes longer than they do.
var inferences sync.Map // specKey: *inference

// inference is one run of it.
type inference struct {
	once sync.Once
	inferred
	err  error
	spec reference.Spec // keeps the constructor, and so its address
}

// inferred is what is known of a reference.
type inferred struct {
	theory  *theory.Theory
	methods []history.MethodSig // with all outcomes that signatures allow, seen or not
	none    error               // why the theory has no more than methods, if so
	structs bool                // the reference answers with the fields of structs
	panics  bool                // a reference judges, and says which calls panic
}

// specOf is Config.Reference as a Spec.
func specOf(ref any) (reference.Spec, error) {
	spec, ok := ref.(reference.Spec)
	if !ok {
		if reflect.ValueOf(ref).Kind() != reflect.Func {
			return spec, fmt.Errorf("adttest: Config.Reference must be a reference.Spec or a constructor, not %T", ref)
		}
		spec.New = ref
	}
	return spec, nil
}

// specKey identifies a Spec: by its constructor, closures included, and by what else
// it says.
type specKey struct {
	constructor unsafe.Pointer
	rest        string
}

// infer infers the theory of a reference, once in the process. Of a type that
// nothing describes the theory has the methods alone. It says what it does if that takes long.
func infer(ctx context.Context, spec reference.Spec, say func(string)) (inferred, error) {
	key := specKey{funcAddress(spec.New), fmt.Sprintf("%+v %v %p", spec.Info(), spec.Skip, spec.Operations)}
	v, _ := inferences.LoadOrStore(key, &inference{spec: spec})
	in := v.(*inference)
	in.once.Do(func() {
		if in.inferred, in.err = remembered(ctx, spec, say); in.err != nil {
			in.err = fmt.Errorf("adttest: Config.Reference: %w", in.err)
		}
	})
	if in.err != nil {
		inferences.CompareAndDelete(key, v) // it may have been the context
	}
	return in.inferred, in.err
}

// describeReference is replaced by tests that count inferences.
var describeReference = describe.Infer

// remembered is what is known of a reference: from the cache if it was inferred
// before, from the same source, by the same adtinfer.
func remembered(ctx context.Context, spec reference.Spec, say func(string)) (in inferred, err error) {
	impl, err := reference.New(spec)
	if err != nil {
		return in, err
	}
	defer impl.Close()
	info := spec.Info()
	if info.Name == "" {
		info.Name = impl.Name()
	}
	bare, err := patterns.Declare(impl, info)
	if err != nil {
		return in, err
	}
	nameless(bare, impl)
	in = inferred{theory: bare, methods: bare.Spec.Methods}
	in.structs = slices.ContainsFunc(impl.Methods(), func(m reference.Method) bool { return m.Structs != nil })
	entries := cache.Open()
	key := keyOf(ctx, entries, spec)
	if data, ok := entries.Get(key); ok && key != "" && in.recall(data) {
		return in, nil
	}
	var o describe.Options // not judged: the reference has the last word
	step, end := progress(say)
	o.Patterns.Progress = step
	t, err := describeReference(ctx, impl, info, o)
	end()
	var fault *reference.Fault
	switch {
	case err == nil:
		in.theory = t
	case ctx.Err() != nil, errors.As(err, &fault), len(info.Language)+len(info.Target) > 0:
		return in, err
	}
	in.none = err
	if key != "" && !errors.Is(err, context.DeadlineExceeded) { // another time there may be enough
		entries.Put(key, in.memory()) // what is not kept is inferred again
	}
	return in, nil
}

// nameless leaves out the errors without a name that the reference was not seen to return: those of an object under
// test get names of their own.
func nameless(t *theory.Theory, impl reference.Implementation) {
	for i, m := range impl.Methods() {
		sig := &t.Spec.Methods[i]
		sig.Outcomes = slices.DeleteFunc(sig.Outcomes, func(o history.OutcomeSig) bool {
			return o.Outcome == history.Error && slices.ContainsFunc(m.Outcomes, func(k reference.OutcomeArity) bool { return k.Outcome == o.Outcome && k.Unseen })
		})
	}
}

// funcAddress is the address of a function value, which is different for
// closures with different variables.
func funcAddress(f any) unsafe.Pointer {
	if reflect.ValueOf(f).Kind() != reflect.Func {
		return nil
	}
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]
}

// keyOf is the name of what was inferred from a reference in the cache: its source,
// adtinfer itself and what else it depends on; "" if that cannot be told, and nothing
// is kept.
func keyOf(ctx context.Context, c *cache.Files, spec reference.Spec) string {
	self := cache.Self()
	if c == nil || self == "" {
		return ""
	}
	funcs := []any{spec.New, spec.Accept}
	for _, o := range spec.Operations {
		funcs = append(funcs, o.Func)
	}
	code, err := origin.OfFuncs(ctx, funcs...)
	if err != nil {
		return ""
	}
	rest, err := json.Marshal(struct {
		Info    reference.Info
		Skip    []string
		Timeout string
		Names   []string
	}{spec.Info(), spec.Skip, spec.Timeout.String(), names(spec.Operations)})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("adttest 1\n%s\n%s\n%s", self, rest, code)
}

func names(operations []reference.Operation) (all []string) {
	for _, o := range operations {
		all = append(all, fmt.Sprintf("%s %T", o.Name, o.Func))
	}
	return all
}

// entry is what the cache has of an inference.
type entry struct {
	Theory string `json:"theory,omitempty"` // as a file
	None   string `json:"none,omitempty"`   // why there is none
}

// memory is the entry of an inference.
func (in *inferred) memory() []byte {
	var e entry
	if in.none != nil {
		e.None = in.none.Error()
	} else {
		var b bytes.Buffer
		if theory.Write(&b, in.theory) != nil {
			return nil
		}
		e.Theory = b.String()
	}
	data, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	return data
}

// recall takes an entry for what was inferred.
func (in *inferred) recall(data []byte) bool {
	var e entry
	if json.Unmarshal(data, &e) != nil || (e.Theory == "") == (e.None == "") {
		return false
	}
	if e.None != "" {
		in.none = errors.New(e.None)
		return true
	}
	t, err := theory.Read(bytes.NewReader([]byte(e.Theory)), "cached theory")
	if err == nil {
		in.theory = t
	}
	return err == nil
}

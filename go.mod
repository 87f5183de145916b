module github.com/adtinfer/adtinfer

go 1.24.0

require (
	github.com/go-air/gini v1.0.4
	github.com/google/go-cmp v0.7.0
	github.com/klauspost/compress v1.18.0
	github.com/mitchellh/go-z3 v0.0.0-20191228203228-4cbedeba863f
	github.com/rogpeppe/go-internal v1.14.1
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.10
	github.com/yuin/goldmark v1.7.13
	golang.org/x/term v0.40.0
	golang.org/x/tools v0.42.0
	gopkg.in/yaml.v3 v3.0.1
	pgregory.net/rapid v1.3.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/mod v0.33.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)

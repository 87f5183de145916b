module github.com/adtinfer/adtinfer

go 1.24.0

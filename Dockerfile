# adtinfer with the Go that builds references: docker build -t adtinfer .
# docker run --rm -v "$PWD:/work" adtinfer check --theory queue.theory.yaml run.log
FROM --platform=$BUILDPLATFORM golang:1.24 AS build
ARG TARGETOS TARGETARCH
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags="-s -w" -o /adtinfer ./cmd/adtinfer

FROM golang:1.24
COPY --from=build /adtinfer /usr/local/bin/adtinfer
WORKDIR /work
ENTRYPOINT ["adtinfer"]

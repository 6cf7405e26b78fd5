# threadproof with all that it needs:
#   docker build -t threadproof .
#   docker run --rm -v "$PWD:/work" threadproof check prog.c
FROM rust:1-bookworm AS build
COPY . /source
WORKDIR /source
RUN scripts/setup && cargo install --locked --path crates/cli --root /opt/threadproof

FROM debian:bookworm-slim
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        clang-19 libclang-rt-19-dev llvm-19 g++ libc6-dev-i386 libz3-4 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/threadproof /usr/local
RUN threadproof doctor
WORKDIR /work
ENTRYPOINT ["threadproof"]

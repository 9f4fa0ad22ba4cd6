# One image per service, all from one build, and one for local development:
#     docker build --target cloud-svc -t fourfold/cloud-svc:0.1.0 --build-arg COMMIT="$(git rev-parse HEAD)" .
# Each contains its program, the libraries that it loads, certificate authorities, and a user: no shell, no package manager.
# Needs BuildKit (Docker 23 or later).

FROM rust:1.95-trixie AS build
# libpq, which is linked into the programs, uses Debian's OpenSSL for TLS.
RUN apt-get update && apt-get install -y --no-install-recommends libssl-dev ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# SQLite's options and SOURCE_DATE_EPOCH: without this file, cargo builds other programs and says nothing.
RUN test -s .cargo/config.toml
# Parallel jobs of cargo. Empty: one per processor.
ARG JOBS=
# PROFILE=release builds in a third of the time, without link-time optimisation.
ARG PROFILE=dist
# Symbols are a fifth of a program. Panics report file and line without them; `none` keeps them, for profilers.
ARG STRIP=symbols
ARG COMMIT=unknown
ENV CARGO_HOME=/cargo CARGO_PROFILE_RELEASE_STRIP=$STRIP
# Caches are not part of the image, so this step copies the programs out of them. Sources are touched, because cargo compares
# file times, and a cached build may be newer than a change that it does not contain.
RUN --mount=type=cache,id=fourfold-cargo,target=/cargo --mount=type=cache,id=fourfold-target,target=/src/target \
    find . -path ./target -prune -o -name '*.rs' -exec touch {} + \
 && FOURFOLD_COMMIT="$COMMIT" cargo build --locked --profile "$PROFILE" ${JOBS:+--jobs "$JOBS"} --bins --features shared-runtime/postgres-tls \
        -p shared-runtime $(printf -- '-p %s ' *-svc) -p devstack \
 && mkdir /out && for program in *-svc devstack; do cp "target/$PROFILE/$program" /out/ || exit; done
# A root folder for each image: the program, its libraries, and an empty data folder. The user owns that folder, and therefore
# also a named volume mounted on it.
RUN set -eu; for program in *-svc devstack; do \
        root=/roots/$program; \
        mkdir -p $root/usr/local/bin $root/etc/ssl/certs $root/var/lib/fourfold $root/tmp; \
        cp /out/$program $root/usr/local/bin/; \
        for library in $(ldd /out/$program | grep -o '/[^ ]*'); do cp -L --parents "$library" $root/; done; \
        cp -L /etc/ssl/certs/ca-certificates.crt $root/etc/ssl/certs/; \
        echo 'hosts: files dns' >$root/etc/nsswitch.conf; \
        echo 'fourfold:x:65532:65532::/var/lib/fourfold:/nonexistent' >$root/etc/passwd; \
        echo 'fourfold:x:65532:' >$root/etc/group; \
        chmod 1777 $root/tmp; chown 65532:65532 $root/var/lib/fourfold; \
    done

# The load generator of deploy/try.
FROM build AS build-bench
RUN --mount=type=cache,id=fourfold-cargo,target=/cargo --mount=type=cache,id=fourfold-target,target=/src/target \
    cargo build --locked --profile "$PROFILE" ${JOBS:+--jobs "$JOBS"} --features shared-runtime/postgres-tls -p shared-runtime -p bench \
 && cp "target/$PROFILE/bench" /out/
FROM debian:trixie-slim AS bench
RUN apt-get update && apt-get install -y --no-install-recommends libssl3t64 && rm -rf /var/lib/apt/lists/*
COPY --from=build-bench /out/bench /usr/local/bin/
ENTRYPOINT ["bench"]

FROM scratch AS base
ENV PATH=/usr/local/bin SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
WORKDIR /var/lib/fourfold
USER 65532:65532
STOPSIGNAL SIGTERM
ARG COMMIT=unknown
LABEL org.opencontainers.image.vendor="Fourfold" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="$COMMIT"

FROM base AS locker-svc
COPY --from=build /roots/locker-svc /
ENV LISTEN_ADDR=0.0.0.0:8081 OPS_LISTEN_ADDR=0.0.0.0:8181
EXPOSE 8081 8181
LABEL org.opencontainers.image.title="locker-svc" \
      org.opencontainers.image.description="Rooms: billing subscriptions, the public catalogue, export downloads"
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --start-interval=500ms --retries=3 CMD ["locker-svc", "healthcheck"]
ENTRYPOINT ["locker-svc"]

FROM base AS cloud-svc
COPY --from=build /roots/cloud-svc /
ENV LISTEN_ADDR=0.0.0.0:8082 OPS_LISTEN_ADDR=0.0.0.0:8182
EXPOSE 8082 8182
LABEL org.opencontainers.image.title="cloud-svc" \
      org.opencontainers.image.description="Private workspace files, edited by plans"
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --start-interval=500ms --retries=3 CMD ["cloud-svc", "healthcheck"]
ENTRYPOINT ["cloud-svc"]

FROM base AS orders-svc
COPY --from=build /roots/orders-svc /
ENV LISTEN_ADDR=0.0.0.0:8083 OPS_LISTEN_ADDR=0.0.0.0:8183
EXPOSE 8083 8183
LABEL org.opencontainers.image.title="orders-svc" \
      org.opencontainers.image.description="Placed orders, read by their owner"
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --start-interval=500ms --retries=3 CMD ["orders-svc", "healthcheck"]
ENTRYPOINT ["orders-svc"]

# Trust checks its log before it serves, which takes minutes if the log is long.
FROM base AS trust-svc
COPY --from=build /roots/trust-svc /
ENV LISTEN_ADDR=0.0.0.0:8084 OPS_LISTEN_ADDR=0.0.0.0:8184
EXPOSE 8084 8184
LABEL org.opencontainers.image.title="trust-svc" \
      org.opencontainers.image.description="Signed market events in a verifiable log"
HEALTHCHECK --interval=5s --timeout=5s --start-period=10m --start-interval=500ms --retries=3 CMD ["trust-svc", "healthcheck"]
ENTRYPOINT ["trust-svc"]

# For docker-compose.yml: a token issuer and sample data. Not for production.
FROM base AS devstack
COPY --from=build /roots/devstack /
EXPOSE 8080
LABEL org.opencontainers.image.title="devstack" \
      org.opencontainers.image.description="A token issuer and sample data for local development"
ENTRYPOINT ["devstack"]

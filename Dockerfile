# Hornet with Z3 and Solidity compilers:
#   docker build -t hornet .
#   docker run --rm -v "$PWD:/src" hornet verify contracts/
FROM rust:1-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends nodejs npm python3 python3-pip \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
ENV HORNET_CACHE=/opt/hornet
# What is fetched changes less often than the code.
COPY scripts scripts
RUN scripts/setup.sh
COPY . .
RUN cargo install --locked --path cli --root /opt/hornet

FROM debian:bookworm-slim
# Node runs the compilers.
RUN apt-get update \
    && apt-get install -y --no-install-recommends nodejs libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home hornet
# Where they were when Hornet was built: it looks for them there.
COPY --from=build /opt/hornet/z3 /opt/hornet/z3
COPY --from=build /opt/hornet/solc /opt/hornet/solc
COPY --from=build /opt/hornet/bin/hornet /usr/local/bin/hornet
ENV HORNET_CACHE=/opt/hornet
USER hornet
WORKDIR /src
ENTRYPOINT ["hornet"]

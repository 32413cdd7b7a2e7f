# Two stages: the first builds the wheel and a venv, the second holds only that venv and an unprivileged user.
FROM python:3.13-slim AS build

WORKDIR /src
COPY pyproject.toml constraints.txt config.example.yaml README.md LICENSE ./
COPY gateway ./gateway
COPY providers ./providers
RUN python -m venv /opt/eluvix \
 && /opt/eluvix/bin/python -m pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt pip \
 && /opt/eluvix/bin/python -m pip install --no-cache-dir --constraint constraints.txt --build-constraint constraints.txt '.[ner]'

FROM python:3.13-slim

LABEL org.opencontainers.image.title="Eluvix" \
      org.opencontainers.image.description="An OpenAI-compatible gateway with a memory that stays at home." \
      org.opencontainers.image.licenses="Apache-2.0"

RUN groupadd --gid 1000 eluvix \
 && useradd --uid 1000 --gid eluvix --home-dir /data --no-create-home --shell /usr/sbin/nologin eluvix \
 && install --directory --owner=eluvix --group=eluvix --mode=0700 /data
COPY --from=build /opt/eluvix /opt/eluvix

# In a container the gateway listens on every interface and makes a key at its first start, which it prints.
# Who reaches it is decided by the published port and by that key.
ENV PATH=/opt/eluvix/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/data \
    ELUVIX_HOME=/data \
    ELUVIX_CONTAINER=1 \
    ELUVIX_SERVER__HOST=0.0.0.0

USER eluvix
WORKDIR /data
VOLUME /data
EXPOSE 3588

# The certificate is self-signed, and this asks only whether the process lives.
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s --retries=3 \
  CMD ["python", "-c", "import ssl, urllib.request as r; r.urlopen('https://127.0.0.1:3588/healthz', timeout=4, context=ssl._create_unverified_context())"]

STOPSIGNAL SIGTERM
ENTRYPOINT ["eluvix"]
CMD ["serve"]

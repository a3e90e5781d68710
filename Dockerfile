# The server and its page in one image: docker build -t parlor .   See docs/deploy.md.

FROM node:22-slim AS page
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

FROM python:3.11-slim AS installed
WORKDIR /src
COPY pyproject.toml setup.py constraints.txt README.md LICENSE ./
COPY parlor parlor
COPY --from=page /src/parlor/server/static parlor/server/static
RUN python -m venv /opt/parlor \
 && /opt/parlor/bin/pip install --no-cache-dir --constraint constraints.txt '.[server,solve,figures]'

FROM python:3.11-slim
COPY --from=installed /opt/parlor /opt/parlor
RUN useradd --system --uid 10001 --home-dir /data parlor \
 && install --directory --owner parlor /data /agents /opt/cards
ENV PATH=/opt/parlor/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATABASE_URL=sqlite:////data/parlor.db \
    PORT=8000
USER parlor
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/api/health', timeout=4)"]
# the port is PORT's
CMD ["parlor", "serve", "--host", "0.0.0.0", "--agents", "/agents", "--access-log", "-"]

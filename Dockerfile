# syntax=docker/dockerfile:1
# Two stages: install and build with everything, run with production packages only, as a user without rights.
FROM node:26-bookworm-slim AS build
WORKDIR /srv/nwms
COPY package.json package-lock.json ./
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY packages/contract/package.json packages/contract/
COPY packages/domain/package.json packages/domain/
COPY packages/client/package.json packages/client/
COPY packages/testkit/package.json packages/testkit/
COPY tools/nws-sim/package.json tools/nws-sim/
COPY bench/package.json bench/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:26-bookworm-slim
# Two pools for all threads' native memory instead of sixteen: 50 MB less.
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/nwms MALLOC_ARENA_MAX=2
WORKDIR /srv/nwms
RUN mkdir -p /var/lib/nwms && chown node:node /var/lib/nwms
COPY --from=build --chown=root:root /srv/nwms /srv/nwms
USER node
VOLUME /var/lib/nwms
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=40s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "apps/server/dist/app/main.js"]

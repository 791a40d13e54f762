# Build: everything that compiling needs, nothing of which is in the image.
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY migrations ./migrations
COPY src ./src
RUN npm run build
# The embedded Postgres is for demo and tests only.
RUN npm ci --omit=dev --omit=optional

FROM docker.io/library/node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
USER node
# 8080: webhooks. 9090: probes and metrics.
EXPOSE 8080 9090
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/cli/main.js"]
CMD ["start", "--config", "/config/placement-sync.yaml"]

# The mock in a container: `docker build -t platform-mock .`; docs/deploy has compose and Kubernetes.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run -s build
# What verify may write to, when nothing is mounted there.
RUN mkdir /work
# What runs: no package of the tests, but the client of Redis, an optional peer, as it was tested.
RUN redis=$(node -p 'require("./package.json").devDependencies.redis') \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund "redis@$redis"

# Node and nothing else: no shell, no npm. The user is nonroot (65532).
FROM gcr.io/distroless/nodejs22-debian12:nonroot
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/spec ./spec
COPY --from=build /build/fixtures ./fixtures
COPY --from=build /build/docs/api.md ./docs/api.md
COPY --from=build --chown=65532:65532 /work /work
# For commands of target files: `command: [node, token.mjs]`.
ENV PATH="/nodejs/bin:${PATH}"
USER 65532:65532
EXPOSE 4010
# Whether it lives, not whether it is ready: a restart mends no store.
HEALTHCHECK --interval=10s --timeout=2s --start-period=10s CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PLATFORM_MOCK_PORT || process.env.PORT || 4010}/_mock/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# From another machine the control plane answers only with the token of PLATFORM_MOCK_CONTROL_TOKEN.
ENTRYPOINT ["/nodejs/bin/node", "/app/dist/src/cli/start.cjs"]
CMD ["serve", "--host", "0.0.0.0", "--json-logs"]

# The Node that package.json names ("node" in devDependencies): a test holds the two together.
ARG NODE_VERSION=24.21.0

# Three stages: what npm needs to install, and what builds the console, stays behind.
FROM node:${NODE_VERSION}-bookworm-slim AS packages
WORKDIR /waybill
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
RUN npm ci --omit=dev --ignore-scripts --workspaces=false

# The console is built with tools that the image does not need.
FROM packages AS console
RUN npm ci --omit=dev --ignore-scripts
COPY console console
RUN node console/build.ts

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 WAYBILL_DATA=/data
WORKDIR /waybill
RUN mkdir /data && chown node:node /data && rm -rf /usr/local/lib/node_modules/npm /opt/yarn*
COPY --from=packages /waybill/node_modules ./node_modules
COPY package.json openapi.json ./
COPY --from=console /waybill/console/dist ./console/dist
COPY src ./src
# The pages below /docs.
COPY docs ./docs
# What Node makes of the sources is kept here for the next start.
RUN mkdir node_modules/.cache && chown node:node node_modules/.cache
USER node
VOLUME /data
EXPOSE 8080
# The process itself answers; whether its stores do is for /health/ready and whoever routes to it.
# The shell asks: a Node of its own every ten seconds would cost more than the service at rest.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /health/live HTTP/1.0\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]"]
# Node is the first process and gets the signals: SIGTERM finishes what is under way.
STOPSIGNAL SIGTERM
CMD ["node", "--expose-gc", "--max-semi-space-size=64", "--min-semi-space-size=64", "--require", "./src/shared/prelude.cjs", "src/main.ts"]

import type { NodeListener } from "@loopbox/adapters-http"
import type { Server } from "node:net"
import { type ExpressHandler, makeExpress } from "./expressMount.ts"
import { type FastifyPlugin, makeFastify } from "./fastifyMount.ts"
import { type HonoHandler, makeHono } from "./honoMount.ts"
import type { MountedApi } from "./MountedApi.ts"
import { makeNext, type NextRoute } from "./nextMount.ts"
import { makeNode, type MountOptions } from "./nodeMount.ts"
import { trimPrefix } from "./prefix.ts"
import { SocketServers } from "./SocketServers.ts"

/** The HTTP API inside the server that you have. */
export interface Mounts {
  /** For `createServer(loopbox.node())`. */
  readonly node: (options?: MountOptions) => NodeListener
  /** For `app.use("/social", loopbox.express())`, above body parsers or below them. */
  readonly express: () => ExpressHandler
  /** For `app.register(loopbox.fastify(), { prefix: "/social" })`. */
  readonly fastify: () => FastifyPlugin
  /** For `app.all("/social/*", loopbox.hono())`. */
  readonly hono: (options?: MountOptions) => HonoHandler
  /** Handlers by method, for `app/social/[[...loopbox]]/route.js` to export; all of them are the same one. */
  readonly next: (options?: MountOptions) => NextRoute
  /**
   * Takes the live sockets of a server from its first moment on. Without it a mount of `node`, `express` or `hono` takes
   * them once the first request has come to it; `fastify` always does.
   */
  readonly sockets: (server: Server, options?: MountOptions) => void
}

/** All mounts of one API; `leave` ends what they hear of servers. */
export const makeMounts = (api: MountedApi): { readonly mounts: Mounts; readonly leave: () => void } => {
  const servers = new SocketServers(api)
  return {
    mounts: {
      node: (options = {}) => makeNode(api, servers, options),
      express: () => makeExpress(api, servers),
      fastify: () => makeFastify(api, servers),
      hono: (options = {}) => makeHono(api, servers, options),
      next: (options = {}) => makeNext(api, options),
      sockets: (server, options = {}) => servers.hear(server, trimPrefix(options.prefix ?? ""))
    },
    leave: () => servers.leave()
  }
}

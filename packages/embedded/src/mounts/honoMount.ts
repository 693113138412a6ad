import * as Predicate from "effect/Predicate"
import type { MountedApi } from "./MountedApi.ts"
import type { MountOptions } from "./nodeMount.ts"
import { firstOf, trimPrefix } from "./prefix.ts"
import type { SocketServers } from "./SocketServers.ts"
import { answerWeb } from "./webMount.ts"

/** What of Hono's context a mount needs. */
export interface HonoContext {
  readonly req: { readonly raw: Request; readonly path: string; readonly routePath: string }
  readonly env: unknown
}

/** A handler of Hono. */
export type HonoHandler = (context: HonoContext) => Promise<Response>

/** The connection of a request in Node, where `@hono/node-server` gives it. */
const connectionOf = (env: unknown): unknown =>
  Predicate.hasProperty(env, "incoming") && Predicate.hasProperty(env.incoming, "socket")
    ? env.incoming.socket
    : undefined

/**
 * Versions of `@hono/node-server` before 1.19.19 keep of a Response what it was made of, and send a length of their own beside ours,
 * which clients refuse; not of one whose headers are written.
 */
const withOneLength = (response: Response): Response => {
  const length = response.headers.get("content-length")
  if (length !== null) response.headers.set("content-length", length)
  return response
}

/** For `app.all("/social/*", …)`: the prefix is what stands before the star. */
export const makeHono =
  (api: MountedApi, servers: SocketServers, options: MountOptions): HonoHandler =>
  async ({ env, req: { path, raw, routePath } }) => {
    const fixed = routePath.split("/").filter((segment) => segment !== "" && segment !== "*").length
    const prefix = options.prefix === undefined ? firstOf(fixed, path) : trimPrefix(options.prefix)
    servers.hearConnection(connectionOf(env), prefix)
    return withOneLength(await answerWeb(api, prefix, raw))
  }

import type { NodeListener } from "@loopbox/adapters-http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { BodyAlreadyRead } from "./BodyAlreadyRead.ts"
import type { MountedApi } from "./MountedApi.ts"
import { addressOf } from "./nodeAddress.ts"
import { behind, trimPrefix } from "./prefix.ts"
import { noteAddress } from "./requestAddress.ts"
import type { SocketServers } from "./SocketServers.ts"
import { unreadRequest } from "./unreadRequest.ts"

/** Where a mount lies, for servers that do not say. */
export interface MountOptions {
  /** As `/social`. The root. */
  readonly prefix?: string
}

/** Answers a request whose URL has no prefix any more; `fail` hears why it could not. */
export const answer = (
  api: MountedApi,
  [request, response]: readonly [IncomingMessage, ServerResponse],
  prefix: string,
  fail: (error: unknown) => void
): void => {
  const unread = unreadRequest(request)
  if (unread instanceof BodyAlreadyRead) {
    fail(unread)
    return
  }
  noteAddress(unread, addressOf(request, prefix))
  const { url = "/" } = unread
  api.node().then((listener) => {
    // Whoever took the prefix off may have put it back meanwhile, as koa-mount does: the first request waits for the API.
    unread.url = url
    listener(unread, response)
  }, fail)
}

/** A path that is none of ours, so that it is answered 404. */
const elsewhere = "/-"

/** Tells whoever operates the service, and answers 500: a bare server has nobody else who would. */
export const failPlainly = (response: ServerResponse) => (error: unknown) => {
  process.emitWarning(error instanceof Error ? error : String(error))
  const message = error instanceof BodyAlreadyRead ? error.message : "Something went wrong."
  response.writeHead(500, { "content-type": "application/json", connection: "close" })
  response.end(JSON.stringify({ error: { code: "INTERNAL_ERROR", message } }))
}

/** A handler for a server of `node:http`; `upgrade` takes its live sockets. */
export const makeNode = (api: MountedApi, servers: SocketServers, options: MountOptions): NodeListener => {
  const prefix = trimPrefix(options.prefix ?? "")
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    servers.hearConnection(request.socket, prefix)
    request.url = behind(prefix, request.url ?? "/") ?? elsewhere
    answer(api, [request, response], prefix, failPlainly(response))
  }
  return Object.assign(listener, {
    upgrade: servers.listenerFor(prefix)
  })
}

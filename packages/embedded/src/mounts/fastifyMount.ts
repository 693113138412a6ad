import type { IncomingMessage, ServerResponse } from "node:http"
import type { MountedApi } from "./MountedApi.ts"
import { answer } from "./nodeMount.ts"
import { behind, trimPrefix } from "./prefix.ts"
import type { SocketServers } from "./SocketServers.ts"

/** What of Fastify a mount needs. */
export interface FastifyServer {
  readonly prefix: string
  readonly server: object
  removeAllContentTypeParsers: () => unknown
  addContentTypeParser: (
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: Error | null) => void) => void
  ) => unknown
  all: (path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void) => unknown
}

interface FastifyRequest {
  readonly raw: IncomingMessage
}

interface FastifyReply {
  readonly raw: ServerResponse
  hijack: () => unknown
}

/** A plugin of Fastify. */
export type FastifyPlugin = (instance: FastifyServer, options: unknown, done: (error?: Error) => void) => void

/**
 * For `app.register(…, { prefix: "/social" })`. The plugin has a scope of its own, in which no body is parsed; those of
 * the rest of the app are as they were.
 */
export const makeFastify =
  (api: MountedApi, servers: SocketServers): FastifyPlugin =>
  (instance, _options, done) => {
    const prefix = trimPrefix(instance.prefix)
    servers.hearConnection(instance, prefix)
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser("*", (_request, _payload, taken) => taken(null))
    instance.all("/*", ({ raw: request }, reply) => {
      reply.hijack()
      const { raw: response } = reply
      request.url = behind(prefix, request.url ?? "/") ?? "/"
      answer(api, [request, response], prefix, (error) => {
        process.emitWarning(error instanceof Error ? error : String(error))
        response.writeHead(500, { connection: "close" }).end()
      })
    })
    done()
  }

import type { IncomingMessage, ServerResponse } from "node:http"
import type { MountedApi } from "./MountedApi.ts"
import { answer, failPlainly } from "./nodeMount.ts"
import { countSegments, partBehind, trimPrefix } from "./prefix.ts"
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

/** Node's own; an app of HTTP/2 has others, which answer to the same names. */
interface FastifyRequest {
  readonly raw: object
}

interface FastifyReply {
  readonly raw: object
  hijack: () => unknown
  /** What hooks before us have set, as those of @fastify/cors and @fastify/helmet. */
  getHeaders: () => Readonly<Record<string, number | string | ReadonlyArray<string> | undefined>>
}

const isRequest = (raw: object): raw is IncomingMessage => "url" in raw && "headers" in raw
const isResponse = (raw: object): raw is ServerResponse => "writeHead" in raw

/** A plugin of Fastify. */
export type FastifyPlugin = (
  instance: FastifyServer,
  options: Record<string, unknown>,
  done: (error?: Error) => void
) => void

/**
 * For `app.register(…, { prefix: "/social" })`. The plugin has a scope of its own, in which no body is parsed; those of
 * the rest of the app are as they were.
 */
export const makeFastify =
  (api: MountedApi, servers: SocketServers): FastifyPlugin =>
  (instance, _options, done) => {
    // It may have parameters: each request says what they are.
    const count = countSegments(instance.prefix)
    servers.hearConnection(instance, trimPrefix(instance.prefix))
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser("*", (_request, _payload, taken) => taken(null))
    instance.all("/*", ({ raw: request }, reply) => {
      const { raw: response } = reply
      if (!isRequest(request) || !isResponse(response)) throw new Error("Fastify gave no request of Node's")
      reply.hijack()
      // Fastify sends them with replies of its own only; ours, of the same name, come later and win.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) response.setHeader(name, value)
      }
      const { prefix, rest } = partBehind(count, request.url ?? "/") ?? { prefix: "", rest: "/-" }
      servers.hearConnection(instance, prefix)
      request.url = rest
      answer(api, [request, response], prefix, failPlainly(response))
    })
    done()
  }
